// @module-tag slow

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ARCHITECTURE_FILE, withRequestPath } from './architecture-section.ts';

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url));

test.for(['listRecords --grpc', 'metricValues', 'metricValues --grpc'])(
  '%s runs through the folders of the pipeline',
  { tags: 'slow' },
  async (parameters) => {
    const folders = (await show(parameters.split(' '))).map(({ folder }) => folder);
    expect(folders).toEqual(
      expect.arrayContaining(['server/auth', 'server/metering', 'server/service', 'core/encoding']),
    );
    expect(folders.slice(-3)).toEqual(['core/errors', 'core/runtime', 'server/observe']);
  },
);

test('ARCHITECTURE.md has the files that a request for records runs', async () => {
  const page = readFileSync(ARCHITECTURE_FILE, 'utf8');
  // After a change: npm run show:request -- listRecords --write
  expect(page).toBe(withRequestPath(page, await show(['listRecords'])));
});

/** The printed folders, with their files. */
async function show(parameters: readonly string[]) {
  const env = { ...process.env, TMPDIR: temporaryFolder() };
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...parameters], { env });
  const blocks = stdout.trimEnd().split('\n\n');
  const files = blocks.slice(0, -1).map((block) => block.split('\n'));
  const printed = files.flatMap(([, ...lines]) => lines);
  const functions = printed.flatMap((line) => line.split(', '));
  expect(blocks.at(-1)).toBe(`${printed.length} files, ${functions.length} functions`);
  return files.map(([folder = '', ...lines]) => ({
    folder,
    files: lines.map((line) => ({ file: line.trim().split(':')[0] ?? '', functions: [] })),
  }));
}
