import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passTime } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type DataDirectory, dataDirectory } from '../../src/catalog/data-directory.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { verifyVersion } from '../../src/catalog/verify-version.ts';
import { type CommandResult, runCommand, useCommands } from './run-command.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();
const start = useCommands();

/** Each takes a second of a core: `LOCMETRICS_TEST_PUBLISH_KILLS=100 npx vitest run …` for a hundred. */
const KILLS = Number(process.env['LOCMETRICS_TEST_PUBLISH_KILLS'] ?? 8);

const MANIFEST = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string }
  shop.visits:
    files: visits.csv
    key: [id]
    fields:
      id: { type: string }
      count: { type: integer }
layers:
  stores: { dataset: shop.stores, feature_id: id, name: name }
metrics:
  shop/visits:
    dataset: shop.visits
    layer: stores
    feature_id: id
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: count, field: count, kind: count }
`;

type Shop = {
  readonly directory: DataDirectory;
  readonly write: (generation: number, rows?: number) => Promise<void>;
  readonly publish: (...parameters: readonly string[]) => Promise<CommandResult>;
  readonly parameters: readonly string[];
};

/** A manifest of two datasets that belong together, whose rows tell their generation. */
async function openShop(name: string, root = inFolder(join(name, 'data'))): Promise<Shop> {
  const folder = inFolder(name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'locmetrics.yaml'), MANIFEST);
  const parameters = ['publish', join(folder, 'locmetrics.yaml'), '--data', root];
  return {
    directory: dataDirectory(root),
    parameters,
    publish: (...more) => runCommand([...parameters, ...more]),
    write: async (generation, rows = 3) => {
      const ids = Array.from({ length: rows }, (_, index) => `S${index}`);
      const stores = ids.map((id) => `${id},${generation} ${'x'.repeat(rows > 3 ? 500 : 1)}\n`);
      await writeFile(join(folder, 'stores.csv'), `id,name\n${stores.join('')}`);
      const visits = ids.map((id) => `${id},${generation}\n`);
      await writeFile(join(folder, 'visits.csv'), `id,count\n${visits.join('')}`);
    },
  };
}

const current = (directory: DataDirectory): Promise<string> => readFile(directory.current, 'utf8');

/** What is current is whole, and of one publish. */
async function expectWhole(directory: DataDirectory): Promise<void> {
  const { datasets } = openCatalog(directory).snapshot();
  const found = await Promise.all(
    [...datasets].map(([name, { version }]) =>
      verifyVersion(directory.version(name, version), { content: true }),
    ),
  );
  expect(found.map(({ problem }) => problem)).toEqual([undefined, undefined]);
  const { datasets: listed } = JSON.parse(await current(directory));
  const switches = ['shop.stores', 'shop.visits'].map((name) => listed[name].history.at(-1).switch);
  expect(new Set(switches).size).toBe(1);
}

/** Everything in the data directory that is there to stay. */
function listFiles(directory: DataDirectory): readonly string[] {
  return readdirSync(directory.root, { recursive: true })
    .map(String)
    .filter((path) => !path.startsWith('config'))
    .sort();
}

test('a publish that is killed at any instant changes nothing or everything, and leaves nothing that gc does not remove', {
  timeout: 60_000 + KILLS * 6000,
}, async () => {
  const { directory, write, publish, parameters } = await openShop('killed');
  await write(0);
  const began = performance.now();
  expect((await publish()).code).toBe(0);
  const wholeMs = performance.now() - began;
  const seed = Number(process.env['LOCMETRICS_TEST_SEED'] ?? Date.now() % 1_000_000);
  const random = randomNumbers(seed);
  let switched = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await write(kill + 1);
    const before = await current(directory);
    const publishing = start(parameters);
    // Half of the instants are in the last part, where files are moved and switched to.
    const share = random() < 0.5 ? random() : 0.7 + 0.4 * random();
    await passTime(wholeMs * share);
    publishing.kill('SIGKILL');
    await publishing.ended;
    if ((await current(directory)) !== before) switched += 1;
    await expectWhole(directory).catch((error: unknown) => {
      throw new Error(`After kill ${kill} at ${share} with the seed ${seed}.`, { cause: error });
    });
  }
  expect(switched).toBeLessThan(KILLS);
  const gc = ['gc', '--data', directory.root, '--versions-kept', '1', '--versions-kept-for', '0s'];
  expect((await runCommand(gc)).code).toBe(0);
  const { datasets } = JSON.parse(await current(directory));
  expect(listFiles(directory)).toEqual(
    [
      ...['current.json', 'publish.lock', 'reserve', 'switch.lock', 'tmp', 'versions'],
      ...Object.entries<{ version: string }>(datasets).flatMap(([name, { version }]) => [
        `versions/${name}`,
        `versions/${name}/${version}`,
        `versions/${name}/${version}/records.duckdb`,
        `versions/${name}/${version}/report.json`,
        `versions/${name}/${version}/version.json`,
      ]),
    ].sort(),
  );
  // The next one works.
  await write(KILLS + 1);
  expect((await publish()).code).toBe(0);
  await expectWhole(directory);
});

/** The same numbers for the same seed: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const mayMount = canMount();

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Only who may mount can have a disk of its own that is small.
test.runIf(mayMount)(
  'a full disk ends a publish with a message, and what is served stays as it was',
  async () => {
    const root = inFolder('disk');
    await mkdir(root, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', root]);
    try {
      const { directory, write, publish } = await openShop('full', join(root, 'data'));
      await write(1);
      expect((await publish()).code).toBe(0);
      await write(2);
      expect((await publish()).code).toBe(0);
      const before = await current(directory);
      const files = listFiles(directory);
      await write(2, 60_000);
      const { code, messages } = await publish();
      expect([code, messages.split('\n').slice(-3)]).toEqual([
        1,
        [
          'The disk is full. Nothing was published: what is served stays as it was.',
          'Make room: locmetrics gc removes what need not be kept any more. Or choose another directory: --data DIRECTORY.',
          '',
        ],
      ]);
      expect(await current(directory)).toBe(before);
      expect(listFiles(directory)).toEqual(files);
      // To the last byte, so that the lock and the switch have no room either.
      fillUp(join(root, 'filling'));
      await write(3);
      expect((await publish()).code).toBe(1);
      expect(await current(directory)).toBe(before);
      // Going back and making room work all the same.
      const data = ['--data', directory.root];
      const back = await runCommand(['rollback', 'shop.stores', '--together', ...data]);
      expect([back.code, back.messages]).toEqual([0, '']);
      await mkdir(join(directory.temporary, 'publish-killed'));
      const gc = ['gc', '--versions-kept', '1', '--versions-kept-for', '0s', ...data];
      const collected = await runCommand(gc);
      expect([collected.code, collected.data.split('\n').length]).toEqual([0, 4]);
      await expectWhole(directory);
      execFileSync('rm', [join(root, 'filling')]);
      expect((await publish()).code).toBe(0);
      await expectWhole(directory);
    } finally {
      execFileSync('umount', [root]);
    }
  },
);

function fillUp(path: string): void {
  for (const bytes of [2 ** 16, 2 ** 10, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

test('a current version that is damaged is told at the start, and the one before is served', async () => {
  const { directory, write, publish } = await openShop('damaged');
  await write(1);
  await publish();
  const before = JSON.parse(await current(directory)).datasets['shop.stores'].version;
  await write(2);
  await publish();
  const version = JSON.parse(await current(directory)).datasets['shop.stores'].version;
  const file = join(directory.version('shop.stores', version), 'records.duckdb');
  const bytes = readFileSync(file);
  // One bit, in the middle.
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  writeFileSync(file, bytes);
  const token = await createToken(directory);
  const serving = start([
    ...['serve', '--data', directory.root, '--http', '127.0.0.1:0', '--grpc', 'off'],
    ...['--workers', '1'],
  ]);
  await serving.untilItWrites('"server_listening"');
  const { messages } = serving.written();
  const told = messages.split('\n').filter((line) => line.includes('"version_damaged"'));
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { level: 50, dataset: 'shop.stores', version, served: before },
    // What was published with it goes back with it.
    { level: 50, dataset: 'shop.visits', problem: expect.stringContaining('together with') },
  ]);
  const url = /"url":"(http:[^"]+)"/.exec(messages)?.[1] ?? '';
  const answer = await fetch(`${url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: 'shop.stores' }),
  });
  const { version: served, records } = Object(await answer.json());
  expect([served, records[0].fields.name]).toEqual([before, '1 x']);
  // The next publish is served at once.
  await write(3);
  expect((await publish()).code).toBe(0);
  const next = await fetch(`${url}/v3/catalog/listRecords`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ dataReferenceName: 'shop.stores' }),
  });
  expect(Object(await next.json()).records[0].fields.name).toBe('3 x');
});

