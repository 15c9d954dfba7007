import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { startService } from '../commands/start-service.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(async () => {
  await data.remove();
});

test('usage is merged and can be queried while the service runs, and is fully merged when it stops', {
  tags: 'slow',
}, async () => {
  const { root, usage } = data.directory;
  const serving = await startService(root, ['--workers', '2', '--metrics', '127.0.0.1:0']);
  const { url, metricsUrl } = serving;
  const ask = async (): Promise<number> => {
    const answer = await fetch(`${url}/v3/catalog/listRecords`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${data.token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ dataReferenceName: 'shop.codes' }),
    });
    return (await answer.arrayBuffer()).byteLength;
  };
  const bytes = await ask();
  await ask();
  const printed = async () =>
    JSON.parse((await runCommand(['usage', '--json', '--data', root])).data).usage;
  const used = { organisation: ORGANISATION_ID, requests: 2, rows: 4, bytes: 2 * bytes };
  expect(await printed()).toEqual([used]);
  const scrape = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(scrape).toMatch(/^locmetrics_usage_records_total 2$/m);
  const lag = /^locmetrics_usage_merge_lag_seconds (.*)$/m.exec(scrape)?.[1];
  expect(Number(lag)).toBeLessThan(20);
  await ask();
  serving.kill('SIGTERM');
  expect((await serving.ended).code).toBe(0);
  expect(await readdir(usage.segments)).toEqual([]);
  expect(await printed()).toEqual([{ ...used, requests: 3, rows: 6, bytes: 3 * bytes }]);
});
