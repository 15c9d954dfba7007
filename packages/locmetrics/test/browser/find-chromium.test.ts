import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { findChromium } from './find-chromium.ts';

let folder = '';
beforeAll(() => {
  folder = temporaryFolder();
  for (const name of ['named', 'chromium']) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
  mkdirSync(join(folder, 'empty'));
});

test('the named browser comes before the one on the PATH', () => {
  const named = join(folder, 'named');
  expect(findChromium({ LOCMETRICS_TEST_CHROMIUM: named, PATH: folder })).toEqual({ path: named });
  const onPath = { path: join(folder, 'chromium') };
  expect(findChromium({ PATH: `${join(folder, 'empty')}:${folder}` })).toEqual(onPath);
});

test('a named browser that does not exist is told, and no other is used', () => {
  const missing = join(folder, 'missing');
  expect(findChromium({ LOCMETRICS_TEST_CHROMIUM: missing, PATH: folder })).toEqual({
    path: undefined,
    reason: `LOCMETRICS_TEST_CHROMIUM is '${missing}', which is not a program`,
  });
});
