import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandResult, linesOf, runCommand, startCommand } from '../commands/run-command.ts';
import { startService } from '../commands/start-service.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { addressOf, createDatabase } from './create-database.ts';
import { writeManifest } from './large-manifest.ts';
import { openRelay, type Relay } from './open-relay.ts';
import { startChdbServer } from './start-chdb-server.ts';

const server = await startChdbServer();
let relay: Relay;
let place: string;
const inFolder = useTemporaryFolder();
beforeAll(async () => {
  relay = await openRelay(server.url);
  place = relay.url.slice('http://'.length);
});
afterAll(() => server.stop());

/** A data directory with a database of its own, behind the relay. */
async function openShop(name: string) {
  const database = await createDatabase(server.url);
  const directory = dataDirectory(inFolder(`${name}/data`));
  const flags = ['--data', directory.root, '--clickhouse', addressOf(relay.url, database)];
  const manifest = join(inFolder(name), 'locmetrics.yaml');
  const run = (...parameters: readonly string[]) => runCommand([...parameters, ...flags]);
  return {
    ...database,
    database: database.name,
    directory,
    flags,
    run,
    publishing: ['publish', manifest, '--without-row-files', ...flags],
    /** Publishes so many rows with a mark, and returns the name of the version. */
    publish: async (mark: string, rows = 3, ...more: readonly string[]) => {
      await writeManifest(inFolder(name), rows, mark);
      await expectDone(run('publish', manifest, ...more));
      return currentOf(directory.current);
    },
    write: (mark: string, rows: number) => writeManifest(inFolder(name), rows, mark),
    /** The tables, and their numbers of rows. */
    list: async () =>
      (await database.tables.list()).map(({ version, isLoading, rows }) => [
        isLoading ? 'loading' : version,
        rows,
      ]),
    drop: (version: string) =>
      database.tables.remove({ dataset: { name: 'shop.stores' }, version }),
    [Symbol.asyncDispose]: database.driver.close,
  };
}

async function expectDone(result: Promise<CommandResult>): Promise<CommandResult> {
  const done = await result;
  expect([done.code, done.messages]).toEqual([0, expect.not.stringContaining('could not')]);
  return done;
}

async function currentOf(path: string): Promise<string> {
  return JSON.parse(await readFile(path, 'utf8')).datasets['shop.stores'].version;
}

const ROWS = 300_000;
const FIRST = 'rows 0 to 249999';
const SECOND = 'rows 250000 to 299999';

test('a publish switches only to a whole table, and goes on with a load that was broken off', {
  timeout: 600_000,
}, async () => {
  await using shop = await openShop('large');
  await shop.write('a', ROWS);

  // An insert that is lost without an error.
  void relay.failInsert(2, 'is lost');
  const lost = await runCommand(shop.publishing);
  expect([lost.code, lost.messages]).toEqual([
    1,
    expect.stringMatching(
      /The table of shop\.stores \S+ in ClickHouse at \S+ has 250000 rows instead of 300000\.\nThe table was removed\. Try again to load it from the start\./,
    ),
  ]);
  expect(await shop.list()).toEqual([]);

  // A publish that is killed between two inserts.
  const hung = relay.failInsert(2, 'hangs');
  const killed = startCommand(shop.publishing);
  await Promise.race([hung, killed.ended]);
  expect(killed.written().messages).toContain('shop.stores: loading\n');
  killed.kill('SIGKILL');
  await killed.ended;
  expect(await shop.list()).toEqual([['loading', 250_000]]);

  // A connection that breaks.
  const before = relay.inserted().length;
  void relay.failInsert(1, 'breaks');
  const broken = await runCommand(shop.publishing);
  expect([broken.code, broken.messages]).toEqual([
    1,
    expect.stringContaining(`ClickHouse at ${place}/${shop.name} does not answer. `),
  ]);
  expect(broken.messages).toContain('the load resumes where it stopped');
  await expect(currentOf(shop.directory.current)).rejects.toThrow();

  await expectDone(runCommand(shop.publishing));
  expect(relay.inserted().slice(0, before)).toEqual([FIRST, SECOND, FIRST, SECOND]);
  expect(relay.inserted().slice(before)).toEqual([SECOND, SECOND]);
  expect(await shop.list()).toEqual([[await currentOf(shop.directory.current), ROWS]]);
  const verified = await shop.run('verify', '--json');
  expect(JSON.parse(verified.data).versions).toMatchObject([
    { isWhole: true, table: 'same content' },
  ]);

  // One value of all.
  const [table] = await shop.tables.list();
  const quoted = `${shop.name}."shop.stores/${table?.version}"`;
  await shop.driver.command(
    `ALTER TABLE ${quoted} UPDATE visits = 0 WHERE _row = 123456 SETTINGS mutations_sync = 2`,
  );
  const changed = await shop.run('verify');
  expect([changed.code, changed.data]).toEqual([
    1,
    expect.stringContaining(
      'has other values than the column file in the rows 0 to 249999. Drop the table',
    ),
  ]);
});

