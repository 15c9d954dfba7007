import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** On paper, in the colours of the system, and with the keyboard the page says the same. */
let explorer: Explorer;
let token: string;
beforeAll(async () => {
  explorer = await openExplorer();
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'demo', '--name', 'media', '--scope', scopes, '--json'];
  token = JSON.parse(runOnSample(explorer.sample, made)).token;
});
afterAll(() => explorer.close());

const PARKS = '/datasets/ml_visitation.places';
const METRIC = '/metrics/nps/foot_traffic_monthly?features=%5B%22YOSE%22,%22ZION%22%5D';
const UTAH = encodeURIComponent('[{"fieldName":"region","operator":"==","value":"UT"}]');

test('paper has no controls, all rows of a table, and light colours', async () => {
  const { page } = await explorer.open(`${PARKS}/records?filters=${UTAH}&size=25`, {
    token,
    context: { colorScheme: 'dark' },
  });
  await page.getByRole('table').waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const background = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor);
  await expect
    .poll(() => background('section[aria-label^="Records of"]'))
    .toBe('rgb(255, 255, 255)');
  expect(await listControls(page)).toEqual([]);
  // The words of the filter stay, and so do the headings and numbers that are buttons on the screen.
  await page.getByText('UT', { exact: true }).first().waitFor();
  await page.getByRole('columnheader', { name: 'location_name' }).waitFor();
  const frame = page.getByRole('region', { name: /^Records of/ });
  expect(await frame.evaluate((one) => getComputedStyle(one).overflowY)).toBe('visible');
  for (const path of [
    '/datasets',
    PARKS,
    `${PARKS}/map`,
    METRIC,
    '/usage',
    '/admin/organisations/demo',
    '/admin/audit',
  ]) {
    await page.goto(`${explorer.url}/#${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect([path, ...(await listControls(page))]).toEqual([path]);
  }
});

test('colours that mean something are kept where a system replaces all colours', async () => {
  const { page } = await explorer.open(METRIC, { token, context: { forcedColors: 'active' } });
  const chips = page.getByRole('list', { name: 'Places of the chart' });
  await chips.getByText('Zion National Park').waitFor();
  for (const part of ['ul[aria-label="Places of the chart"]', 'th', 'ul[aria-label="Legend"]']) {
    await expect.poll(() => coloursOf(page, `${part} [style]`)).toBe(2);
  }
  await page.goto(`${explorer.url}/#/datasets/ml_visitation.neighborhoods/map`);
  // The metric has a map with a legend too.
  await page.getByRole('combobox', { name: 'Go to a place' }).waitFor();
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('listitem').nth(3).waitFor();
  expect(await coloursOf(page, 'section[aria-label="Legend"] ol [style]')).toBeGreaterThanOrEqual(
    4,
  );
});

test('the ring of the focus is not cut by what scrolls', async () => {
  const { page } = await explorer.open(PARKS, { token });
  for (const path of [PARKS, `${PARKS}/records?size=25`, METRIC, '/admin/organisations/demo']) {
    await page.goto(`${explorer.url}/#${path}`);
    await page.getByRole('table').first().waitFor();
    await page.waitForLoadState('networkidle');
    // From here on the browser takes a focus for one of the keyboard.
    await page.keyboard.press('Tab');
    expect([path, ...(await findCutRings(page))]).toEqual([path]);
  }
});

test('rows do not shine through above a heading that stays, whatever the scale of the screen', async () => {
  const { page } = await explorer.open(`${PARKS}/records`, {
    token,
    context: { deviceScaleFactor: 1.25 },
  });
  const frame = page.getByRole('region', { name: /^Records of/ });
  await page.getByText(/^Records 1–/).waitFor();
  for (const top of [37, 38, 39, 40, 41, 42]) {
    const { x, y, width } = await frame.evaluate((one, scrollTop) => {
      one.scrollTop = scrollTop;
      one.scrollIntoView({ block: 'start' });
      return one.getBoundingClientRect();
    }, top);
    const clip = { x: x + 20, y: y + 1, width: width - 40, height: 24 };
    expect([top, await whiteLines(page, await page.screenshot({ clip }))]).toEqual([top, 0]);
  }
});

/** The lines of a picture that are white from side to side. */
function whiteLines(page: Page, png: Buffer): Promise<number> {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    if (context === null) return -1;
    context.drawImage(image, 0, 0);
    let lines = 0;
    for (let y = 0; y < image.height; y += 1) {
      if (context.getImageData(0, y, image.width, 1).data.every((part) => part > 253)) lines += 1;
    }
    return lines;
  }, png.toString('base64'));
}

/** The controls that can be seen: fields, tabs, and buttons other than the texts of a table or a filter. */
function listControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, summary, nav a, [role=tab], label')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => one.closest('table, .visually-hidden') === null)
      .filter((one) => !one.ariaLabel?.startsWith('Change region'))
      .map((one) => `${one.tagName} ${one.ariaLabel ?? one.textContent}`),
  );
}

/** How many colours the backgrounds of some elements have. */
function coloursOf(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .evaluateAll((all) => new Set(all.map((one) => getComputedStyle(one).backgroundColor)).size);
}

/** The controls whose ring is partly outside of an element that cuts what is outside of it. */
function findCutRings(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    let rings = 0;
    const selector = 'a[href], button, input, summary, [tabindex="0"]';
    for (const one of document.querySelectorAll<HTMLElement>(selector)) {
      if (!one.checkVisibility() || one.closest('[data-react-aria-prevent-focus]') !== null)
        continue;
      one.focus();
      one.scrollIntoView({ block: 'center', inline: 'center' });
      if (document.activeElement !== one) continue;
      const style = getComputedStyle(one);
      if (style.outlineStyle === 'none') continue;
      rings += 1;
      const size = Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
      const box = one.getBoundingClientRect();
      for (let around = one.parentElement; around !== null; around = around.parentElement) {
        if (around === document.documentElement || around === document.body) break;
        if (getComputedStyle(around).overflowX === 'visible') continue;
        const frame = around.getBoundingClientRect();
        const isCut =
          box.left - size < frame.left - 0.5 ||
          box.right + size > frame.right + 0.5 ||
          box.top - size < frame.top - 0.5 ||
          box.bottom + size > frame.bottom + 0.5;
        // A table larger than its frame is seen in parts.
        if (isCut && box.width < frame.width && box.height < frame.height) {
          cut.push(`${one.tagName} ${one.ariaLabel ?? one.textContent} in ${around.className}`);
        }
      }
    }
    return rings > 5 ? cut : [...cut, `only ${rings} rings were seen`];
  });
}
