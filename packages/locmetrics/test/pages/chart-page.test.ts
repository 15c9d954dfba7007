import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sample, startSample } from '../clients/start-sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BLOCK_END, readPageBlocks } from './read-page-blocks.ts';

const BLOCKS = readPageBlocks('docs/how-to/chart-a-metric.md', 'sh');

let folder = '';
let sample: Sample;
beforeAll(async () => {
  folder = temporaryFolder();
  sample = await startSample(folder);
  symlinkSync(sample.dataDirectory, join(folder, '.locmetrics'));
});
afterAll(async () => {
  const ended = new Promise((resolve) => sample.process.once('exit', resolve));
  sample.process.kill('SIGTERM');
  await ended;
});

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

test('the commands of the page about a chart print what it shows', {
  tags: 'slow',
  skip: !(has('curl') && has('jq')),
}, () => {
  const script = BLOCKS.map(({ code }) => `${code}\nprintf '${BLOCK_END}'\n`).join('');
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', script],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  const printed = stdout.split(BLOCK_END);
  expect({ status, blocks: printed.length - 1, stderr }).toEqual({
    status: 0,
    blocks: BLOCKS.length,
    stderr: 'curl: (22) The requested URL returned error: 404\n',
  });
  expect(printed.slice(0, -1)).toEqual(BLOCKS.map(({ output = '' }) => output));
});
