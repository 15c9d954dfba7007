import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SCRAPE_WORKERS = fileURLToPath(new URL('./scrape-workers.ts', import.meta.url));

test('workers in processes of their own are added up, and one that is killed takes nothing away', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRAPE_WORKERS], {
    timeout: 25_000,
  });
  expect(JSON.parse(stdout)).toEqual({ both: 6, one: 6, again: 9 });
});
