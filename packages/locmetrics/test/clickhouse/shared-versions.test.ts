import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { addressOf, createDatabase } from './create-database.ts';
import { writeManifest } from './large-manifest.ts';
import { startChdbServer } from './start-chdb-server.ts';

const server = await startChdbServer();
let postgres: RunningPostgres | undefined;
const inFolder = useTemporaryFolder();
beforeAll(async () => {
  if (hasPostgres()) postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.end();
  await server.stop();
});

let clusters = 0;

/** Two machines: data directories of their own, one PostgreSQL and one ClickHouse. */
async function openNodes() {
  if (postgres === undefined) throw new Error('There is no PostgreSQL.');
  const control = await postgres.createDatabase();
  const database = await createDatabase(server.url);
  const environment = {
    LOCMETRICS_CONTROL: control,
    LOCMETRICS_CLICKHOUSE: addressOf(server.url, database),
  };
  clusters += 1;
  const cluster = clusters;
  const openNode = (name: string) => {
    const root = inFolder(`${name}-${cluster}`);
    const attempt = (...parameters: readonly string[]) =>
      runCommand([...parameters, '--data', root], { environment });
    const run = async (...parameters: readonly string[]) => {
      const done = await attempt(...parameters);
      if (done.code === 0) return done;
      throw new Error(`${parameters.join(' ')}: ${done.messages}`);
    };
    return {
      root,
      environment,
      attempt,
      serve: () => startService(root, [], { environment }),
      run,
      listCurrent: async () => {
        const { versions } = JSON.parse((await run('versions', '--json')).data);
        return versions.find(({ state }: { state: string }) => state === 'current')?.version;
      },
    };
  };
  const [here, there] = [openNode('here'), openNode('there')];
  return { here, there, environment, openNode, close: database.driver.close };
}

test.skipIf(!hasPostgres())(
  'nodes without column files of each other publish, extend, roll back, compare and serve (PostgreSQL is not installed where it is skipped)',
  { timeout: 600_000 },
  async () => {
    const { here, there, openNode, close } = await openNodes();
    const folder = inFolder('manifest');
    const manifest = await writeManifest(folder, 3);
    await here.run('publish', manifest, '--without-row-files');
    const first = await here.listCurrent();
    expect(await there.listCurrent()).toBe(first);
    expect((await readdir(join(there.root, 'versions/shop.stores', first))).sort()).toEqual([
      'report.json',
      'version.json',
    ]);

    await here.run('org', 'create', 'Shop', '--id', 'shop');
    await here.run('grant', 'add', 'shop', '*');
    const token = (
      await here.run('token', 'create', '--org', 'shop', '--name', 'test')
    ).data.trim();
    const serving = await Promise.all([here.serve(), there.serve()]);
    const urls = serving.map(({ url }) => url);
    const countAt = async (url: string | undefined): Promise<unknown> => {
      const response = await fetch(`${url}/v3/catalog/listRecords`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"dataReferenceName":"shop.stores"}',
      });
      const text = await response.text();
      return Number(/"totalSize":"?(\d+)/.exec(text)?.[1] ?? text);
    };
    const expectBoth = async (count: number) => {
      for (const url of urls) await expect.poll(() => countAt(url)).toBe(count);
    };
    await expectBoth(3);
    const listed = async (): Promise<unknown> =>
      JSON.parse((await here.run('nodes', '--json')).data).nodes;
    const live = { state: 'live', lastSwitch: 1 };
    await expect
      .poll(listed)
      .toEqual(
        expect.arrayContaining(
          urls.map((url) => expect.objectContaining({ ...live, addresses: [url] })),
        ),
      );

    // The other machine has no column file of the version that it extends.
    await writeFile(join(folder, 'stores.csv'), 'id,city,visits\nT1,z,1\n');
    await there.run('publish', manifest, '--append', '--without-row-files');
    await expectBoth(4);
    const second = await there.listCurrent();
    expect(await here.listCurrent()).toBe(second);
    // Of the two versions each machine has one column file, and a third one none.
    for (const node of [here, there, openNode('third')]) {
      const compared = JSON.parse((await node.run('diff', 'shop.stores', '--json')).data);
      expect(compared).toMatchObject({ before: first, rows: { added: 1, changed: 0, same: 3 } });
      // A serving node may be making a row file, which is in a folder there for a moment.
      await expect.poll(() => readdir(join(node.root, 'tmp'))).toEqual([]);
    }

    await here.run('rollback', 'shop.stores');
    await expectBoth(3);
    await there.run('rollback', 'shop.stores', second);
    await expectBoth(4);
    await here.run('versions', 'withdraw', first);
    const { versions } = JSON.parse((await there.run('versions', '--json')).data);
    expect(versions).toEqual([
      expect.objectContaining({ version: second, state: 'current' }),
      expect.objectContaining({ version: first, state: 'withdrawn' }),
    ]);
    const { held } = JSON.parse((await there.run('gc', '--json')).data);
    expect(held).toEqual([{ path: `versions/shop.stores/${first}` }]);
    await here.run('verify');
    const audit = JSON.parse((await there.run('audit', '--json')).data);
    const text = JSON.stringify(audit);
    for (const action of ['version.publish', 'version.rollback', 'version.withdraw']) {
      expect(text).toContain(action);
    }

    // A mirror that is lost is made again by the next command.
    for (const one of serving) one.kill('SIGTERM');
    await Promise.all(serving.map(({ ended }) => ended));
    expect(await listed()).toEqual([]);
    await rm(there.root, { recursive: true });
    expect(await there.listCurrent()).toBe(second);
    await there.run('dataset', 'remove', 'shop.stores', '--yes');
    expect(JSON.parse((await here.run('versions', '--json')).data).versions).toEqual([]);
    await close();
  },
);

