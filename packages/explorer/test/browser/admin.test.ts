import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
let folder = '';
let adminToken = '';
beforeAll(async () => {
  explorer = await openExplorer();
  folder = temporaryFolder();
  adminToken = createToken('--name', 'boss', '--scope', 'catalog,metrics,usage,admin');
});
afterAll(async () => {
  await explorer.close();
});

test('a token without the scope sees nothing of it, and is told why', async () => {
  const { page, complaints } = await explorer.open('/admin/organisations');
  await page.getByRole('alert').getByText('lacks the scope admin').waitFor();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  expect(await navigation.getByRole('link', { name: 'Admin' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Create organisation' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('an organisation that does not exist is told, and was created at no time', async () => {
  const { page } = await openAdmin('/admin/organisations/nobody');
  await page.getByText("There is no organisation 'nobody'.").waitFor();
  expect(await page.getByText(/^Created/).count()).toBe(0);
});

test('a taken id is said at its field, and a token sees what is granted, until it is revoked', async () => {
  const { page, complaints } = await openAdmin('/admin/organisations');
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await dialog(page).getByLabel('Name').fill('City of Somewhere');
  await dialog(page).getByLabel('Id').fill('demo');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await dialog(page)
    .getByText(/'demo'/)
    .waitFor();
  await dialog(page).getByLabel('Id').fill('somewhere');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'City of Somewhere', level: 1 }).waitFor();
  await page.getByText('It has no grant').waitFor();

  await page.getByRole('link', { name: 'Add a grant' }).click();
  await enterPattern(page, 'ml_visitation.places');
  await page.getByText('All fields, including those of later versions').click();
  await page.getByRole('button', { name: 'Choose none' }).click();
  for (const field of ['location_id', 'location_name', 'region']) {
    await page.getByText(field, { exact: true }).click();
  }
  const words = page.getByRole('region', { name: 'What it allows' });
  await words.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('63 records with').waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  await words.getByRole('button', { name: 'Add the grant' }).click();
  await page.getByRole('status').getByText('The grant of ml_visitation.places was added').waitFor();

  const token = await createTokenInPage(page, 'reports');
  const customer = await explorer.open('/datasets', { token });
  await customer.page.getByRole('heading', { name: 'National parks' }).waitFor();
  expect(await customer.page.getByRole('listitem').getByRole('heading').count()).toBe(1);
  await customer.page.getByRole('link', { name: 'National parks', exact: true }).click();
  await customer.page.getByRole('cell', { name: 'location_name' }).waitFor();
  const fields = customer.page.getByRole('region', { name: 'Fields of National parks' });
  await expect.poll(() => fields.getByRole('row').count()).toBe(4);

  await page.getByRole('button', { name: 'Revoke reports' }).click();
  expect(await page.getByRole('alertdialog').textContent()).toContain('Revoke the token reports?');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('status').getByText('is revoked').waitFor();
  await page.getByText('revoked just now').waitFor();

  // Unless the page has asked for something by itself and was refused already, it asks now.
  await customer.page.evaluate(() => {
    location.hash = '#/usage';
  });
  await customer.page.getByRole('heading', { name: 'Locmetrics', level: 1 }).waitFor();
  expect(await customer.page.getByRole('alert').textContent()).toContain('Sign in again');
  // The id that was taken, and the time that is none.
  expect(complaints).toEqual([expect.stringContaining('409'), expect.stringContaining('400')]);
});

test('what is wrong in a grant is said at its place, and a grant of a metric is narrowed', async () => {
  runOnSample(explorer.sample, ['org', 'create', 'Narrow', '--id', 'narrow']);
  const { page, complaints } = await openAdmin('/admin/organisations/narrow/grant');
  await enterPattern(page, 'ml_visitation.places');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await choose(page, 'Field', 'latitude');
  await enter(page, 'Values', 'north');
  const filter = page.getByRole('group', { name: 'Filter 1' });
  await filter.getByText("'north'").first().waitFor();
  await page.getByRole('button', { name: 'Add the grant' }).click();
  await page.getByRole('alert').getByText("'north'").first().waitFor();

  await enterPattern(page, 'nps/foot_traffic_monthly');
  await page.getByLabel('First day of values').fill('2023-01-01');
  for (const feature of ['YOSE', 'ACAD']) await enter(page, 'Features', feature);
  await page.getByText('Only the features YOSE, ACAD.').waitFor();
  await page.getByRole('button', { name: 'Add the grant' }).click();
  const grants = page.getByRole('region', { name: 'Grants' });
  await grants.getByText('The metric nps/foot_traffic_monthly.').waitFor();
  await grants.getByText('Only values from Jan 1, 2023.').waitFor();
  // The check of the value, and that of the whole grant.
  expect(complaints).toEqual([expect.stringContaining('400'), expect.stringContaining('400')]);
});

test('a value with a comma is one value, and one that matches nothing needs a second confirmation', async () => {
  publishCafes(
    'id,state\n1,"Washington, D.C."\n2,Washington\n3,Washington\n4,California\n',
    ['id', 'state'],
    'states',
  );
  runOnSample(explorer.sample, ['org', 'create', 'Comma', '--id', 'comma']);
  const { page, complaints } = await openAdmin('/admin/organisations/comma/grant');
  await enterPattern(page, 'town.states');
  await page.getByRole('button', { name: 'Add a filter' }).click();
  await choose(page, 'Field', 'state');
  await choose(page, 'Operator', 'is one of');
  // Chosen from the suggestions, with its count.
  await page.getByRole('combobox', { name: 'Values' }).fill('d.c.');
  await page.getByRole('option', { name: 'Washington, D.C.' }).click();
  const chips = page.getByRole('list', { name: 'Values chosen' });
  await chips.getByText('Washington, D.C. · 1').waitFor();
  expect(await chips.getByRole('listitem').count()).toBe(1);
  const words = page.getByRole('region', { name: 'What it allows' });
  await words.getByText('Only where state is one of “Washington, D.C.”.').waitFor();
  await words.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('1 record with').waitFor();

  // Enter takes the text, whatever is below the pointer.
  const input = page.getByRole('combobox', { name: 'Values' });
  await input.fill('Californ');
  await page.getByRole('option', { name: 'California' }).hover();
  await input.press('Enter');
  await chips.getByText('Californ · 0').waitFor();
  await page.getByRole('button', { name: 'Remove Californ', exact: true }).click();
  await input.fill('Cal');
  await page.getByRole('option', { name: 'California' }).waitFor();
  await input.press('ArrowDown');
  await input.press('Enter');
  await chips.getByText('California · 1').waitFor();
  await page.getByRole('button', { name: 'Remove California', exact: true }).click();

  // Several lines are several values, and a text that is not confirmed with Enter is not lost.
  await page.getByRole('combobox', { name: 'Values' }).evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'California\nWashington, D.C.\n\nCalifronia\n');
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await chips.getByText('California · 1').waitFor();
  const filter = page.getByRole('group', { name: 'Filter 1' });
  await filter.getByText('“Califronia” matches nothing.').waitFor();
  await page.getByRole('combobox', { name: 'Values' }).fill('Nowhere at all');
  await page.keyboard.press('Tab');
  await filter.getByText('“Nowhere at all” matches nothing.').waitFor();
  expect(await chips.getByRole('listitem').count()).toBe(4);
  expect(await findAccessProblems(page)).toEqual([]);

  await words.getByRole('button', { name: 'Add the grant' }).click();
  const asked = page.getByRole('alertdialog', { name: '2 values match nothing' });
  await asked.getByText('state: “Califronia” (did you mean “California”?)').waitFor();
  await asked.getByText('state: “Nowhere at all”').waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await filter.getByRole('button', { name: 'California', exact: true }).click();
  await expect.poll(() => chips.getByRole('listitem').count()).toBe(3);
  await words.getByRole('button', { name: 'Add the grant' }).click();
  const one = page.getByRole('alertdialog', { name: 'One value matches nothing' });
  await one.getByRole('button', { name: 'Add it anyway' }).click();
  await page.getByRole('status').getByText('The grant of town.states was added').waitFor();
  const { grants } = JSON.parse(runOnSample(explorer.sample, ['grant', 'list', 'comma', '--json']));
  expect(grants[0].filters[0].values).toEqual([
    ...['Washington, D.C.', 'California', 'Nowhere at all'],
  ]);

  // Its terms are replaced, with the same preview.
  await page.getByRole('link', { name: 'Edit the grant of town.states' }).click();
  await page.getByRole('heading', { name: 'Edit a grant' }).waitFor();
  await chips.getByText('Washington, D.C. · 1').waitFor();
  await page.getByRole('button', { name: 'Remove Nowhere at all' }).click();
  await page.getByRole('button', { name: 'Remove California' }).click();
  await words.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('1 record with').waitFor();
  await words.getByRole('button', { name: 'Save the grant' }).click();
  await page.getByRole('status').getByText('The grant of town.states was replaced').waitFor();
  const after = JSON.parse(runOnSample(explorer.sample, ['grant', 'list', 'comma', '--json']));
  expect(after.grants).toMatchObject([
    { grantId: grants[0].grantId, filters: [{ values: ['Washington, D.C.'] }] },
  ]);
  expect(complaints).toEqual([]);
});

