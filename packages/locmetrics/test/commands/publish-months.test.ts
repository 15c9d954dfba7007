// @module-tag slow

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const MANIFEST = `format: 1
datasets:
  shop.visits:
    files: visits.csv
    key: [shop, first]
    period: { start: first, end: last }
    fields:
      shop: { type: string }
      first: { type: date }
      last: { type: date }
`;
const JANUARY = 'shop,first,last\nA,2024-01-01,2024-01-31\n';
const FEBRUARY = 'shop,first,last\nA,2024-02-01,2024-02-29\nB,2024-02-01,2024-02-29\n';

/** A folder with a manifest, January beside it and February in a subfolder. Returns a function that publishes it. */
async function declare(
  name: string,
): Promise<(...parameters: readonly string[]) => Promise<CommandResult>> {
  await mkdir(inFolder(join(name, 'february')), { recursive: true });
  const files = {
    'locmetrics.yaml': MANIFEST,
    'visits.csv': JANUARY,
    'february/visits.csv': FEBRUARY,
  };
  for (const [file, text] of Object.entries(files)) {
    await writeFile(inFolder(join(name, file)), text);
  }
  return (...parameters) =>
    runCommand(['publish', 'locmetrics.yaml', ...parameters], { directory: inFolder(name) });
}

const published = (count: string): RegExp =>
  new RegExp(`^Published shop\\.visits: ${count} in \\d+\\.\\d s, version \\S+\\n  rows `);

test('a month is added from another directory, and replaced', async () => {
  const publish = await declare('months');
  expect((await publish()).data).toMatch(published('1 record'));
  const appended = await publish('--append', '--files', 'february');
  expect(appended.data).toMatch(published('3 records'));
  const replaced = await publish('--replace-period', '2024-01');
  expect(replaced.data).toMatch(published('3 records'));
  const refused = await publish('--append');
  expect(refused.code).toBe(1);
  expect(refused.messages).toContain(
    "visits.csv:2: shop, first: 'A, 2024-01-01' is already in version ",
  );
});

test('a dry run prints what it would do, and has the exit code of the publish', async () => {
  const publish = await declare('dry');
  const { code, data } = await publish('--dry-run');
  expect(code).toBe(0);
  expect(data).toMatch(/^Would publish shop\.visits: 1 record in \d+\.\d s\n {2}rows /);
  expect(await readdir(inFolder('dry'))).toEqual(['february', 'locmetrics.yaml', 'visits.csv']);
  await publish();
  const given = ['--append', '--files', 'february', '--dry-run', '--json'];
  expect(JSON.parse((await publish(...given)).data)).toMatchObject({
    dryRun: true,
    versions: [{ dataset: 'shop.visits', rowCount: 3 }],
  });
  expect((await publish('--append', '--dry-run')).code).toBe(1);
  expect((await publish('--append', '--files', 'february')).data).toMatch(published('3 records'));
});

test.each([
  ['--replace-period', '2024-13'],
  ['--replace-period', '2024-02/2024-01'],
])('%s %s is refused with the valid forms', async (flag, text) => {
  const publish = await declare('period');
  const { code, messages } = await publish(flag, text);
  expect(code).toBe(2);
  expect(messages).toContain(`--replace-period: '${text}' is not a period.`);
  expect(messages).toContain('2024-01-05');
});

test('a month is either added or replaced', async () => {
  const publish = await declare('both');
  const { code, messages } = await publish('--append', '--replace-period', '2024-01');
  expect(code).toBe(2);
  expect(messages).toContain('--append');
  expect(messages).toContain('--replace-period');
});
