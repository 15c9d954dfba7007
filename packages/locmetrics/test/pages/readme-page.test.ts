import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sample, startSample } from '../clients/start-sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { missingOutput, runPages } from './run-pages.ts';

const REPOSITORY = join(import.meta.dirname, '../../../..');

let folder = '';
let sample: Sample;
beforeAll(async () => {
  folder = temporaryFolder();
  sample = await startSample(folder);
  symlinkSync(sample.dataDirectory, join(folder, '.locmetrics'));
  symlinkSync(join(REPOSITORY, 'packages'), join(folder, 'packages'));
});
afterAll(async () => {
  const ended = new Promise((resolve) => sample.process.once('exit', resolve));
  sample.process.kill('SIGTERM');
  await ended;
});

test('the blocks of the README print what it shows', { tags: 'slow' }, () => {
  const blocks = runPages(['README.md'], { folder });
  expect(missingOutput(blocks)).toEqual([]);
  expect(blocks.filter(({ output }) => output !== undefined)).toHaveLength(3);
});
