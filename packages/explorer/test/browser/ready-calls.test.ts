import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';
import { openReadyCall } from './open-ready-call.ts';

let explorer: Explorer;
beforeAll(async () => {
  explorer = await openExplorer();
});
afterAll(() => explorer.close());

test('a copied call to start with runs as pasted', async () => {
  const { page } = await explorer.open('/metrics/cafes/visits', {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  const call = await openReadyCall(page, 'Compare with a year earlier');
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
