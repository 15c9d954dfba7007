import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

const PICTURES = join(import.meta.dirname, '..', 'screenshots');

const PAGES = [
  ['dataset', '/datasets/cafes.visits', 'Count the records and places of each date'],
  ['metric', '/metrics/cafes/visits', 'Compare with a year earlier'],
] as const;

const SCREENS = [
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 800 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
  ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
] as const;

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
  mkdirSync(PICTURES, { recursive: true });
});
afterAll(() => explorer.close());

describe.each(SCREENS)('%s', (screen, context) => {
  test.each(PAGES)(
    'the calls to start with of a %s can be used by everybody, and fit',
    async (name, path, title) => {
      const { page, complaints } = await explorer.open(path, { context });
      const call = await openCall(page, title);
      await call.scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(PICTURES, `ready-call-${name}-${screen}.png`) });
      expect(await findAccessProblems(page)).toEqual([]);
      const [wide, seen] = await page.evaluate(() => [
        document.scrollingElement?.scrollWidth,
        innerWidth,
      ]);
      expect(wide).toBeLessThanOrEqual(seen ?? 0);
      expect(complaints).toEqual([]);
    },
  );
});

test('a copied call to start with runs as pasted', async () => {
  const { page } = await explorer.open('/metrics/cafes/visits', {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  const call = await openCall(page, 'Compare with a year earlier');
  await call.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = spawnSync('bash', ['-c', copied], {
    env: { ...process.env, ...explorer.sample.environment },
    encoding: 'utf8',
  });
  const { rowsList } = JSON.parse(stdout);
  expect(rowsList[0].valuesList[0].percent).toBeLessThan(0);
  expect(rowsList.length).toBeGreaterThan(10);
});

/** Opens the calls of a page, and chooses one. */
async function openCall(page: Page, title: string) {
  await page.getByText('Calls to start with', { exact: true }).click();
  await page.getByRole('button', { name: 'What it returns' }).click();
  await page.getByRole('option', { name: title }).click();
  const call = page.getByRole('region', { name: 'Call to start with' });
  await call.waitFor();
  return call;
}
