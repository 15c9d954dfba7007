import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const PLACES = `  town.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string }, label: { type: string } }
`;
const VISITS = `  town.visits:
    files: visits.csv
    key: [id]
    fields: { id: { type: string }, count: { type: integer } }
`;
const METRICS = `layers:
  places: { dataset: town.places, feature_id: id, name: label }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: id
    cadence: monthly
    period: { start: 2024-01-01, end: 2024-01-31 }
    measure: { name: count, field: count, kind: count }
`;
const PLAIN = `format: 1\ndatasets:\n${PLACES}${VISITS}`;

type Town = {
  readonly directory: DataDirectory;
  readonly publish: (
    manifest: string,
    label: string,
    ...more: readonly string[]
  ) => Promise<CommandResult>;
  readonly run: (...parameters: readonly string[]) => Promise<CommandResult>;
  /** The names of the current versions. */
  readonly current: () => Promise<Readonly<Record<string, string>>>;
};

async function openTown(name: string): Promise<Town> {
  const folder = inFolder(name);
  await mkdir(folder, { recursive: true });
  const directory = dataDirectory(join(folder, 'data'));
  const run: Town['run'] = (...parameters) => runCommand([...parameters, '--data', directory.root]);
  return {
    directory,
    run,
    publish: async (manifest, label, ...more) => {
      await writeFile(join(folder, 'locmetrics.yaml'), manifest);
      await writeFile(join(folder, 'places.csv'), `id,label\n1,${label}\n`);
      await writeFile(join(folder, 'visits.csv'), `id,count\n1,${label.length}\n`);
      const result = await run('publish', join(folder, 'locmetrics.yaml'), ...more);
      expect([result.code, result.messages]).toEqual([0, expect.not.stringContaining('Error')]);
      return result;
    },
    current: async () => {
      const { datasets } = JSON.parse(await readFile(directory.current, 'utf8'));
      return Object.fromEntries(
        Object.entries<{ version: string }>(datasets).map(([one, { version }]) => [one, version]),
      );
    },
  };
}

test('a rollback switches to the previous version, and a second one further back', async () => {
  const { publish, run, current } = await openTown('back');
  const versions: string[] = [];
  for (const label of ['a', 'bb', 'ccc']) {
    await publish(PLAIN, label);
    versions.push((await current())['town.places'] ?? '');
  }
  const [first, second, third] = versions;
  const once = await run('rollback', 'town.places');
  expect([once.code, once.data]).toEqual([0, `town.places is now ${second}. Before: ${third}.\n`]);
  const twice = await run('rollback', 'town.places', '--json');
  expect(JSON.parse(twice.data)).toEqual({
    switch: 5,
    time: expect.stringMatching(/Z$/),
    datasets: [{ dataset: 'town.places', before: second, version: first }],
    grantLosses: [],
  });
  expect(await run('rollback', 'town.places')).toMatchObject({
    code: 1,
    messages: `No version of town.places is kept that was current before ${first}.\nOther versions are kept: ${second}, ${third}. Switch to one by its name: locmetrics rollback town.places VERSION\n`,
  });
  const forth = await run('rollback', 'town.places', third ?? '');
  expect(forth.data).toBe(`town.places is now ${third}. Before: ${first}.\n`);
  expect((await current())['town.places']).toBe(third);
});

test('publishes, rollbacks, withdrawals and removals are in the audit log once there is one', async () => {
  const { publish, run, current } = await openTown('audited');
  await publish(PLAIN, 'a');
  const first = await current();
  await run('org', 'create', 'Acme', '--id', 'acme');
  await publish(PLAIN, 'bb', 'town.places');
  const second = await current();
  await run('rollback', 'town.places');
  await run('versions', 'withdraw', second['town.places'] ?? '');
  await run('dataset', 'remove', 'town.visits', '--yes');
  // A dry run and a refused rollback change nothing.
  await publish(PLAIN, 'ccc', '--dry-run');
  await run('rollback', 'town.places');
  const { entries } = JSON.parse((await run('audit', '--json')).data);
  const [places, visits] = ['town.places', 'town.visits'];
  expect(entries.slice(0, -1)).toMatchObject([
    { action: 'dataset.remove', subject: visits, details: { versions: [first[visits]] } },
    {
      action: 'version.withdraw',
      subject: places,
      details: { version: second[places], replacement: null },
    },
    {
      action: 'version.rollback',
      subject: places,
      details: { version: first[places], before: second[places] },
    },
    {
      action: 'version.publish',
      subject: places,
      organisationId: '',
      actor: { kind: 'command line', user: userInfo().username },
      details: { version: second[places], before: first[places] },
    },
  ]);
  expect((await run('audit')).data).toContain('version.rollback');
});

test('datasets of one publish are rolled back together, and alone if they fit', {
  tags: 'slow',
}, async () => {
  const { publish, run, current } = await openTown('together');
  await publish(PLAIN, 'a');
  const before = await current();
  await publish(`${PLAIN}${METRICS}`, 'bb');
  const after = await current();
  // The metric would have no layer.
  expect(await run('rollback', 'town.places')).toMatchObject({
    code: 1,
    messages: expect.stringMatching(
      /^The metric town\/visits could no longer be served\. .*\nSwitch back all datasets that were published together: locmetrics rollback DATASET --together\. Or publish a matching version\.\n$/,
    ),
  });
  expect(await current()).toEqual(after);
  expect((await run('rollback', 'town.places', '--together')).code).toBe(0);
  expect(await current()).toEqual(before);
});