async function createToken({ root }: DataDirectory): Promise<string> {
  await runCommand(['org', 'create', 'A', '--id', 'a', '--data', root]);
  await runCommand(['grant', 'add', 'a', '*', '--data', root]);
  const made = await runCommand(['token', 'create', '--org', 'a', '--name', 'x', '--data', root]);
  return made.data.trim();
}

test.each(['version.json', 'records.duckdb'])(
  'a current version whose %s was cut short is not served, and one without another ends the start',
  async (name) => {
    const { directory, write, publish } = await openShop(`cut-${name}`);
    await write(1);
    await publish();
    const { version } = JSON.parse(await current(directory)).datasets['shop.stores'];
    await truncate(join(directory.version('shop.stores', version), name), 100);
    const serve = ['serve', '--data', directory.root, '--http', '127.0.0.1:0', '--grpc', 'off'];
    const { code, messages } = await runCommand(serve);
    expect([code, messages]).toEqual([
      1,
      expect.stringMatching(
        /^The current version of shop\.stores cannot be served, and no other is kept\. .*\nRestore its folder from a backup, or publish the dataset again\.\n$/m,
      ),
    ]);
    await write(2);
    expect((await publish()).code).toBe(0);
    await expectWhole(directory);
  },
);

test('a switch while files are published refuses what was not compared with it', async () => {
  const { directory, write, publish, parameters } = await openShop('meanwhile');
  for (const generation of [1, 2]) {
    await write(generation);
    await publish();
  }
  await write(3, 20_000);
  const publishing = start(parameters);
  await publishing.untilItWrites('shop.visits: reading');
  const rollback = ['rollback', 'shop.stores', '--together', '--data', directory.root];
  expect((await runCommand(rollback)).code).toBe(0);
  const before = await current(directory);
  const { code, messages } = await publishing.ended;
  expect([code, messages.split('\n').slice(-3)]).toEqual([
    1,
    [
      expect.stringMatching(/^While shop\.(stores|visits) was published, it was switched from /),
      'Nothing was published: what is served stays as it is now. Look at it, and publish again: locmetrics versions',
      '',
    ],
  ]);
  expect(await current(directory)).toBe(before);
});

test.each(['{"format":1}', '{"format":1,"version":{},"files":{}}', 'null'])(
  'a current version whose version.json is %s does not stand in the way of the next',
  async (text) => {
    const { directory, write, publish } = await openShop(`shape-${text.length}`);
    await write(1);
    await publish();
    const { version } = JSON.parse(await current(directory)).datasets['shop.stores'];
    await writeFile(join(directory.version('shop.stores', version), 'version.json'), text);
    expect((await runCommand(['versions', '--data', directory.root])).code).toBe(0);
    await write(2);
    expect((await publish()).code).toBe(0);
    await expectWhole(directory);
  },
);

test('of two publishes at once one is refused, and the other is whole', async () => {
  const { directory, write, publish } = await openShop('two');
  await write(1);
  await publish();
  await write(2, 20_000);
  const results = await Promise.all([publish(), publish(), publish()]);
  const codes = results.map(({ code }) => code).sort();
  expect(codes[0]).toBe(0);
  for (const { code, messages } of results) {
    if (code !== 0)
      expect(messages).toContain('Another publish is running in this data directory.');
  }
  await expectWhole(directory);
});
