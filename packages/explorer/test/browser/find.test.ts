import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runOnSample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';
import { findAccessProblems } from './axe.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** More sources of places than are searched at once; the last one by name has the place. */
const SOURCES = 24;

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
  const folder = temporaryFolder();
  const names = Array.from({ length: SOURCES }, (_, index) => `z${10 + index}`);
  const datasets = names.map(
    (name, index) => `  zz.${name}:
    files: ${index === SOURCES - 1 ? 'cove' : 'bay'}.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      name: { type: string }
      latitude: { type: float }
      longitude: { type: float }
`,
  );
  writeFileSync(
    join(folder, 'locmetrics.yaml'),
    `format: 1\nproducts:\n  zz: { display_name: Bays }\ndatasets:\n${datasets.join('')}`,
  );
  writeFileSync(join(folder, 'bay.csv'), 'id,name,latitude,longitude\n1,Wide bay,1,1\n');
  writeFileSync(join(folder, 'cove.csv'), 'id,name,latitude,longitude\n1,Hidden cove,1,1\n');
  runOnSample(explorer.sample, ['publish', join(folder, 'locmetrics.yaml')]);
});
afterAll(() => explorer.close());

test('places are searched in twelve sources at a time, up to the last', async () => {
  const { page, complaints } = await explorer.open('/datasets');
  await page.getByRole('heading', { name: 'Visitation' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('hidden cove');
  await page.getByText(/Places were searched in 12 of \d+ layers and datasets/).waitFor();
  const found = page.getByRole('option', { name: /^Hidden cove/ });
  expect(await found.count()).toBe(0);
  const more = page.getByRole('button', { name: /^Search \d+ more sources?$/ });
  expect(await findAccessProblems(page)).toEqual([]);
  await more.click();
  await page.getByText(/Places were searched in 24 of \d+/).waitFor();
  await more.click();
  await found.waitFor();
  expect(await more.count()).toBe(0);
  expect(complaints).toEqual([]);
});