test.skipIf(!hasPostgres())(
  'a damaged mirror is repaired, and stays what all nodes share (PostgreSQL is not installed where it is skipped)',
  { timeout: 600_000 },
  async () => {
    const { here, close } = await openNodes();
    await here.run('publish', await writeManifest(inFolder('manifest'), 3));
    const version = await here.listCurrent();
    const folder = join(here.root, 'versions/shop.stores', version);
    const description = await readFile(join(folder, 'version.json'), 'utf8');
    const verify = async (...flags: readonly string[]) => {
      const done = await here.attempt('verify', '--json', ...flags);
      return { code: done.code, messages: done.messages, found: JSON.parse(done.data).versions[0] };
    };
    expect(await verify('--repair')).toMatchObject({
      code: 0,
      found: { isWhole: true, rowFile: 'usable', table: 'same content', removedFiles: [] },
    });

    // A row file that is made again can have other bytes, with which version.json would differ from that of other nodes.
    await damage(join(folder, 'rows.sqlite'));
    await writeFile(join(folder, 'report.json'), 'damaged');
    const slow = await verify();
    expect(slow).toMatchObject({ code: 1, found: { isWhole: true, rowFile: 'unusable' } });
    expect(slow.messages).toContain('locmetrics verify --repair');
    expect(await verify('--repair')).toMatchObject({
      code: 0,
      found: { isWhole: true, rowFile: 'not here', removedFiles: ['rows.sqlite'] },
    });
    await damage(join(folder, 'records.duckdb'));
    const damaged = await verify();
    expect(damaged).toMatchObject({ code: 1, found: { isWhole: false } });
    expect(damaged.messages).toContain('locmetrics verify --repair');
    expect(await verify('--repair')).toMatchObject({
      code: 0,
      found: { isWhole: true, table: 'same number of rows', removedFiles: ['records.duckdb'] },
    });
    expect((await readdir(folder)).sort()).toEqual(['report.json', 'version.json']);
    expect(await readFile(join(folder, 'version.json'), 'utf8')).toBe(description);
    expect((await verify()).code).toBe(0);

    // Without the settings of the nodes nothing is made again that could differ from them.
    const database = here.environment.LOCMETRICS_CLICKHOUSE;
    for (const parameters of [
      ['verify', '--repair'],
      ['clickhouse', 'fetch', '--clickhouse', database],
    ]) {
      const refused = await runCommand([...parameters, '--data', here.root]);
      expect(refused.code).toBe(1);
      expect(refused.messages).toContain('is a mirror of a PostgreSQL that several nodes share');
    }
    expect((await readdir(folder)).sort()).toEqual(['report.json', 'version.json']);
    await close();
  },
);

const SAMPLE = fileURLToPath(new URL('../../sample/locmetrics.yaml', import.meta.url));

