import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sample, startSample } from '../clients/start-sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BLOCK_END, readPageBlocks } from './read-page-blocks.ts';
import { requestPages, silentBlocks } from './request-tabs.ts';

let folder = '';
let sample: Sample;
beforeAll(async () => {
  folder = temporaryFolder();
  sample = await startSample(folder);
});
afterAll(async () => {
  const ended = new Promise((resolve) => sample.process.once('exit', resolve));
  sample.process.kill('SIGTERM');
  await ended;
});

// Tests of the clients run the blocks in Python and in TypeScript.
test.each(requestPages('ts'))(
  'the curl commands of $page get an answer',
  {
    tags: 'slow',
    skip: spawnSync('curl', ['--version']).status !== 0,
  },
  ({ page, setUp }) => {
    const blocks = readPageBlocks(page, 'sh').filter(({ code }) => code.startsWith('curl '));
    const script = blocks.map(({ code }) => `${code}\nprintf '${BLOCK_END}'\n`).join('');
    const { stdout, stderr, status } = spawnSync(
      'bash',
      [
        ...['--norc', '-euo', 'pipefail', '-c'],
        `curl() { command curl --fail-with-body -w '\\n%{http_code}\\n' "$@"; }\n${script}`,
      ],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, ...sample.environment } },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(silentBlocks({ page, setUp, blocks }, stdout)).toEqual([]);
  },
);
