import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { areaFiles } from './areas.ts';
import { type Explorer, openExplorer, twoFrames } from './explorer.ts';

/**
 * Controls stay where they are while a view is read, so that a press finds what it was aimed at. Each answer of the
 * service is held until those before it are drawn.
 */
let explorer: Explorer;
let token: string;
beforeAll(async () => {
  explorer = await openExplorer();
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(areaFiles())) writeFileSync(join(folder, name), text);
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
  const scopes = 'catalog,metrics,usage,admin';
  const made = ['token', 'create', '--org', 'demo', '--name', 'slow', '--scope', scopes, '--json'];
  token = JSON.parse(runOnSample(explorer.sample, made)).token;
});
afterAll(() => explorer.close());

type View = {
  readonly path: string;
  /** Is there once all is read. */
  readonly last: (page: Page) => Locator;
  /** Steps that a reader takes then. Each step makes the page send requests. */
  readonly acts?: readonly ((page: Page) => Promise<void>)[];
};

const PLACES = '/datasets/ml_visitation.places';
const ADMIN = '/admin/organisations';

const VIEWS: readonly View[] = [
  { path: '/datasets', last: (page) => page.getByRole('heading', { name: 'Visitation' }) },
  { path: PLACES, last: (page) => page.getByRole('columnheader', { name: 'Distinct' }) },
  {
    path: '/datasets/areas.districts',
    last: (page) => page.getByRole('columnheader', { name: 'Distinct' }),
  },
  {
    path: `${PLACES}/records`,
    last: (page) => page.getByText(/^Records \d+–/),
    acts: [press('region'), press('region'), press('Next →')],
  },
  {
    path: '/datasets/areas.districts/map',
    last: aMap,
    acts: [choose('Colour by', 'Sum of homes'), choose('Colour by', 'Mean of homes')],
  },
  {
    path: '/datasets/areas.visits/map',
    last: aMap,
    acts: [
      choose('Period', 'April 2025'),
      choose('Colour by', 'Categories of mood'),
      choose('Colour by', 'Mean of staff'),
    ],
  },
  { path: '/metrics', last: (page) => page.getByText('Moods of zones', { exact: true }) },
  { path: '/metrics/areas/visits', last: aMap, acts: [choose('Period: month', 'April')] },
  { path: '/metrics/areas/homes', last: aMap },
  { path: '/metrics/areas/moods', last: aMap },
  { path: '/usage', last: (page) => page.getByRole('table', { name: 'Usage by token' }) },
  { path: ADMIN, last: (page) => page.getByRole('link', { name: 'Demo', exact: true }) },
  {
    path: `${ADMIN}/demo`,
    last: (page) => page.getByRole('table', { name: /^The first records/ }),
  },
  { path: '/admin/versions', last: (page) => page.getByRole('link', { name: 'areas.visits' }) },
  {
    path: '/admin/versions/areas.visits',
    last: (page) => page.getByRole('heading', { name: 'What was current when' }),
  },
];

test.each([1440, 390])(
  'at a width of %i, no control moves while a view is read, and legends stay',
  async (width) => {
    const context = { viewport: { width, height: 900 } };
    const { page, complaints } = await explorer.open('/datasets', { token, context });
    await page.getByRole('heading', { name: 'Visitation' }).waitFor();
    const held = await holdAnswers(page);
    const moved: string[] = [];
    for (const { path, last, acts = [] } of VIEWS) {
      await page.goto(`${explorer.url}/#${path}`);
      // A reload empties the cache, whose answers would come at once.
      await page.reload();
      moved.push(...(await readWhole(page, held, last(page))).map((one) => `${path}: ${one}`));
      for (const act of acts) {
        await act(page);
        moved.push(...(await readWhole(page, held, last(page))).map((one) => `${path}: ${one}`));
      }
    }
    expect(moved).toEqual([]);
    expect(complaints).toEqual([]);
  },
);

/** Lets through one answer after the other until the last part of the view is there. Returns what moved. */
async function readWhole(page: Page, held: Held[], last: Locator): Promise<readonly string[]> {
  const moved: string[] = [];
  await expect.poll(() => held.length > 0, { message: 'something is read' }).toBe(true);
  await twoFrames(page);
  // Its letters have other widths than those of the system.
  await page.evaluate(async () => void (await document.fonts.ready));
  await page.evaluate(noteControls);
  moved.push(...(await page.evaluate(noteLegend)));
  const isRead = async (): Promise<boolean> =>
    held.length === 0 && (await last.first().isVisible());
  do {
    await expect
      .poll(async () => held.length > 0 || (await isRead()), { message: `${last} comes` })
      .toBe(true);
    const next = held.shift();
    await next?.route.continue();
    await next?.over;
    await twoFrames(page);
    moved.push(...(await page.evaluate(noteControls)), ...(await page.evaluate(noteLegend)));
  } while (!(await isRead()));
  return moved;
}

/** Requests of the page for data, in the order in which they were sent. */
async function holdAnswers(page: Page): Promise<Held[]> {
  const held: Held[] = [];
  const ends = new Map<Request, () => void>();
  const end = (request: Request): void => ends.get(request)?.();
  page.on('requestfinished', end);
  // The page no longer needs it.
  page.on('requestfailed', end);
  await page.route(/\/v[13]\/|\.mvt/, (route) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(route.request(), resolve);
    held.push({ route, over: promise });
  });
  return held;
}

type Held = { readonly route: Route; readonly over: Promise<void> };

/**
 * Notes where the controls in view are, and returns those that were elsewhere when they were noted last. Runs in the page.
 * Those of tables, and of the places that a chart suggests, move with what is read.
 */
function noteControls(): readonly string[] {
  const before = globalThis.notedControls ?? new Map<Element, DOMRect>();
  const now = new Map<Element, DOMRect>();
  const content = 'table, [aria-label="Places of the chart"], .visually-hidden';
  const moved: string[] = [];
  for (const control of document.querySelectorAll('a, button, input, summary')) {
    if (control.closest(content) !== null) continue;
    const box = control.getBoundingClientRect();
    const isSeen = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
    if (!isSeen || !control.checkVisibility()) continue;
    now.set(control, box);
  }
  for (const [control, { x, y }] of before) {
    if (!control.isConnected) continue;
    const at = control.getBoundingClientRect();
    if (at.width === 0 || Math.abs(at.x - x) + Math.abs(at.y - y) <= 4) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent ?? '';
    moved.push(`${name} by ${Math.round(at.x - x)}, ${Math.round(at.y - y)}`);
  }
  globalThis.notedControls = now;
  return moved;
}

/** Notes whether a legend has entries, and says if it had some before. Runs in the page. */
function noteLegend(): readonly string[] {
  const hadLegend = globalThis.hasLegend;
  globalThis.hasLegend = document.querySelector('[aria-label="Legend"] button') !== null;
  return hadLegend === true && !globalThis.hasLegend ? ['the entries of the legend are gone'] : [];
}

function press(name: string) {
  return (page: Page): Promise<void> => page.getByRole('button', { name, exact: true }).click();
}

function choose(label: string, option: string) {
  return async (page: Page): Promise<void> => {
    // Those of a map are folded on a phone.
    const tools = page.locator('details:not([open]) > summary', { hasText: /^Colours/ });
    if ((await tools.count()) > 0) await tools.click();
    await page.getByRole('button', { name: new RegExp(`${label}$`) }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
}

function aMap(page: Page): Locator {
  return page.getByRole('region', { name: 'Map', exact: true });
}

declare global {
  // The page that is watched has it.
  var notedControls: Map<Element, DOMRect> | undefined;
  var hasLegend: boolean | undefined;
}
