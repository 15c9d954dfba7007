import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { openRelay } from '../../../locmetrics/test/support/open-relay.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

const PARKS = '/datasets/ml_visitation.places/records';
const VISITS = '/datasets/ml_visitation.foot_traffic_month/records';
const METRIC = '/metrics/nps/foot_traffic_monthly';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

test('all records that match are saved, with the columns, the filters, the box and the order of the page', async () => {
  const filters = [{ fieldName: 'region', operator: '!=', value: 'AK' }];
  const fields = ['location_id', 'location_name', 'latitude'];
  const box = [-125, 24, -66, 50] as const;
  const state = { filters, fields, box, order: '-latitude', size: 25 };
  const { page, complaints } = await explorer.open(addressOf(PARKS, state));
  await keepInMemory(page);
  const dialog = await openDialog(page);
  await expectFacts(dialog, {
    File: 'ml_visitation.places.csv',
    Size: expect.stringMatching(/^about \d\.\d kB$/),
  });
  const [download] = await Promise.all([page.waitForEvent('download'), save(dialog)]);
  expect(download.suggestedFilename()).toBe('ml_visitation.places.csv');
  const text = readFileSync(await download.path(), 'utf8');
  const expected = await readStream('/v3/catalog/ml_visitation.places/records.csv', {
    filters,
    fields,
    options: {
      boundingBox: { minLng: box[0], minLat: box[1], maxLng: box[2], maxLat: box[3] },
      orderBy: { fieldName: 'latitude', direction: 'DESC' },
    },
  });
  expect(text).toBe(expected);
  const rows = text.trimEnd().split('\r\n').length - 1;
  expect(rows).toBeGreaterThan(25);
  await dialog.getByText(`It has ${rows} records and`).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('the request for the file names the version that is shown', async () => {
  const { page } = await explorer.open(PARKS);
  await page.getByRole('table').waitFor();
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/records.ndjson')) asked.push(request.postDataJSON());
  });
  const shown = page.waitForResponse('**/v3/catalog/listRecords');
  await page.reload();
  const { version } = await (await shown).json();
  await keepInMemory(page);
  const dialog = await openDialog(page);
  await chooseFormat(page, 'NDJSON');
  await Promise.all([page.waitForEvent('download'), save(dialog)]);
  await dialog.getByText('ml_visitation.places.ndjson is saved.').waitFor();
  expect(asked).toMatchObject([{ asOf: version, trackTotalHits: true }]);
});

test('records with points are saved as GeoJSON, on the disk as they arrive', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await useDisk(page);
  const dialog = await openDialog(page);
  await chooseFormat(page, 'GeoJSON');
  await save(dialog);
  await dialog.getByText('ml_visitation.places.geojson is saved.').waitFor();
  const expected = await readStream('/v3/catalog/ml_visitation.places/records.geojson', {});
  expect(await diskFiles(page)).toEqual({ 'ml_visitation.places.geojson': expected });
  expect(JSON.parse(expected).features).toHaveLength(63);
  expect(complaints).toEqual([]);
  // Without points there is no GeoJSON.
  const { page: other } = await explorer.open('/datasets/mobility.state_day/records');
  await openDialog(other);
  await other.getByRole('button', { name: 'Format' }).click();
  await other.getByRole('option').first().waitFor();
  expect(await other.getByRole('option').allTextContents()).not.toContain(
    expect.stringContaining('GeoJSON'),
  );
});

// The first and the last bytes of the files; those of Arrow are none of a text.
test.for([
  ['Parquet', 'parquet', /^PAR1.*PAR1$/s],
  ['Arrow', 'arrow', /^\uFFFD{4}.*\uFFFD{4}\0{4}$/s],
] as const)(
  'a file in %s is saved, although its rows are not told apart as they arrive',
  async ([format, extension, bytes]) => {
    const { page, complaints } = await explorer.open(VISITS);
    await useDisk(page);
    const dialog = await openDialog(page);
    await chooseFormat(page, format);
    await expectFacts(dialog, { Size: 'not known before', Rows: '33,395' });
    await save(dialog);
    await dialog.getByText('It has 33,395 records').waitFor();
    const files = await diskFiles(page);
    expect(files[`ml_visitation.foot_traffic_month.${extension}`]).toMatch(bytes);
    expect(complaints).toEqual([]);
  },
);

