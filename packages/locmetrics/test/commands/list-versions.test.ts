import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { switchTo, withdraw } from '@locmetrics/data-directory/versions/switch-versions';
import { beforeAll, expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { changeCurrent } from '../versions/change-current.ts';
import { publishStores, STORES_MANIFEST } from './publish-stores.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const MANIFEST = `${STORES_MANIFEST}  shop.codes:
    files: codes.csv
    key: [code]
    fields:
      code: { type: string }
`;
const FILES = { 'stores.csv': 'id,city,visits\n1,A,5\n2,B,6\n', 'codes.csv': 'code\nX\n' };

let january: readonly string[];
let february: readonly string[];

const list = (...parameters: readonly string[]): Promise<CommandResult> =>
  runCommand(['versions', ...parameters, '--data', inFolder('data')]);

beforeAll(async () => {
  const publishAt = (time: string): Promise<readonly string[]> =>
    publishStores(inFolder('.'), { manifest: MANIFEST, files: FILES, time });
  january = await publishAt('2026-01-31T10:00:00.000Z');
  february = await publishAt('2026-02-28T10:00:00.000Z');
});

test('the versions are listed with their state, rows and size, followed by the history', async () => {
  const { code, data, messages } = await list();
  expect([code, messages]).toEqual([0, '']);
  expect(data.replaceAll(/[\d.]+ KiB/g, 'N KiB').split('\n')).toEqual([
    expect.stringMatching(/^DATASET +VERSION +STATE +PUBLISHED +ROWS +SIZE$/),
    `shop.codes   ${february[1]}  current  2026-02-28T10:00:00.000Z  1     N KiB`,
    `shop.codes   ${january[1]}  kept     2026-01-31T10:00:00.000Z  1     N KiB`,
    `shop.stores  ${february[0]}  current  2026-02-28T10:00:00.000Z  2     N KiB`,
    `shop.stores  ${january[0]}  kept     2026-01-31T10:00:00.000Z  2     N KiB`,
    '',
    expect.stringMatching(/^CURRENT SINCE +UNTIL +DATASET +VERSION +BY$/),
    `2026-02-28T10:00:00.000Z  now                       shop.codes   ${february[1]}  publish`,
    `2026-02-28T10:00:00.000Z  now                       shop.stores  ${february[0]}  publish`,
    `2026-01-31T10:00:00.000Z  2026-02-28T10:00:00.000Z  shop.codes   ${january[1]}  publish`,
    `2026-01-31T10:00:00.000Z  2026-02-28T10:00:00.000Z  shop.stores  ${january[0]}  publish`,
    '',
  ]);
});

test('a list can be of one dataset; an unknown one is refused with the nearest name', async () => {
  const { data } = await list('shop.codes', '--json');
  const { versions, history } = JSON.parse(data);
  expect([versions.length, history.length, data.includes('shop.stores')]).toEqual([2, 2, false]);
  expect(versions[1]).toEqual({
    dataset: 'shop.codes',
    version: january[1],
    state: 'kept',
    publishedTime: '2026-01-31T10:00:00.000Z',
    rowCount: 1,
    bytes: expect.any(Number),
    withdrawnTime: null,
    notices: [],
  });
  expect(await list('shop.code')).toEqual({
    code: 2,
    data: '',
    messages: "No dataset 'shop.code' is published.\nDid you mean 'shop.codes'?\n",
  });
});

test('the notices of a publish are listed with its version; earlier releases kept none', async () => {
  const folder = inFolder('noticed');
  const files = { ...FILES, 'stores.csv': 'id,city,visits,x\n1,A,5,6\n' };
  const publishAt = (time: string) => publishStores(folder, { manifest: MANIFEST, files, time });
  const [old = ''] = await publishAt('2026-01-31T10:00:00.000Z');
  const [current = ''] = await publishAt('2026-02-28T10:00:00.000Z');
  const listNoticed = (...parameters: readonly string[]): Promise<CommandResult> =>
    runCommand(['versions', ...parameters, '--data', join(folder, 'data')]);
  const notice = 'These columns of the files are not used by any field: x.';
  expect((await listNoticed()).data.split('\n\n')[2]).toMatch(
    new RegExp(`^DATASET +VERSION +NOTICE\nshop.stores  ${current}  ${notice}\n$`),
  );
  expect((await listNoticed('shop.stores')).data).toContain(`shop.stores  ${old}  ${notice}`);
  const path = join(dataDirectory(join(folder, 'data')).version('shop.stores', old), 'report.json');
  const { notices, ...older } = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(older));
  const { versions } = JSON.parse((await listNoticed('shop.stores', '--json')).data);
  expect([notices, versions[0].notices, versions[1].notices]).toEqual([[notice], [notice], null]);
  await writeFile(path, '{"notices"');
  expect((await listNoticed()).messages).toBe(
    `${path} is damaged or missing.\nSee: locmetrics verify\n`,
  );
});

test('a withdrawn version stays in the list, and a damaged one is marked', async () => {
  const directory = dataDirectory(inFolder('data'));
  const [, codes = ''] = january;
  await changeCurrent(directory, (current) =>
    withdraw(
      current,
      { datasetName: 'shop.codes', version: codes },
      { replacement: undefined, now: Date.parse('2026-03-01T00:00:00.000Z') },
    ),
  );
  await rm(directory.version('shop.stores', january[0] ?? ''), { recursive: true });
  const { code, data, messages } = await list();
  expect(code).toBe(0);
  expect(data).toContain(`${codes}  withdrawn  2026-01-31T10:00:00.000Z  -`);
  expect(data).toContain(`${january[0]}  kept       2026-01-31T10:00:00.000Z  -`);
  expect(messages).toBe(
    `${directory.version('shop.stores', january[0] ?? '')} is missing.\nSee: locmetrics verify\n`,
  );
  const { versions } = JSON.parse((await list('shop.codes', '--json')).data);
  expect(versions[1]).toMatchObject({
    version: codes,
    state: 'withdrawn',
    rowCount: null,
    withdrawnTime: '2026-03-01T00:00:00.000Z',
  });
});

test('of a long history the last part is shown; the JSON has all of it', async () => {
  const directory = dataDirectory(inFolder('data'));
  for (let count = 0; count < 20; count += 1) {
    await changeCurrent(directory, (current) =>
      switchTo(current, new Map([['shop.codes', february[1] ?? '']]), {
        by: 'rollback',
        now: Date.parse('2026-03-02T00:00:00.000Z') + count,
      }),
    );
  }
  const { data, messages } = await list('shop.codes');
  expect(data.split('\n\n')[1]?.trimEnd().split('\n')).toHaveLength(21);
  expect(messages).toBe('2 earlier switches: use --json to see them.\n');
  expect(JSON.parse((await list('shop.codes', '--json')).data).history).toHaveLength(22);
});

test('if nothing is published, the list says what to do', async () => {
  const made = await runCommand(['org', 'create', 'A', '--data', inFolder('empty')]);
  expect(made.code).toBe(0);
  const listEmpty = (...parameters: readonly string[]): Promise<CommandResult> =>
    runCommand(['versions', ...parameters, '--data', inFolder('empty')]);
  const hint =
    'Nothing is published in this data directory yet. Publish a manifest: locmetrics publish MANIFEST\n';
  expect(await listEmpty()).toEqual({ code: 0, data: '', messages: hint });
  expect(await listEmpty('shop.codes')).toEqual({
    code: 2,
    data: '',
    messages: `No dataset 'shop.codes' is published.\n${hint}`,
  });
  expect((await listEmpty('--json')).data).toBe(
    '{"versions":[],"history":[],"metricVersions":[]}\n',
  );
});