test.skipIf(!hasPostgres())(
  'versions of a data directory become those of all nodes, and a node with an empty directory answers the same (PostgreSQL is not installed where it is skipped)',
  { timeout: 600_000 },
  async () => {
    const { here, there, environment, openNode, close } = await openNodes();
    const alone = async (...parameters: readonly string[]) => {
      const done = await runCommand([...parameters, '--data', here.root]);
      expect([done.code, done.code === 0 ? '' : done.messages]).toEqual([0, '']);
      return done.data;
    };
    const { LOCMETRICS_CONTROL: control, LOCMETRICS_CLICKHOUSE: clickhouse } = environment;
    await alone('publish', SAMPLE);
    await alone('publish', SAMPLE, 'mobility.states');
    await alone('org', 'create', 'Shop', '--id', 'shop');
    await alone('grant', 'add', 'shop', '*');
    const token = (await alone('token', 'create', '--org', 'shop', '--name', 'test')).trim();
    const answersOf = async (running: Service): Promise<readonly unknown[]> => {
      const answers = await askSample(running.url, token);
      running.kill('SIGTERM');
      await running.ended;
      return answers;
    };
    const published = await answersOf(await startService(here.root));
    expect(published.length).toBeGreaterThan(2);
    const listed = await alone('versions', '--json');

    // The tables can be loaded while the versions are still its own.
    await alone('clickhouse', 'load', '--clickhouse', clickhouse);
    await alone('control', 'copy', '--to', control);
    await mkdir(inFolder('old'));
    for (const name of (await readdir(here.root)).filter((one) => one.startsWith('control.'))) {
      await rename(join(here.root, name), join(inFolder('old'), name));
    }
    const named = await here.attempt('clickhouse', 'load', 'my_places.cafes');
    expect(named.messages).toContain('Leave out the name of the dataset.');
    const shared = await here.run('clickhouse', 'load', '--json');
    expect(JSON.parse(shared.data)).toEqual({ versions: [], isShared: true });
    const again = await here.attempt('clickhouse', 'load');
    expect(again.messages).toContain('You need not move anything');

    const versionsOf = (text: string): unknown =>
      JSON.parse(text).versions.map(({ bytes: _, ...one }: { bytes: unknown }) => one);
    for (const node of [here, there]) {
      const { data } = await node.run('versions', '--json');
      expect(versionsOf(data)).toEqual(versionsOf(listed));
      expect(JSON.parse(data).history).toEqual(JSON.parse(listed).history);
      expect(await answersOf(await node.serve())).toEqual(published);
    }
    await here.run('verify', 'mobility.states');
    // The files stay where they are, so a publish there still extends them; and what it publishes is shared.
    expect(await readdir(join(here.root, 'versions'), { recursive: true })).toContainEqual(
      expect.stringMatching(/records\.duckdb$/),
    );
    await there.run('publish', SAMPLE, 'mobility.states');
    const history = async (node: typeof here): Promise<unknown> =>
      JSON.parse((await node.run('versions', '--json')).data).history;
    expect(await history(here)).toEqual(await history(there));

    // Versions of a second directory cannot be added.
    const other = openNode('other');
    const made = await runCommand(['publish', SAMPLE, 'mobility.states', '--data', other.root]);
    expect(made.code).toBe(0);
    const refused = await other.attempt('clickhouse', 'load');
    expect(refused.messages).toContain('already has versions that nodes share');
    const mixed = await other.attempt('versions');
    expect(mixed.messages).toContain('has its own versions');
    await close();
  },
);

/** The answers to requests for all data, without page tokens, which differ each time. */
async function askSample(url: string, token: string): Promise<readonly unknown[]> {
  const ask = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { nextPageToken: _, ...answer } = Object(await response.json());
    return { status: response.status, answer };
  };
  const references = await ask('/v3/catalog/listDataReferences', { billingContext: 'shop' });
  expect(references.status).toBe(200);
  const names = JSON.stringify(references.answer).matchAll(/"([a-z_]+\.[a-z_]+)"/g);
  const answers: unknown[] = [references];
  for (const dataReferenceName of new Set([...names].map(([, name]) => name))) {
    const answer = await ask('/v3/catalog/listRecords', { dataReferenceName, pageSize: 100 });
    expect(answer.status).toBe(200);
    answers.push(answer);
  }
  return answers;
}

/** Changes one byte in the middle of a file. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  const position = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  await writeFile(path, bytes);
}