test('versions that are removed lose their tables, once no worker reads them', async () => {
  await using shop = await openShop('removed');
  const first = await shop.publish('a');
  const second = await shop.publish('b');
  // A table of somebody else, and one of a load that was broken off.
  await shop.driver.command(
    `CREATE TABLE ${shop.name}.notes (id Int64) ENGINE = MergeTree ORDER BY id`,
  );
  const other = '20200101T000000000Z-0123456789ab';
  for (const name of [other, 'feedfeedfeed.loading']) {
    await shop.driver.command(
      `CREATE TABLE ${shop.name}."shop.stores/${name}" AS ${shop.name}."shop.stores/${first}"`,
    );
  }
  const lease = openVersionLease({ directory: shop.directory, holdMs: 60_000 });
  lease.use({ datasetName: 'shop.stores', version: first });
  const kept = ['--versions-kept', '1', '--versions-kept-for', '0s'];
  const held = await shop.run('gc', ...kept);
  expect(held.data).toContain(
    `Kept ClickHouse at ${place}/${shop.name}: shop.stores/${first}: a worker`,
  );
  expect(held.data).toContain(': shop.stores/feedfeedfeed.loading (');
  lease.close();
  const removed = await shop.run('gc');
  expect(removed.data).toContain(
    `Removed ClickHouse at ${place}/${shop.name}: shop.stores/${first} (`,
  );
  expect(await shop.list()).toEqual([
    [other, 0],
    [second, 3],
  ]);

  const third = await shop.publish('c');
  await expectDone(shop.run('versions', 'withdraw', third));
  expect(await currentOf(shop.directory.current)).toBe(second);
  expect(await shop.list()).toEqual([
    [other, 0],
    [second, 3],
  ]);
  await expectDone(shop.run('dataset', 'remove', 'shop.stores', '--yes'));
  expect(await shop.list()).toEqual([[other, 0]]);
});

test('a database that does not answer keeps garbage, which is removed later', async () => {
  await using shop = await openShop('later');
  const first = await shop.publish('a');
  const second = await shop.publish('b');
  relay.cut(true);
  const kept = ['--versions-kept', '1', '--versions-kept-for', '0s'];
  const failed = await shop.run('gc', ...kept);
  relay.cut(false);
  expect([failed.code, failed.messages]).toEqual([1, expect.stringContaining('does not answer')]);
  expect(await shop.list()).toEqual([
    [first, 3],
    [second, 3],
  ]);
  await expectDone(shop.run('gc'));
  expect(await shop.list()).toEqual([[second, 3]]);
});

test('a rollback needs the table, and the command that it names loads it', async () => {
  await using shop = await openShop('back');
  const first = await shop.publish('a');
  const second = await shop.publish('b');
  await shop.drop(first);
  expect(await shop.run('rollback', 'shop.stores')).toMatchObject({
    code: 1,
    messages: `The version ${first} of shop.stores cannot be served. It has no table in ClickHouse at ${place}/${shop.name}. Load it: locmetrics clickhouse load shop.stores\nNothing was switched. Load the table with this command, then switch again.\n`,
  });
  const loaded = await shop.run('clickhouse', 'load', 'shop.stores', '--json');
  expect(JSON.parse(loaded.data)).toEqual({
    versions: [{ dataset: 'shop.stores', version: first, rows: 3 }],
  });
  expect((await shop.run('clickhouse', 'load')).messages).toContain(
    `All kept versions have their tables in ClickHouse at ${place}/${shop.name}.`,
  );
  await expectDone(shop.run('rollback', 'shop.stores'));
  expect(await currentOf(shop.directory.current)).toBe(first);
  expect(await shop.list()).toContainEqual([second, 3]);
});

