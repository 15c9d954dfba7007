import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENTRY_POINT } from '../commands/run-command.ts';
import { startService } from '../commands/start-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BLOCK_END, readPageBlocks } from './read-page-blocks.ts';

const BLOCKS = readPageBlocks('docs/how-to/my-first-customer.md', 'sh');
const MANIFEST = join(import.meta.dirname, '..', '..', 'sample', 'locmetrics.yaml');
/** Times and ids differ in each run. */
const fixed = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/\b[a-z\d]{12}\b/g, 'ID');

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

test('the commands of the page about the first customer print what it shows', {
  tags: 'slow',
  skip: !(has('curl') && has('jq')),
}, async () => {
  const folder = temporaryFolder();
  const data = join(folder, '.locmetrics');
  const published = spawnSync(
    process.execPath,
    [ENTRY_POINT, 'publish', MANIFEST, 'cafes.places', 'cafes.visits', '--data', data],
    { encoding: 'utf8' },
  );
  expect(published.status, published.stderr).toBe(0);
  const service = await startService(data, ['--grpc', 'off']);
  writeFileSync(join(data, 'demo.env'), `LOCMETRICS_URL=${service.url}\n`);
  const npx = `npx() { shift; "${process.execPath}" "${ENTRY_POINT}" "$@"; }\n`;
  const script = BLOCKS.map(({ code }) => `${code}\nprintf '${BLOCK_END}'\n`).join('');
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', npx + script],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  service.kill('SIGTERM');
  await service.ended;
  expect(status, stderr).toBe(0);
  const printed = stdout.split(BLOCK_END).slice(0, -1);
  expect(printed).toHaveLength(BLOCKS.length);
  const shown = BLOCKS.flatMap(({ output }, index) =>
    output === undefined ? [] : [{ index, output: fixed(output) }],
  );
  expect(shown.length).toBeGreaterThan(6);
  expect(shown.map(({ index }) => ({ index, output: fixed(printed[index] ?? '') }))).toEqual(shown);
});