test('a grant of a metric is edited with all of its lists', async () => {
  runOnSample(explorer.sample, ['org', 'create', 'Lists', '--id', 'lists']);
  runOnSample(
    explorer.sample,
    [
      ...['grant', 'add', 'lists', 'nps/foot_traffic_monthly', '--feature', 'YOSE'],
      ...['--period', '2023-01-01/2023-12-31', '--component', 'us_state_2020:06'],
    ].flat(),
  );
  const before = JSON.parse(runOnSample(explorer.sample, ['grant', 'list', 'lists', '--json']));
  const { page, complaints } = await openAdmin('/admin/organisations/lists');
  await page.getByRole('link', { name: 'Edit the grant of nps/foot_traffic_monthly' }).click();
  await page.getByRole('list', { name: 'Features chosen' }).getByText('YOSE · 1').waitFor();
  await page
    .getByRole('list', { name: 'Values of us_state_2020 chosen' })
    .getByText('06')
    .waitFor();
  await enter(page, 'Features', 'ACAD');
  await page.getByRole('button', { name: 'Save the grant' }).click();
  await page.getByRole('status').getByText('was replaced').waitFor();
  const after = JSON.parse(runOnSample(explorer.sample, ['grant', 'list', 'lists', '--json']));
  expect(after.grants).toEqual([{ ...before.grants[0], featureFilter: ['YOSE', 'ACAD'] }]);
  expect(complaints).toEqual([]);
});

