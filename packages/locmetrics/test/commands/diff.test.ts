import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Stop } from '@locmetrics/core/runtime/stop';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { withdraw } from '@locmetrics/data-directory/versions/switch-versions';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import { beforeAll, expect, test } from 'vitest';
import { versionOperations } from '../../src/serving/run-version-operations.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { changeCurrent } from '../versions/change-current.ts';
import { publishStores, STORES_MANIFEST } from './publish-stores.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const NAME = 'shop.stores';

let versions: readonly string[];

const diff = (...parameters: readonly string[]): Promise<CommandResult> =>
  runCommand(['diff', ...parameters, '--data', inFolder('data')]);

beforeAll(async () => {
  const publishAt = async (time: string, stores: string, manifest = STORES_MANIFEST) =>
    publishStores(inFolder('.'), { manifest, files: { 'stores.csv': stores }, time });
  const withNote = `${STORES_MANIFEST}      note: { type: string }\n`;
  versions = [
    ...(await publishAt('2026-01-01T00:00:00.000Z', 'id,city,visits\n1,A,5\n')),
    ...(await publishAt(
      '2026-02-01T00:00:00.000Z',
      'id,city,visits,note\n1,A,5,x\n2,Springfield,,x\n4,D,1,x\n',
      withNote,
    )),
    ...(await publishAt(
      '2026-03-01T00:00:00.000Z',
      'id,city,visits\n1,A,5\n2,Shelbyville,7\n3,C,1\n',
    )),
  ];
});

test('without named versions, the current version is compared with the previous one', async () => {
  const { code, data, messages } = await diff(NAME);
  expect([code, messages]).toEqual([0, 'shop.stores: comparing\n']);
  expect(
    data.replaceAll(versions[1] ?? '', 'FEBRUARY').replaceAll(versions[2] ?? '', 'MARCH'),
  ).toMatchInlineSnapshot(`
    "shop.stores FEBRUARY → MARCH

    Schema:
      breaking  The field 'note' is gone.

    Records: 1 added, 1 removed, 1 changed, 1 the same.
      city changed in 1
      visits changed in 1

    Examples:
      added    id '3'
      removed  id '4'
      changed  id '2': city 'Springfield' → 'Shelbyville', visits absent → '7'
    "
  `);
  expect(await readdir(inFolder('data/tmp'))).toEqual([]);
});

test('two versions are compared, whichever is older', async () => {
  const [january = '', , march = ''] = versions;
  const [forward, backward] = [
    JSON.parse((await diff(NAME, january, march, '--json')).data),
    JSON.parse((await diff(NAME, march, january, '--json')).data),
  ];
  expect([forward.before, forward.after, forward.isBreaking, forward.schema]).toEqual([
    january,
    march,
    false,
    [],
  ]);
  expect(forward.rows).toEqual({ added: 2, removed: 0, changed: 0, same: 1 });
  expect(backward.rows).toEqual({ added: 0, removed: 2, changed: 0, same: 1 });
  const given = JSON.parse((await diff(NAME, january, '--json')).data);
  expect(given).toEqual(forward);
});

test('equal versions have no differences', async () => {
  const { code, messages } = await diff(NAME, versions[2] ?? '');
  expect([code, messages]).toEqual([
    2,
    `Both versions are '${versions[2]}', the current version.\nName two different versions, or none to compare the current one with the previous one.\n`,
  ]);
});

test('an unknown version or dataset is refused with the nearest name', async () => {
  const [january = ''] = versions;
  expect(await diff('shop.store')).toMatchObject({
    code: 2,
    messages: "No dataset 'shop.store' is published.\nDid you mean 'shop.stores'?\n",
  });
  expect(await diff(NAME, january.slice(0, -1))).toMatchObject({
    code: 2,
    messages: `shop.stores has no version '${january.slice(0, -1)}'.\nDid you mean '${january}'? See: locmetrics versions shop.stores\n`,
  });
});

test('a service with a database does not call a version without its column file damaged', async () => {
  const [january = '', february = ''] = versions;
  const directory = dataDirectory(inFolder('data'));
  const path = join(directory.version(NAME, february), 'records.duckdb');
  await rename(path, inFolder('away.duckdb'));
  const compare = (database: VersionDatabase | undefined) =>
    versionOperations(directory, { listGrants: () => [] }, { threads: 1, database }).compare(
      NAME,
      { from: january, to: february },
      new Stop(),
    );
  await expect(compare(undefined)).rejects.toMatchObject({
    message: expect.stringContaining('is damaged: records.duckdb is missing.'),
  });
  await expect(compare(TABLES)).rejects.toMatchObject({
    message: expect.stringContaining('has no column file in this data directory'),
    hint: expect.stringContaining('locmetrics diff'),
  });
  expect(await readdir(directory.temporary)).toEqual([]);
  await rename(inFolder('away.duckdb'), path);
});

/** It has tables, which a comparison over HTTP does not read. */
const TABLES: VersionDatabase = {
  name: 'a database under test',
  list: async () => [],
  load: async () => {},
  complete: async () => {},
  remove: async () => {},
  close: async () => {},
};

test('a withdrawn or damaged version is refused, and the first version has no previous one', async () => {
  const [january = '', february = '', march = ''] = versions;
  const directory = dataDirectory(inFolder('data'));
  await changeCurrent(directory, (current) =>
    withdraw(
      current,
      { datasetName: NAME, version: january },
      { replacement: undefined, now: Date.parse('2026-03-02T00:00:00.000Z') },
    ),
  );
  expect((await diff(NAME, january)).messages).toBe(
    `The version ${january} of shop.stores was withdrawn at 2026-03-02T00:00:00.000Z.\nSee: locmetrics versions shop.stores\n`,
  );
  await rm(`${directory.version(NAME, february)}/records.duckdb`);
  expect(await diff(NAME)).toMatchObject({
    code: 1,
    messages: `shop.stores: comparing\nThe version ${february} of shop.stores is damaged: records.duckdb is missing.\nList the intact versions: locmetrics verify\n`,
  });
  await changeCurrent(directory, (current) =>
    withdraw(
      current,
      { datasetName: NAME, version: february },
      { replacement: undefined, now: Date.parse('2026-03-02T00:00:00.000Z') },
    ),
  );
  expect(await diff(NAME)).toMatchObject({
    code: 2,
    messages: `No version of shop.stores is kept that was published before '${march}'.\nName the version to compare it with. See: locmetrics versions shop.stores\n`,
  });
});
