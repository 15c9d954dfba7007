import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

const PARKS = '/datasets/ml_visitation.places/map';
const NEIGHBORHOODS = '/datasets/ml_visitation.neighborhoods/map';
/** Yellowstone is in the middle; no other park is near. */
const AT_YELLOWSTONE = '?at=%5B-110.5471695,44.59824417,7%5D';

test('the parks are on a map, which is read with the token in the header alone', async () => {
  const { page, complaints } = await explorer.open('/datasets/ml_visitation.places');
  const tiles: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const token = explorer.sample.environment['LOCMETRICS_TOKEN'] ?? '';
  const addresses: string[] = [];
  page.on('request', (request) => {
    addresses.push(request.url());
    if (!request.url().includes('.mvt')) return;
    tiles.push({ url: request.url(), authorization: request.headers()['authorization'] });
  });
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await drawn(page);
  await page.getByText('Map with 63 records in view').waitFor();
  await page.getByRole('region', { name: 'Legend' }).getByText('One record').waitFor();
  expect(tiles.length).toBeGreaterThan(0);
  expect(new Set(tiles.map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${token}`]),
  );
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  await expect.poll(() => coloursOf(page)).toBeGreaterThan(4);
  expect(complaints).toEqual([]);
});

test('a click on a park shows its fields and its series', async () => {
  const { page, complaints } = await explorer.open(PARKS + AT_YELLOWSTONE);
  await drawn(page);
  await page.getByRole('region', { name: 'Map', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Yellowstone National Park' });
  await panel
    .getByText('Where-part')
    .or(panel.getByText('YELL', { exact: true }))
    .waitFor();
  const series = panel.getByRole('link', { name: 'National park visits' });
  expect(await series.getAttribute('href')).toBe(
    '#/metrics/nps/foot_traffic_monthly?features=%5B%22YELL%22%5D',
  );
  await panel.getByText(/The last 120 values; the latest is [\d,]+ People/).waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('the keyboard alone moves the map, shows what is in its middle, and makes a box of the view', async () => {
  const { page } = await explorer.open(PARKS + AT_YELLOWSTONE);
  await drawn(page);
  const canvas = page.getByRole('region', { name: /^Map of National parks/ });
  await canvas.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Yellowstone National Park' });
  await panel.waitFor();
  await hasFocus(panel);
  await page.keyboard.press('Escape');
  await hasFocus(canvas);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => !location.hash.includes('-110.547'));
  await page.getByRole('button', { name: 'Use this view as the box' }).press('Enter');
  await page.getByRole('link', { name: /^Show \d+ records?$/ }).waitFor();
  expect(page.url()).toContain('box=');
});

test('a drawn box counts what listRecords counts, and is in the address', async () => {
  const { page, complaints } = await explorer.open(`${NEIGHBORHOODS}?at=%5B-119,37,5%5D`);
  await drawn(page);
  await page.getByRole('button', { name: 'Draw a box' }).click();
  await dragAcross(page);
  const link = page.getByRole('link', { name: /^Show [\d,]+ records$/ });
  await link.waitFor();
  const box: unknown = JSON.parse(new URLSearchParams(page.url().split('?')[1]).get('box') ?? '');
  const [minLng, minLat, maxLng, maxLat] = Array.isArray(box) ? box : [];
  const total = await countRecords({ minLng, minLat, maxLng, maxLat });
  expect(total).toBeGreaterThan(1000);
  expect(await link.textContent()).toBe(`Show ${total.toLocaleString('en-US')} records`);
  expect(await link.getAttribute('href')).toContain('/records?box=');
  await page.getByRole('button', { name: 'Remove the box' }).click();
  await link.waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('box=');
  await page.keyboard.down('Shift');
  await dragAcross(page);
  await page.keyboard.up('Shift');
  await link.waitFor();
  expect(complaints).toEqual([]);
});

test('a box in the address is drawn when the map opens', async () => {
  const { page, complaints } = await explorer.open(`${PARKS}?box=%5B-125,30,-100,45%5D`);
  await drawn(page);
  await page.getByRole('button', { name: 'Remove the box' }).waitFor();
  const edges = async (): Promise<number> =>
    (await pixelsOf(page)).filter((pixel) => pixel === BOX_EDGE).length;
  await expect.poll(edges).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Remove the box' }).click();
  await expect.poll(edges).toBe(0);
  expect(complaints).toEqual([]);
});

test('242,335 places are cells, coloured by their number or by a sum, with a legend', async () => {
  const { page, complaints } = await explorer.open(NEIGHBORHOODS);
  await drawn(page);
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByText(/^Records in each cell, \d+/).waitFor();
  await page.getByText('Map with 242,335 records in view').waitFor();
  await page.getByRole('button', { name: /Colour by/ }).click();
  await page.getByRole('option', { name: 'Sum of population' }).click();
  await legend.getByText(/^Sum of population in each cell, \d+/).waitFor();
  await expect.poll(() => legend.getByRole('listitem').count()).toBeGreaterThanOrEqual(4);
  expect(page.url()).toContain('colour=sum');
  await page.getByRole('region', { name: 'Map', exact: true }).click();
  expect(complaints).toEqual([]);
});

test('the tools beside the map stay where they are while its values are read', async () => {
  const { page } = await explorer.open(NEIGHBORHOODS);
  const add = page.getByRole('button', { name: '+ Add filter' });
  await drawn(page);
  // Its letters have other widths than those of the system.
  await page.evaluate(async () => void (await document.fonts.ready));
  const before = await add.boundingBox();
  const arrived = Promise.withResolvers<void>();
  await page.route('**/*.mvt*', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: /Colour by/ }).click();
  await page.getByRole('option', { name: 'Sum of population' }).click();
  await page.getByText('Reading the map…').waitFor();
  expect(await add.boundingBox()).toEqual(before);
  arrived.resolve();
  await drawn(page);
  expect(await add.boundingBox()).toEqual(before);
});

test('a zoom has cells in all tiles or points in all tiles, by the description', async () => {
  const { page, complaints } = await explorer.open(`${NEIGHBORHOODS}?at=%5B-73.95,40.7,11%5D`);
  const asked: string[] = [];
  page.on('request', (request) => {
    const [, zoom, cells] = /tiles\/(\d+)\/.*[?&]cells=(\w+)/.exec(request.url()) ?? [];
    if (zoom !== undefined) asked.push(`${zoom} ${cells}`);
  });
  await page.reload();
  await drawn(page);
  // The fullest tile of zoom 11 has 2,000 to 4,000 of the block groups of New York; none of zoom 12 has so many.
  expect(new Set(asked)).toEqual(new Set(['11 true']));
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => new Set(asked)).toEqual(new Set(['11 true', '12 false']));
  await page.getByRole('region', { name: 'Legend' }).getByText('One record').waitFor();
  expect(complaints).toEqual([]);
});

test('a click on a cell shows its count, and zooms in', async () => {
  const { page } = await explorer.open(
    `${NEIGHBORHOODS}?at=%5B-73.95,40.7,6%5D&colour=sum:population`,
  );
  await drawn(page);
  await page.getByRole('region', { name: 'Map', exact: true }).click();
  const panel = page.getByRole('region', { name: 'Cell of the grid' });
  await panel.getByText('Sum of population').waitFor();
  await panel.getByRole('button', { name: 'Zoom in' }).click();
  await panel.waitFor({ state: 'detached' });
  await page.waitForFunction(() => !location.hash.includes('%2C6%5D'));
});

test('filters narrow the map, and can be removed', async () => {
  const filters = encodeURIComponent(
    JSON.stringify([{ fieldName: 'region', operator: '==', value: 'UT' }]),
  );
  const { page } = await explorer.open(`${PARKS}?filters=${filters}`);
  await drawn(page);
  await page.getByText('Map with 5 records in view').waitFor();
  expect(await page.getByRole('link', { name: 'Show the records' }).getAttribute('href')).toContain(
    '/records?filters=',
  );
  const tile = page.waitForRequest((request) => /\.mvt\?(?!.*filters=)/.test(request.url()));
  await page.getByRole('button', { name: 'Remove region is UT' }).click();
  await tile;
  expect(page.url()).not.toContain('filters=');
});

test('the map follows the colours of the page, and fits a phone', async () => {
  const { page, complaints } = await explorer.open(PARKS, {
    context: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true },
  });
  await drawn(page);
  const dark = await brightnessOf(page);
  await page.getByRole('button', { name: 'Use light colours' }).click();
  await expect.poll(() => brightnessOf(page)).toBeGreaterThan(dark + 100);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  expect(complaints).toEqual([]);
});

test('categories have colours, the legend leaves records out, and the map is saved with both', async () => {
  const { page, complaints } = await explorer.open(PARKS + AT_YELLOWSTONE);
  await drawn(page);
  await page.getByRole('button', { name: /Colour by/ }).click();
  await page.getByRole('option', { name: 'Categories of region' }).waitFor();
  expect(await page.getByRole('option', { name: /^Sum of/ }).count()).toBe(0);
  await page.getByRole('option', { name: 'Categories of region' }).click();
  const legend = page.getByRole('region', { name: 'Legend' });
  const wyoming = legend.getByRole('button', { name: 'WY' });
  await wyoming.waitFor();
  await drawn(page);
  await page.getByRole('region', { name: 'Map', exact: true }).hover();
  await page.getByText('Yellowstone National Park', { exact: true }).waitFor();
  expect(await findAccessProblems(page)).toEqual([]);
  await wyoming.click();
  await expect.poll(() => wyoming.getAttribute('aria-pressed')).toBe('false');
  expect(page.url()).toContain('hidden=');
  await drawn(page);
  // The park is left out, so nothing is found in its place.
  await page.getByRole('region', { name: 'Map', exact: true }).click();
  expect(await page.getByRole('region', { name: 'Yellowstone National Park' }).count()).toBe(0);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the map as PNG' }).click();
  expect((await download).suggestedFilename()).toBe('national-parks-map.png');
  expect(complaints).toEqual([]);
});

test('a place is found by its name, and the map goes there', async () => {
  const { page, complaints } = await explorer.open(PARKS);
  await drawn(page);
  const field = page.getByRole('combobox', { name: 'Go to a place' });
  await field.fill('zuri');
  await page.getByRole('option', { name: /^Zürich/ }).click();
  await expect.poll(() => page.url()).toMatch(/at=%5B8\.\d+%2C47\.\d+%2C/);
  await page.getByText('Map with 0 records in view').waitFor();
  expect(complaints).toEqual([]);
});

test('an address that cannot be read is named', async () => {
  const { page } = await explorer.open(`${PARKS}?at=%5B1%5D`);
  await page
    .getByRole('alert')
    .getByText(/'at' in the address is \[1\]/)
    .waitFor();
});

test('a dataset without points has no map, and says where its records are', async () => {
  const { page } = await explorer.open('/datasets/mobility.state_day/map');
  await page
    .getByText('The records of this dataset have no points and no areas with outlines.')
    .waitFor();
  expect(await page.getByRole('link', { name: 'Map', exact: true }).count()).toBe(0);
});

/** The accent of the light palette: no other part of the map has it. */
const BOX_EDGE = 0x0f766e;

async function hasFocus(target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((one) => one === document.activeElement)).toBe(true);
}

/** Waits until all that the map reads is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.locator('section[aria-label="Map"][aria-busy="false"]').waitFor();
}

async function dragAcross(page: Page): Promise<void> {
  const map = page.getByRole('region', { name: 'Map', exact: true });
  await map.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await map.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width * 0.4, y + height * 0.2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height * 0.6, { steps: 5 });
  await page.mouse.up();
}

async function countRecords(boundingBox: Readonly<Record<string, unknown>>): Promise<number> {
  const response = await fetch(`${explorer.url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${explorer.sample.environment['LOCMETRICS_TOKEN']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      dataReferenceName: 'ml_visitation.neighborhoods',
      options: { boundingBox },
      countOnly: true,
    }),
  });
  const { totalSize }: { readonly totalSize: number } = await response.json();
  return totalSize;
}

/** How many colours the picture of the map has, without those of a few pixels at edges. */
async function coloursOf(page: Page): Promise<number> {
  const counts = new Map<number, number>();
  for (const pixel of await pixelsOf(page)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 20).length;
}

/** The mean of red, green and blue, 0 to 255. */
async function brightnessOf(page: Page): Promise<number> {
  const pixels = await pixelsOf(page);
  const sum = pixels.reduce(
    (total, pixel) => total + (pixel >> 16) + ((pixel >> 8) & 255) + (pixel & 255),
    0,
  );
  return sum / pixels.length / 3;
}

/** The pixels of the map as it is on the screen: red, green and blue as one number. */
async function pixelsOf(page: Page): Promise<readonly number[]> {
  const png = await page.locator('canvas').screenshot();
  const reader = await page.context().newPage();
  const pixels = await reader.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    if (context === null) return [];
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return Array.from({ length: data.length / 4 }, (_, index) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(index * 4, index * 4 + 3);
      return red * 65536 + green * 256 + blue;
    });
  }, png.toString('base64'));
  await reader.close();
  return pixels;
}