test('a service needs the tables of what it serves, at its start and while it runs', {
  timeout: 600_000,
}, async () => {
  await using shop = await openShop('served');
  const serve = () =>
    startService(shop.directory.root, [...shop.flags.slice(2), '--query-timeout', '5s']);
  const serving = ['serve', ...shop.flags, '--grpc', 'off', '--workers', '1'];
  const first = await shop.publish('a');
  await shop.drop(first);
  expect(await runCommand([...serving, '--http', '127.0.0.1:0'])).toMatchObject({
    code: 1,
    messages: expect.stringContaining(
      `The current version of shop.stores cannot be served, and no other is kept. It has no table in ClickHouse at ${place}/${shop.name}. Load it: locmetrics clickhouse load shop.stores\n`,
    ),
  });
  await expectDone(shop.run('clickhouse', 'load'));
  const second = await shop.publish('b', 3, '--without-row-files');
  await shop.drop(second);

  const token = await createToken(shop.directory.root);
  const damaged = await serve();
  expect(linesOf(damaged)).toContainEqual(
    expect.objectContaining({ kind: 'version_damaged', version: second, served: first }),
  );
  damaged.kill('SIGTERM');
  await damaged.ended;

  await expectDone(shop.run('clickhouse', 'load'));
  for (const version of [first, second]) {
    await rm(join(shop.directory.version('shop.stores', version), 'rows.sqlite'), { force: true });
  }
  const { url } = await serve();
  const list = async () => {
    const response = await fetch(`${url}/v3/catalog/listRecords`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"dataReferenceName":"shop.stores"}',
    });
    return [response.status, await response.text()];
  };
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    return [response.status, await response.text()];
  };
  expect(await ready()).toEqual([200, expect.anything()]);
  expect(await list()).toEqual([200, expect.stringContaining('"b1"')]);

  await shop.drop(second);
  await expect
    .poll(ready)
    .toEqual([503, expect.stringContaining('Load it: locmetrics clickhouse load')]);
  await expectDone(shop.run('clickhouse', 'load'));
  await expect.poll(ready).toEqual([200, expect.anything()]);

  relay.cut(true);
  await expect.poll(ready).toEqual([503, expect.stringContaining('does not answer')]);
  expect(await list()).toEqual([503, expect.stringContaining('NOT_READY')]);
  const unreachable = await runCommand([
    ...[
      'serve',
      '--data',
      `${shop.directory.root}-other`,
      '--http',
      '127.0.0.1:0',
      '--grpc',
      'off',
    ],
    ...shop.flags.slice(2),
  ]);
  relay.cut(false);
  expect([unreachable.code, unreachable.messages]).toEqual([
    1,
    expect.stringContaining(`ClickHouse at ${place}/${shop.name} does not answer.`),
  ]);
  await expect.poll(ready).toEqual([200, expect.anything()]);
  expect((await list())[0]).toBe(200);
});

test('an explanation names the database that answers', async () => {
  await using shop = await openShop('explained');
  await shop.publish('a', 3, '--without-row-files');
  const request = '{"dataReferenceName":"shop.stores"}';
  const explained = await shop.run('explain', 'listRecords', request);
  expect(explained.data).toContain(`The column store is ClickHouse at ${place}/${shop.name}.`);
});

test('a wrong setting is refused before anything is done, without its password', async () => {
  const data = ['--data', inFolder('wrong/data')];
  await writeFile(inFolder('wrong.yaml'), '');
  for (const [flags, message] of [
    [
      ['--clickhouse', 'http://me:hush@127.0.0.1:1'],
      "--clickhouse: '127.0.0.1:1' names no database.",
    ],
    [['--clickhouse-password', 'hush'], '--clickhouse-password is given, but --clickhouse is not.'],
    [
      ['--clickhouse', 'http://me:hush@127.0.0.1:1/db', '--clickhouse-password', 'hush'],
      'The password of ClickHouse is given twice',
    ],
  ] as const) {
    const refused = await runCommand(['publish', inFolder('wrong.yaml'), ...data, ...flags]);
    expect([refused.code, refused.messages]).toEqual([2, expect.stringContaining(message)]);
    expect(refused.messages).not.toContain('hush');
  }
  const printed = await runCommand([
    'config',
    'print',
    ...data,
    '--clickhouse',
    'http://me:hush@h:1/db',
  ]);
  expect(printed.data).toContain('http://me:(hidden)@h:1/db');
});

async function createToken(data: string): Promise<string> {
  const run = (...parameters: readonly string[]) => runCommand([...parameters, '--data', data]);
  await expectDone(run('org', 'create', 'Shop', '--id', 'shop'));
  await expectDone(run('grant', 'add', 'shop', '*'));
  const created = await expectDone(run('token', 'create', '--org', 'shop', '--name', 'test'));
  return created.data.trim();
}