test('the values of the chart are saved, or those of all places', async () => {
  const address = `${METRIC}?features=["ZION","YOSE"]&from=2022-01-01&to=2022-12-31`;
  const { page, complaints } = await explorer.open(address);
  await keepInMemory(page);
  const dialog = await openDialog(page, 'Save values…');
  const period = { observationPeriodFilter: { start: '2022-01-01', end: '2022-12-31' } };
  const path = '/v1/catalogs/nps/metrics/foot_traffic_monthly/values.csv';
  const ofChart = await readStream(path, { ...period, featureFilter: ['ZION', 'YOSE'] });
  // The size is known once the values are shown.
  await expectFacts(dialog, {
    ...{ Rows: '24', Charged: '24 rows' },
    Size: expect.stringMatching(/^about/),
  });
  const share = (await estimateBytes(dialog)) / ofChart.length;
  expect(share).toBeGreaterThan(0.9);
  expect(share).toBeLessThan(1.1);
  const [download] = await Promise.all([page.waitForEvent('download'), save(dialog)]);
  expect(readFileSync(await download.path(), 'utf8')).toBe(ofChart);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await openDialog(page, 'Save values…');
  await dialog.getByRole('button', { name: 'Places' }).click();
  await page.getByRole('option', { name: 'All places' }).click();
  const ofAll = await readStream(path, period);
  const rows = ofAll.trimEnd().split('\r\n').length - 1;
  await expectFacts(dialog, { Rows: String(rows) });
  const [whole] = await Promise.all([page.waitForEvent('download'), save(dialog)]);
  expect(whole.suggestedFilename()).toBe('foot_traffic_monthly.csv');
  expect(readFileSync(await whole.path(), 'utf8')).toBe(ofAll);
  expect(complaints).toEqual([]);
});

test('the progress is shown, and a cancelled file is not kept', async () => {
  const line = await openHeldLine();
  const { page } = await openAt(line.url, VISITS);
  await useDisk(page);
  const dialog = await openDialog(page);
  await save(dialog);
  const progress = dialog.getByRole('progressbar', { name: /foot_traffic_month\.csv/ });
  await expect
    .poll(() => progress.getAttribute('aria-valuetext'))
    .toMatch(/^[1-9][\d,]* of 33,395 records$/);
  const share = Number(await progress.getAttribute('aria-valuenow'));
  expect(share).toBeGreaterThan(0);
  expect(share).toBeLessThan(100);
  expect(await findAccessProblems(page)).toEqual([]);
  // It does not go away by accident.
  await page.keyboard.press('Escape');
  await expect.poll(() => focusedText(page)).toBe('Cancel');
  await page.keyboard.press('Enter');
  await dialog.getByText('Cancelled: nothing is saved.').waitFor();
  await dialog.getByText(/rows had arrived/).waitFor();
  await expect.poll(() => diskFiles(page)).toEqual({});
  expect(await findAccessProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Start again' }).click();
  line.release();
  await save(dialog);
  await dialog.getByText('It has 33,395 records').waitFor();
});

test('an interrupted answer is reported, and its file is not kept', async () => {
  const line = await openHeldLine();
  const { page } = await openAt(line.url, VISITS);
  await useDisk(page);
  const dialog = await openDialog(page);
  await save(dialog);
  const progress = dialog.getByRole('progressbar');
  await expect.poll(() => progress.getAttribute('aria-valuetext')).toMatch(/^[1-9]/);
  line.cut();
  const alert = dialog.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(
    /^Nothing is saved: the answer was interrupted after [1-9][\d,]* of 33,395 records\./,
  );
  await expect.poll(() => diskFiles(page)).toEqual({});
});

test('a file on the disk that was to be replaced stays as it was if the answer is interrupted', async () => {
  const line = await openHeldLine();
  const { page } = await openAt(line.url, VISITS);
  const before = { 'ml_visitation.foot_traffic_month.csv': 'before' };
  await useDisk(page, before);
  const dialog = await openDialog(page);
  await save(dialog);
  await expect
    .poll(() => dialog.getByRole('progressbar').getAttribute('aria-valuetext'))
    .toMatch(/^[1-9]/);
  line.cut();
  await dialog.getByRole('alert').waitFor();
  expect(await diskFiles(page)).toEqual(before);
});

test('a file that cannot be written is reported', async () => {
  const { page } = await explorer.open(PARKS);
  await useDisk(page);
  await page.evaluate(() => {
    FileSystemWritableFileStream.prototype.write = () =>
      Promise.reject(new DOMException('No space is left.', 'QuotaExceededError'));
  });
  const dialog = await openDialog(page);
  await save(dialog);
  expect(await dialog.getByRole('alert').textContent()).toContain(
    'Nothing is saved: the file could not be written.No space is left.',
  );
  expect(await diskFiles(page)).toEqual({});
});

test('a place that the browser may not write to is reported', async () => {
  const { page } = await explorer.open(PARKS);
  await page.evaluate(() => {
    globalThis.showSaveFilePicker = () =>
      Promise.reject(new DOMException('This folder is protected.', 'NotAllowedError'));
  });
  const dialog = await openDialog(page);
  await save(dialog);
  expect(await dialog.getByRole('alert').textContent()).toContain(
    'Nothing is saved: the file could not be written.This folder is protected.',
  );
});

test('a reader who chooses no place for the file is back at the choice of a format', async () => {
  const { page } = await explorer.open(PARKS);
  const asked = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        globalThis.showSaveFilePicker = () => {
          resolve();
          return Promise.reject(new DOMException('The user aborted a request.', 'AbortError'));
        };
      }),
  );
  const dialog = await openDialog(page);
  await save(dialog);
  await asked;
  await expectFacts(dialog, { Rows: '63' });
  expect(await dialog.getByRole('alert').count()).toBe(0);
});

