import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { beforeEach, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { publishStores } from './publish-stores.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const NAME = 'shop.stores';

let january: string;
let february: string;

const verify = (...parameters: readonly string[]): Promise<CommandResult> =>
  runCommand(['verify', ...parameters, '--data', inFolder('data')]);

const folderOf = (version: string): string =>
  dataDirectory(inFolder('data')).version(NAME, version);

beforeEach(async () => {
  await rm(inFolder('data'), { recursive: true, force: true });
  const publishAt = (time: string): Promise<readonly string[]> =>
    publishStores(inFolder('.'), { files: { 'stores.csv': 'id,city,visits\n1,A,5\n' }, time });
  [january = ''] = await publishAt('2026-01-31T10:00:00.000Z');
  [february = ''] = await publishAt('2026-02-28T10:00:00.000Z');
});

/** Changes one byte in the middle of a file. */
async function damage(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  const position = Math.floor((await handle.stat()).size / 2);
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, position);
  await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, position);
  await handle.close();
}

test('intact versions are reported as such, with the progress of reading', async () => {
  const { code, data, messages } = await verify();
  expect(code).toBe(0);
  expect(data.replaceAll(/[\d.]+ [KM]iB/g, 'SIZE').split('\n')).toEqual([
    expect.stringMatching(/^DATASET +VERSION +SIZE +FOUND$/),
    expect.stringMatching(`^shop\\.stores  ${february}  SIZE +intact$`),
    expect.stringMatching(`^shop\\.stores  ${january}  SIZE +intact$`),
    '',
  ]);
  expect(messages).toBe(`shop.stores: verifying ${february}\nshop.stores: verifying ${january}\n`);
});

test('a damaged version is reported with the problem and a hint, and the exit code is 1', async () => {
  await damage(join(folderOf(january), 'records.duckdb'));
  const { code, data, messages } = await verify(NAME);
  expect(code).toBe(1);
  expect(data).toMatch(
    new RegExp(
      `${february} .* intact\\n.*${january} .* damaged: records\\.duckdb does not have the content with which it was published\\.\\n$`,
    ),
  );
  expect(messages).toContain(
    '1 of 2 versions is damaged.\nRestore the folder of a damaged version from a backup. Or switch to an undamaged version with locmetrics rollback, ',
  );
});

test('--json lists each version, and the number of damaged ones', async () => {
  await damage(join(folderOf(february), 'version.json'));
  await rm(join(folderOf(january), 'report.json'));
  const { code, data } = await verify('--json');
  expect(code).toBe(1);
  expect(JSON.parse(data)).toEqual({
    versions: [
      {
        dataset: NAME,
        version: february,
        bytes: 0,
        isWhole: false,
        problem: expect.stringContaining('version.json is damaged: '),
        rowFile: null,
        rowFileProblem: null,
      },
      {
        dataset: NAME,
        version: january,
        bytes: expect.any(Number),
        isWhole: false,
        problem: 'report.json is missing.',
        rowFile: null,
        rowFileProblem: null,
      },
    ],
    damaged: 2,
    damagedRights: [],
  });
});

test('an unknown dataset is refused with the nearest name', async () => {
  expect(await verify('shop.store')).toEqual({
    code: 2,
    data: '',
    messages: "No dataset 'shop.store' is published.\nDid you mean 'shop.stores'?\n",
  });
});