test('a token is rotated, its text is shown once, and the old one is replaced', async () => {
  runOnSample(explorer.sample, ['org', 'create', 'Rotating', '--id', 'rotating']);
  createToken('--org', 'rotating', '--name', 'nightly');
  const { page, complaints } = await openAdmin('/admin/organisations/rotating');
  await page.getByRole('button', { name: 'Rotate nightly' }).click();
  await dialog(page).getByLabel('Overlap').fill('7d');
  await dialog(page).getByRole('button', { name: 'Rotate' }).click();
  const text = await readTokenText(page);
  expect(text).toMatch(/^lm_/);
  await page.getByText('replaced by').waitFor();
  expect(await page.getByText(text).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('limits are set, an organisation is suspended and resumed, and a grant is removed', async () => {
  runOnSample(explorer.sample, ['org', 'create', 'Limited', '--id', 'limited']);
  runOnSample(explorer.sample, ['grant', 'add', 'limited', 'mobility.*']);
  const { page, complaints } = await openAdmin('/admin/organisations/limited');
  await page.getByRole('button', { name: 'Change limits' }).click();
  await dialog(page).getByLabel('Rows in a month').fill('1,000,000');
  await dialog(page).getByRole('button', { name: 'Set limits' }).click();
  await page.getByRole('status').getByText('The limits of Limited were set').waitFor();
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByText('1,000,000').waitFor();

  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('alertdialog', { name: 'Suspend Limited?' }).waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('Suspended since').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await dialog(page).getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Suspend' }).waitFor();

  await page.getByRole('button', { name: 'Remove the grant of mobility.*' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('It has no grant').waitFor();
  expect(complaints).toEqual([]);
});

test('what a grant names is found by a part of its name, and a pattern is taken as it is typed', async () => {
  runOnSample(explorer.sample, ['org', 'create', 'Pattern', '--id', 'pattern']);
  const { page, complaints } = await openAdmin('/admin/organisations/pattern/grant');
  const what = page.getByRole('combobox', { name: 'Dataset or metric' });
  await what.fill('nps month');
  await page.getByRole('option', { name: 'nps/foot_traffic_monthly', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await what.press('Tab');
  await expect.poll(() => what.inputValue()).toBe('nps/foot_traffic_monthly');
  const words = page.getByRole('region', { name: 'What it allows' });
  await words.getByText('The metric nps/foot_traffic_monthly.').waitFor();
  await what.fill('mobility.st*');
  await what.press('Tab');
  await words.getByText('mobility.st*').waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  await words.getByRole('button', { name: 'Add the grant' }).click();
  await page.getByRole('status').getByText('The grant of mobility.st* was added').waitFor();
  expect(complaints).toEqual([]);
});

test('versions and organisations are found by a part of their names, and the address has it', async () => {
  for (const id of ['one', 'two', 'three', 'four', 'five']) {
    runOnSample(explorer.sample, ['org', 'create', `Customer ${id}`, '--id', `c-${id}`]);
  }
  const { page, complaints } = await openAdmin('/admin/versions');
  await page.getByRole('heading', { name: 'Versions', level: 1 }).waitFor();
  const rows = page.getByRole('table').locator('tbody tr');
  await page.getByRole('searchbox', { name: 'Filter the datasets' }).fill('place visit');
  await page.getByText(/^1 of \d+ datasets$/).waitFor();
  expect(await rows.first().textContent()).toContain('ml_visitation.places');
  await expect.poll(() => page.url()).toContain('find=place');
  expect(await findAccessProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Organisations' }).click();
  await page.getByRole('heading', { name: 'Organisations', level: 1 }).waitFor();
  await page.getByRole('searchbox', { name: 'Filter the organisations' }).fill('c-three');
  await page.getByText(/^1 of \d+ organisations$/).waitFor();
  expect(await rows.first().textContent()).toContain('Customer three');
  await page.getByRole('searchbox', { name: 'Filter the organisations' }).fill('nobody');
  await page.getByText('Nothing matches.').waitFor();
  expect(complaints).toEqual([]);
});

test('the report of a version has the notices that the manifest accepts, with their reasons', async () => {
  const { page, complaints } = await openAdmin('/admin/versions');
  await page.getByRole('link', { name: 'ml_visitation.places' }).click();
  await page
    .getByRole('button', { name: /^Report of/ })
    .first()
    .click();
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('Reason: The same three points.').waitFor();
  expect(complaints).toEqual([]);
});

test('a dataset is published twice, compared and switched back, and grants are kept from a loss', async () => {
  publishCafes('id,name,opened\n1,Blue,2020-01-01\n2,Red,2021-01-01\n', ['id', 'name', 'opened']);
  publishCafes('id,name,stars,roof\n1,Navy,5,x\n3,<b>Green</b>,4,x\n', ['id', 'name', 'stars']);
  runOnSample(explorer.sample, ['org', 'create', 'Guide', '--id', 'guide']);
  runOnSample(explorer.sample, [...['grant', 'add', 'guide', 'town.cafes', '--field', 'id,stars']]);
  const { page, complaints } = await openAdmin('/admin/versions');
  await page.getByRole('link', { name: 'town.cafes' }).click();
  await page.getByRole('button', { name: /^Compare/ }).click();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await comparison.getByText('1: name was “Blue”, and is “Navy”.').waitFor();
  await expect.poll(() => comparison.getByText(/stars/).count()).toBeGreaterThan(0);
  expect(await findAccessProblems(page)).toEqual([]);
  await page
    .getByRole('button', { name: /^Report of/ })
    .first()
    .click();
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('All records were replaced.').waitFor();
  await report.getByRole('cell', { name: '<b>Green</b>' }).waitFor();
  const notices = report.getByRole('alert').filter({ hasText: 'Notices of the publish' });
  await notices.getByText('These columns of the files are not used by any field: roof.').waitFor();

  await page.getByRole('button', { name: /^Switch back to/ }).click();
  const asked = page.getByRole('alertdialog', { name: 'Switch town.cafes back?' });
  await asked.getByRole('button', { name: 'Switch back' }).click();
  await asked
    .getByText(/guide loses/)
    .first()
    .waitFor();
  await asked.getByText('I accept that these grants lose').click();
  await asked.getByRole('button', { name: 'Switch back' }).click();
  await page.getByRole('status').getByText('town.cafes was switched back').waitFor();

  await page.getByRole('link', { name: 'Audit log' }).click();
  const changes = page.getByRole('list', { name: 'Changes, the newest first' });
  expect(await changes.getByRole('listitem').first().textContent()).toMatch(
    /town\.cafes was switched back to .* by the token boss of Demo\./,
  );
  expect(complaints).toEqual([expect.stringContaining('409')]);
});

test('the audit log says each change in a sentence, by organisation and day, page by page', async () => {
  runOnSample(explorer.sample, ['org', 'create', 'Logged', '--id', 'logged']);
  createToken('--org', 'logged', '--name', 'reports');
  const { page, complaints } = await openAdmin('/admin/audit');
  await choose(page, 'Organisation', 'Logged');
  const changes = page.getByRole('list', { name: 'Changes, the newest first' });
  // The list of all organisations begins with the same changes.
  await expect
    .poll(() => changes.getByRole('listitem').allTextContents())
    .toEqual([
      expect.stringMatching(/The token reports \(\w+\) of Logged was created/),
      expect.stringMatching(
        /The organisation Logged \(logged\) was created by the command line \(user \w+\)\./,
      ),
    ]);
  expect(page.url()).toContain('organisation=logged');
  await page.getByLabel('Since').fill('2099-01-01');
  await page.getByText('There are no changes.').waitFor();
  expect(complaints).toEqual([]);
});

test('a dialog keeps the focus of the keyboard, and gives it back', async () => {
  const { page, complaints } = await openAdmin('/admin/organisations');
  const button = page.getByRole('button', { name: 'Create organisation' });
  await button.focus();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor();
  for (let press = 0; press < 8; press += 1) {
    await page.keyboard.press('Tab');
    expect(
      await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null),
    ).toBe(true);
  }
  expect(await findAccessProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(complaints).toEqual([]);
});

function openAdmin(path: string) {
  return explorer.open(path, { token: adminToken });
}

function createToken(...args: readonly string[]): string {
  const organisation = args.includes('--org') ? [] : ['--org', 'demo'];
  const output = runOnSample(explorer.sample, [
    'token',
    'create',
    ...organisation,
    ...args,
    '--json',
  ]);
  return JSON.parse(output).token;
}

function dialog(page: Page): Locator {
  return page.getByRole('dialog');
}

/** Types what a grant names. */
async function enterPattern(page: Page, pattern: string): Promise<void> {
  const what = page.getByRole('combobox', { name: 'Dataset or metric' });
  await what.fill(pattern);
  await what.press('Tab');
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function createTokenInPage(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create token' }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByLabel('Expires after').fill('soon');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await dialog(page)
    .getByText(/'soon'/)
    .waitFor();
  await dialog(page).getByLabel('Expires after').fill('1d');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  return readTokenText(page);
}

/** Reads the text of a new token in its dialog, and closes that. */
async function readTokenText(page: Page): Promise<string> {
  await dialog(page).getByText('it is shown only once').waitFor();
  const text = (await dialog(page).getByText(/^lm_/).textContent()) ?? '';
  await dialog(page).getByRole('button', { name: 'I have copied it' }).click();
  return text;
}

/** Types a value into a list, and confirms it. */
async function enter(page: Page, label: string, value: string): Promise<void> {
  const input = page.getByRole('combobox', { name: label, exact: true });
  await input.fill(value);
  await input.press('Enter');
  await page.getByRole('button', { name: `Remove ${value}`, exact: true }).waitFor();
}

function publishCafes(rows: string, fields: readonly string[], name = 'cafes'): void {
  writeFileSync(join(folder, `${name}.csv`), rows);
  writeFileSync(
    join(folder, 'locmetrics.yaml'),
    [
      'format: 1',
      'products:',
      '  town: { display_name: Town, description: A town. }',
      'datasets:',
      `  town.${name}:`,
      '    display_name: Cafés',
      '    description: The cafés of the town.',
      `    files: ${name}.csv`,
      '    key: [id]',
      '    fields:',
      ...fields.map((name) => `      ${name}: { type: string, description: The ${name}. }`),
    ].join('\n'),
  );
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
}