test('the next rollback skips versions that were rolled back', async () => {
  const { publish, run, current } = await openTown('passed');
  const versions: string[] = [];
  const publishNext = async (label: string): Promise<void> => {
    await publish(PLAIN, label, 'town.places');
    versions.push((await current())['town.places'] ?? '');
  };
  for (const label of ['a', 'bb', 'wrong']) await publishNext(label);
  await run('rollback', 'town.places');
  await publishNext('wrong again');
  await run('rollback', 'town.places');
  expect((await current())['town.places']).toBe(versions[1]);
});

test('a joint rollback goes to versions that were served together, or is refused', {
  tags: 'slow',
}, async () => {
  const { publish, run, current } = await openTown('mix');
  await publish(PLAIN, 'a');
  const first = await current();
  await publish(PLAIN, 'bb');
  const { 'town.places': second = '' } = await current();
  await publish(PLAIN, 'ccc');
  const third = await current();
  await run('versions', 'withdraw', second);
  expect((await run('rollback', 'town.places', '--together')).code).toBe(0);
  expect(await current()).toEqual(first);
  await run('rollback', 'town.places', third['town.places'] ?? '');
  expect(await run('rollback', 'town.places', '--together')).toMatchObject({
    code: 1,
    messages: `No other dataset is at a version that was published together with ${third['town.places']} of town.places.\nLeave --together out; or switch each by the name of a version: locmetrics rollback DATASET VERSION\n`,
  });
});

test('a withdrawal names the versions that contain rows of the withdrawn one', async () => {
  const { publish, run, current } = await openTown('built');
  await publish(PLAIN, 'a');
  const { 'town.places': first = '' } = await current();
  await writeFile(inFolder('built/places.csv'), 'id,label\n2,b\n');
  const manifest = inFolder('built/locmetrics.yaml');
  expect((await run('publish', manifest, 'town.places', '--append')).code).toBe(0);
  const { 'town.places': second = '' } = await current();
  const { messages } = await run('versions', 'withdraw', first);
  expect(messages).toBe(
    `These versions contain its rows and are not withdrawn: ${second}. Publish the correct data, then withdraw them too.\n`,
  );
});

test('an impossible rollback is refused with the possible versions', async () => {
  const { publish, run, current } = await openTown('wrong');
  await publish(PLAIN, 'a');
  const { 'town.places': version = '', 'town.visits': other = '' } = await current();
  const messagesOf = async (...parameters: readonly string[]): Promise<string> => {
    const { code, messages } = await run('rollback', ...parameters);
    return `${code}: ${messages}`;
  };
  expect(await messagesOf('town.place')).toBe(
    "1: No dataset 'town.place' is published.\nDid you mean 'town.places'?\n",
  );
  expect(await messagesOf('town.places', version)).toBe(
    `1: ${version} is already the current version of town.places.\nList the kept versions: locmetrics versions town.places\n`,
  );
  expect(await messagesOf('town.places', other)).toMatch(
    new RegExp(`^1: ${other} is a version of town\\.visits, not of town\\.places\\.\n`),
  );
  expect(await messagesOf('town.places', version, '--together')).toBe(
    '2: A version belongs to one dataset, but --together switches several.\nOmit the version, or omit --together.\n',
  );
  expect(await messagesOf('town.places')).toMatch(
    /^1: No version of town\.places is kept that was current before/,
  );
});

test('a withdrawn version cannot be queried again, and its data are removed', async () => {
  const { directory, publish, run, current } = await openTown('withdraw');
  await publish(PLAIN, 'a');
  const { 'town.places': first = '' } = await current();
  await publish(PLAIN, 'bb', 'town.places');
  const { 'town.places': second = '' } = await current();
  const { code, data } = await run('versions', 'withdraw', second);
  expect([code, data]).toEqual([
    0,
    `The version ${second} of town.places is withdrawn.\ntown.places is now ${first}. Before: ${second}.\n`,
  ]);
  expect(existsSync(directory.version('town.places', second))).toBe(false);
  const again = await run('versions', 'withdraw', second);
  expect([again.code, again.messages]).toEqual([
    1,
    expect.stringMatching(`^The version ${second} of town.places was withdrawn at `),
  ]);
  expect((await run('rollback', 'town.places', second)).messages).toMatch(
    new RegExp(`^The version ${second} of town\\.places was withdrawn at `),
  );
  const only = await run('versions', 'withdraw', first);
  expect([only.code, only.messages]).toEqual([
    1,
    `No version of town.places is kept that was current before ${first}.\nPublish the correct data. The setting --versions-kept decides how many older versions are kept.\n`,
  ]);
  expect((await run('versions', 'withdraw', 'v1')).messages).toMatch(
    /^No dataset has a version 'v1'\./,
  );
});

test('a version in use is removed once it is no longer in use', async () => {
  const { directory, publish, run, current } = await openTown('held');
  await publish(PLAIN, 'a');
  await publish(PLAIN, 'bb', 'town.places');
  const { 'town.places': version = '' } = await current();
  const lease = openVersionLease({ directory, holdMs: 1000 });
  lease.use({ datasetName: 'town.places', version });
  const { data, messages } = await run('versions', 'withdraw', version, '--json');
  expect([JSON.parse(data), messages]).toMatchObject([
    { version, switch: 3, isRemoved: false },
    '',
  ]);
  const held = await run('gc');
  expect(held.data).toBe(`Kept versions/town.places/${version}: a worker may still read it.\n`);
  lease.close();
  const { removed, held: none } = JSON.parse((await run('gc', '--json')).data);
  expect([removed, none]).toEqual([
    [{ path: `versions/town.places/${version}`, bytes: expect.any(Number) }],
    [],
  ]);
  expect((await run('gc')).data).toBe('Nothing to remove.\n');
});
