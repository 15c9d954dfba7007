// @module-tag slow

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SCRAPE_WORKERS = fileURLToPath(new URL('./scrape-workers.ts', import.meta.url));

test('the metrics of worker processes are summed, and a killed worker does not reduce them', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRAPE_WORKERS], {});
  expect(JSON.parse(stdout)).toEqual({ both: 6, one: 6, again: 9 });
});