test('a service that does not answer is reported', async () => {
  const { page } = await explorer.open(PARKS);
  await useDisk(page);
  await page.route('**/records.csv', (route) => route.abort());
  const dialog = await openDialog(page);
  await save(dialog);
  expect(await dialog.getByRole('alert').textContent()).toContain(
    'Nothing is saved: the service does not answer.',
  );
  expect(await diskFiles(page)).toEqual({});
});

test('what is left of the limits is shown, and more rows than these are refused', async () => {
  const token = createReader(explorer, 'limited', [
    '--rows-per-day',
    '500',
    '--rows-per-month',
    '40000',
    '--viewed-rows',
    '1000',
  ]);
  const { page, complaints } = await explorer.open(VISITS, { token });
  const dialog = await openDialog(page);
  // The page of 50 records that was looked at does not count.
  await expectFacts(dialog, {
    Rows: '33,395',
    Charged: '33,395 rows',
    'Left today': '500 of 500',
    'Left this month': '40,000 of 40,000',
  });
  await dialog.getByText('33,395 rows cannot be saved: 500 are left today.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  expect(await findAccessProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const { page: parks } = await explorer.open(PARKS, { token });
  await keepInMemory(parks);
  const fits = await openDialog(parks);
  await expectFacts(fits, { Charged: '63 rows', 'Left today': '500 of 500' });
  await Promise.all([parks.waitForEvent('download'), save(fits)]);
  await fits.getByText('is saved.').waitFor();
  await fits.getByRole('button', { name: 'Close' }).click();
  await openDialog(parks);
  await expectFacts(fits, { 'Left today': '437 of 500' });
  expect(complaints).toEqual([]);
});

test('a refusal of the service is shown with its hint', async () => {
  const token = createReader(explorer, 'hasty', ['--rows-per-day', '200', '--viewed-rows', '1000']);
  const { page } = await explorer.open(PARKS, { token });
  await useDisk(page);
  const dialog = await openDialog(page);
  await dialog.getByText('200 of 200').waitFor();
  // Somebody else uses them up meanwhile.
  runOnSample(explorer.sample, ['limits', 'set', 'hasty', '--rows-per-day', '60']);
  await save(dialog);
  const alert = dialog.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toContain('LIMIT_EXCEEDED');
  expect(await diskFiles(page)).toEqual({});
});

test('the keyboard alone saves a file, and no address has the token', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await keepInMemory(page);
  await page.getByRole('table').waitFor();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.getByRole('button', { name: 'Save all…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Save records of/ });
  await dialog.getByText('Charged').waitFor();
  await tabTo(page, /^CSV/);
  await page.keyboard.press('ArrowDown');
  await hasFocus(page.getByRole('option', { name: /^CSV/ }));
  await page.keyboard.press('ArrowDown');
  await hasFocus(page.getByRole('option', { name: /^NDJSON/ }));
  await page.keyboard.press('Enter');
  await dialog.getByText('ml_visitation.places.ndjson').waitFor();
  await tabTo(page, /^Save$/);
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  await downloading;
  await dialog.getByText('is saved.').waitFor();
  await expect.poll(() => focusedText(page)).toBe('Close');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focusedText(page)).toBe('Save all…');
  const token = explorer.sample.environment['LOCMETRICS_TOKEN'] ?? '';
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  expect(complaints).toEqual([]);
});

test.for(['light', 'dark'] as const)(
  'axe finds nothing serious in %s colours, on a phone too, and nothing scrolls sideways',
  async (colorScheme) => {
    const context = { colorScheme, viewport: { width: 390, height: 844 } };
    for (const [path, button] of [
      [PARKS, 'Save all…'],
      [METRIC, 'Save values…'],
    ] as const) {
      const { page } = await explorer.open(path, { context });
      await openDialog(page, button);
      expect(await findAccessProblems(page)).toEqual([]);
      const overflow = () => (document.scrollingElement?.scrollWidth ?? 0) - innerWidth;
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    }
  },
);

/** Opens the dialog, and waits until it knows the size and the cost. */
async function openDialog(page: Page, button = 'Save all…') {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog', { name: /^Save (?:records|values) of/ });
  await dialog.getByText('Charged').waitFor();
  return dialog;
}

type Dialog = Awaited<ReturnType<typeof openDialog>>;

function save(dialog: Dialog): Promise<void> {
  return dialog.getByRole('button', { name: 'Save', exact: true }).click();
}

async function chooseFormat(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Format' }).click();
  await page.getByRole('option', { name: new RegExp(`^${title}`) }).click();
}

/** What the dialog says comes in parts: an estimate of the size needs what is shown. */
async function expectFacts(dialog: Dialog, expected: object): Promise<void> {
  await expect.poll(() => facts(dialog)).toMatchObject(expected);
}

async function facts(dialog: Dialog): Promise<Readonly<Record<string, string>>> {
  const pairs = await dialog
    .locator('dl > div')
    .evaluateAll((all) =>
      all.map((one) => [...one.children].map((child) => child.textContent ?? '')),
    );
  return Object.fromEntries(pairs);
}

/** The estimated size, which is shown in kB. */
async function estimateBytes(dialog: Dialog): Promise<number> {
  const { Size: size = '' } = await facts(dialog);
  return Number(/^about ([\d.]+) kB$/.exec(size)?.[1]) * 1000;
}

/** As in browsers that let no page write to the disk. */
function keepInMemory(page: Page): Promise<void> {
  return page.evaluate(() => {
    globalThis.showSaveFilePicker = undefined;
  });
}

/** The chooser of the browser is not for scripts: it gives files of the disk that each origin has for itself. */
function useDisk(page: Page, files: Readonly<Record<string, string>> = {}): Promise<void> {
  return page.evaluate(async (given) => {
    const root = await navigator.storage.getDirectory();
    for (const [name, text] of Object.entries(given)) {
      const stream = await (await root.getFileHandle(name, { create: true })).createWritable();
      await stream.write(text);
      await stream.close();
    }
    globalThis.showSaveFilePicker = async ({ suggestedName }) =>
      await root.getFileHandle(suggestedName, { create: true });
  }, files);
}

/** The files of that disk. */
function diskFiles(page: Page): Promise<Readonly<Record<string, string>>> {
  return page.evaluate(async () => {
    const files: Record<string, string> = {};
    for await (const [name, handle] of await navigator.storage.getDirectory()) {
      if (handle instanceof FileSystemFileHandle)
        files[name] = await (await handle.getFile()).text();
    }
    return files;
  });
}

/** What the service itself answers. */
async function readStream(path: string, body: object): Promise<string> {
  const { environment } = explorer.sample;
  const response = await fetch(`${explorer.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${environment['LOCMETRICS_TOKEN']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...body, billingContext: environment['LOCMETRICS_ORG'] }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

/** Another address of the service, which holds back the end of streams until it is released or cut. */
async function openHeldLine() {
  const HELD_AFTER_BYTES = 200_000;
  let isReleased = false;
  const near: Socket[] = [];
  const resume: (() => void)[] = [];
  const { address } = await openRelay(new URL(explorer.url).host, (page, service) => {
    let isStream = false;
    let passed = 0;
    page.on('data', (bytes) => {
      if (bytes.includes('/records.')) isStream = true;
      service.write(bytes);
    });
    service.on('data', (bytes) => {
      page.write(bytes);
      passed += isStream ? bytes.length : 0;
      if (passed <= HELD_AFTER_BYTES || isReleased) return;
      service.pause();
      resume.push(() => service.resume());
    });
    near.push(page);
  });
  return {
    url: `http://${address}`,
    release(): void {
      isReleased = true;
      for (const one of resume) one();
    },
    cut(): void {
      for (const one of near) one.end();
    },
  };
}

/** Opens a view at another address of the service. */
async function openAt(url: string, path: string) {
  const opened = await explorer.open('/usage');
  const { page } = opened;
  await page.goto(`${url}/#token=${explorer.sample.environment['LOCMETRICS_TOKEN']}`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await page.goto(`${url}/#${path}`);
  return opened;
}

/** A token of an organisation of its own that may see everything, with limits. */
function createReader({ sample }: Explorer, org: string, limits: readonly string[]): string {
  runOnSample(sample, ['org', 'create', org, '--id', org]);
  runOnSample(sample, ['grant', 'add', org, 'ml_visitation.*']);
  runOnSample(sample, ['limits', 'set', org, ...limits]);
  return runOnSample(sample, ['token', 'create', '--org', org, '--name', 'test']).trim();
}

async function hasFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((one) => one === document.activeElement)).toBe(true);
}

function focusedText(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.textContent?.trim());
}

async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab');
    if (text.test((await focusedText(page)) ?? '')) return;
  }
  throw new Error(`Tab does not reach ${text}.`);
}

function addressOf(path: string, state: Readonly<Record<string, unknown>>): string {
  const query = Object.entries(state).map(
    ([name, value]) =>
      `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return `${path}?${query.join('&')}`;
}
