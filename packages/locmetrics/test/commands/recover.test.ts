import { existsSync } from 'node:fs';
import { appendFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceWebhookState } from '@locmetrics/cluster/webhook/webhook-state';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { writeIntention } from '@locmetrics/data-directory/versions/switch-intention';
import { listSwitches } from '@locmetrics/data-directory/versions/switch-versions';
import { rollBack, withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { recoverCurrentAction } from '../../src/commands/run/recover.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { publishStores } from './publish-stores.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

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

const JANUARY = '2024-01-31T10:00:00.000Z';
const FEBRUARY = '2024-02-29T10:00:00.000Z';
const MARCH = '2024-03-31T10:00:00.000Z';
const NOW = Date.parse('2024-04-01T00:00:00.000Z');

const publishAt = (folder: string, time: string): Promise<readonly string[]> => {
  const files = { 'stores.csv': 'id,name\nS1,One\n', 'visits.csv': 'id,count\nS1,5\n' };
  return publishStores(folder, { manifest: MANIFEST, files, time });
};

/** Two publishes of both datasets, copied for each test. */
let stores: readonly string[];
let visits: readonly string[];
let folder: string;
let directory: DataDirectory;
let count = 0;

beforeAll(async () => {
  const january = await publishAt(inFolder('published'), JANUARY);
  const february = await publishAt(inFolder('published'), FEBRUARY);
  stores = [january[0] ?? '', february[0] ?? ''];
  visits = [january[1] ?? '', february[1] ?? ''];
});

beforeEach(async () => {
  count += 1;
  folder = inFolder(String(count));
  await cp(inFolder('published'), folder, { recursive: true });
  directory = dataDirectory(join(folder, 'data'));
});

type Recovered = {
  readonly isNeeded: boolean;
  readonly isDone: boolean;
  readonly datasets: readonly {
    readonly dataset: string;
    readonly version: string | null;
    readonly versions: readonly { readonly version: string; readonly state: string }[];
  }[];
  readonly misfits: readonly string[];
  readonly notKnown: readonly string[];
  readonly damagedFile: string | null;
};

/** Runs the command in this process, without a terminal. Returns its JSON output. */
async function recover(...current: readonly string[]): Promise<Recovered> {
  let printed = '';
  const output = {
    data: (text: string) => {
      printed += text;
    },
    messages: () => {},
    isTerminal: false,
    columns: 80,
  };
  const asCalled = (text: string) => text;
  const flags = { settings: { data: directory.root }, json: true, yes: true, current, asCalled };
  await recoverCurrentAction(output, flags);
  return JSON.parse(printed);
}

const currentOf = (): readonly (string | undefined)[] => {
  const { datasets } = readCurrentFile(directory.current);
  return [datasets['shop.stores']?.version, datasets['shop.visits']?.version];
};

const statesOf = ({ datasets }: Recovered): readonly (readonly string[])[] =>
  datasets.map(({ versions }) => versions.map(({ state }) => state));

const damage = (dataset: string, version = ''): Promise<void> =>
  appendFile(join(directory.version(dataset, version), 'records.duckdb'), 'x');

const rollBackStores = () =>
  rollBack({
    directory,
    datasetName: 'shop.stores',
    version: undefined,
    isTogether: false,
    clock: () => NOW,
  });

test('a lost current.json is rebuilt as it was, is served, and the next publish continues from it', async () => {
  const before = readCurrentFile(directory.current);
  const told: unknown[] = [];
  const serving = openCatalog(directory, { onUnreadable: (error) => told.push(error) });
  const served = serving.snapshot();
  await rm(directory.current);
  // A running service keeps serving meanwhile.
  expect(serving.snapshot()).toBe(served);
  const { datasets, misfits, isDone, damagedFile } = await recover();
  expect([isDone, damagedFile, misfits, told.length]).toEqual([true, null, [], 1]);
  expect(datasets.map(({ dataset, version }) => [dataset, version])).toEqual([
    ['shop.stores', stores[1]],
    ['shop.visits', visits[1]],
  ]);
  const { recovered, ...after } = readCurrentFile(directory.current);
  expect(after).toEqual(before);
  expect(serving.snapshot().metrics.size).toBe(1);
  const [next = ''] = await publishAt(folder, MARCH);
  expect(currentOf()[0]).toBe(next);
  expect(readCurrentFile(directory.current).datasets['shop.stores']?.kept).toEqual([
    ...stores,
    next,
  ]);
});

test('without a terminal it requires --yes, and --dry-run shows the plan', async () => {
  await rm(directory.current);
  const before = await readdir(directory.root, { recursive: true });
  const given = ['recover', '--data', directory.root];
  const asked = await runCommand(given);
  expect([asked.code, asked.messages.split('\n').slice(-3)]).toEqual([
    2,
    [
      'There is no terminal to ask for confirmation.',
      'Check with --dry-run, then run with --yes.',
      '',
    ],
  ]);
  const shown = await runCommand([...given, '--dry-run']);
  expect(shown.code).toBe(0);
  expect(asked.data).toBe(shown.data.replace(/Nothing was changed\.\n$/, ''));
  expect(await readdir(directory.root, { recursive: true })).toEqual(before);
  expect(
    shown.data.replaceAll(directory.root, 'DATA').replaceAll(/-[0-9a-f]{12}/g, '-0123456789ab'),
  ).toMatchInlineSnapshot(`
    "DATA/current.json is missing, although there are versions in DATA/versions. It can be rebuilt from these versions:

    DATASET      VERSION                           PUBLISHED                 BECOMES
    shop.stores  20240229T100000000Z-0123456789ab  2024-02-29T10:00:00.000Z  current
    shop.stores  20240131T100000000Z-0123456789ab  2024-01-31T10:00:00.000Z  kept
    shop.visits  20240229T100000000Z-0123456789ab  2024-02-29T10:00:00.000Z  current
    shop.visits  20240131T100000000Z-0123456789ab  2024-01-31T10:00:00.000Z  kept

    Rollbacks are no longer known: the last published version of each dataset becomes current. Name another one with --current, or roll back afterwards: locmetrics rollback DATASET VERSION
    The times at which each version was current are lost: each version now counts from its publish to the next one.
    A version can be queried again if it was withdrawn by an earlier release, or if its folder was restored from a backup made before its withdrawal. Withdraw it again: locmetrics versions withdraw VERSION
    No version is removed.

    Nothing was changed.
    "
  `);
  const done = await runCommand([...given, '--yes']);
  expect([done.code, done.data.split('\n').slice(-3)]).toEqual([
    0,
    ['current.json is rebuilt and in use.', 'See: locmetrics versions', ''],
  ]);
  const again = await runCommand(given);
  expect([again.code, again.data]).toEqual([
    0,
    `${directory.current} is readable: nothing to recover.\n`,
  ]);
});

test('damaged versions are skipped together with the rest of their publish, and kept', async () => {
  await damage('shop.visits', visits[1]);
  await rm(directory.current);
  const recovered = await recover();
  expect(statesOf(recovered)).toEqual([
    ['kept', 'current'],
    ['damaged', 'current'],
  ]);
  expect(currentOf()).toEqual([stores[0], visits[0]]);
  await collectGarbage(fileVersions(directory), {
    retention: { versions: 3, milliseconds: 0 },
    now: Date.now(),
  });
  expect(existsSync(directory.version('shop.visits', visits[1] ?? ''))).toBe(true);
});

test('a dataset without an intact version is left out, and the metrics that need it are reported', async () => {
  for (const version of stores) await damage('shop.stores', version);
  await rm(directory.current);
  const { datasets, misfits } = await recover();
  expect(datasets.map(({ version }) => version)).toEqual([null, visits[1]]);
  expect(misfits).toEqual([
    "The metric shop/visits cannot be served. No published dataset declares its layer 'stores'.",
  ]);
  // Its folders are not removed, so that they can be restored.
  await collectGarbage(fileVersions(directory), {
    retention: { versions: 1, milliseconds: 0 },
    now: Date.now(),
  });
  expect(await readdir(directory.datasetVersions('shop.stores'))).toHaveLength(2);
});

test('if every publish has a damaged part, the newest intact version of each dataset becomes current', async () => {
  await damage('shop.stores', stores[1]);
  await damage('shop.visits', visits[0]);
  await rm(directory.current);
  await recover();
  expect(currentOf()).toEqual([stores[0], visits[1]]);
  expect(openCatalog(directory).snapshot().metrics.size).toBe(1);
});

test('versions of a killed publish are reported, and no longer count as garbage', async () => {
  const [, version = ''] = visits;
  await writeIntention(directory, [{ datasetName: 'shop.visits', version }]);
  await rm(directory.current);
  const { notKnown } = await recover();
  expect(notKnown).toContain(
    `The publish of ${version} of shop.visits was killed, perhaps before it was switched to.`,
  );
  const collected = await collectGarbage(fileVersions(directory), { now: Date.now() });
  expect(collected.removed).toEqual([]);
});

test('a withdrawn version cannot be queried again, although its data still exist', async () => {
  const [, withdrawn = ''] = visits;
  await withdrawVersion({ directory, version: withdrawn, clock: () => NOW });
  await rm(directory.current);
  const recovered = await recover();
  expect(statesOf(recovered)).toEqual([
    ['current', 'kept'],
    ['withdrawn', 'current'],
  ]);
  expect(openCatalog(directory).version('shop.visits', withdrawn)).toBeUndefined();
  expect(readCurrentFile(directory.current).datasets['shop.visits']?.withdrawn).toEqual([
    { version: withdrawn, time: '2024-04-01T00:00:00.000Z', switch: 3 },
  ]);
  await expect(
    withdrawVersion({ directory, version: withdrawn, clock: () => NOW }),
  ).rejects.toThrow('was withdrawn at 2024-04-01T00:00:00.000Z.');
});

test('the readable parts of a damaged current.json count: rollbacks and withdrawals', async () => {
  await rollBackStores();
  const [, withdrawn = ''] = visits;
  await withdrawVersion({ directory, version: withdrawn, clock: () => NOW });
  // An earlier release wrote no mark.
  await rm(join(directory.version('shop.visits', withdrawn), 'withdrawn'));
  const text = await readFile(directory.current, 'utf8');
  await writeFile(directory.current, text.replace('"publish"', '"publisH"'));
  const recovered = await recover();
  expect(statesOf(recovered)).toEqual([
    ['kept', 'current'],
    ['withdrawn', 'current'],
  ]);
  expect(currentOf()).toEqual([stores[0], visits[0]]);
  const { damagedFile } = recovered;
  expect(damagedFile).toMatch(/^current\.damaged-\d{8}T\d{9}Z\.json$/);
  expect(await readFile(join(directory.root, damagedFile ?? ''), 'utf8')).toContain('"publisH"');
});

test('a named version becomes current instead of the newest', async () => {
  await rm(directory.current);
  const [january = '', february = ''] = stores;
  await expect(recover('20240101T000000000Z-0123456789ab')).rejects.toThrow(
    "No dataset has a version '20240101T000000000Z-0123456789ab'.",
  );
  await damage('shop.stores', february);
  await expect(recover(february)).rejects.toThrow(
    `The version ${february} of shop.stores is damaged.`,
  );
  await recover(january, visits[1] ?? '');
  expect(currentOf()).toEqual([january, visits[1]]);
});

test('a recovered version is kept while it may have been current recently', async () => {
  await rm(directory.current);
  await recover();
  const kept = () => readCurrentFile(directory.current).datasets['shop.stores']?.kept.length;
  const retention = { versions: 1, milliseconds: 3_600_000 };
  await collectGarbage(fileVersions(directory), { retention, now: Date.now() + 3_500_000 });
  expect(kept()).toBe(2);
  await collectGarbage(fileVersions(directory), { retention, now: Date.now() + 3_700_000 });
  expect(kept()).toBe(1);
});

test('the webhook gets the later switches, and no earlier one again', async () => {
  await replaceWebhookState(directory, { format: 1, id: '0123456789abcdef', told: 57 });
  await rm(directory.current);
  await recover();
  expect(readCurrentFile(directory.current).lastSwitch).toBe(57);
  await rollBackStores();
  expect(listSwitches(readCurrentFile(directory.current), 57)).toMatchObject([{ number: 58 }]);
});

test('for versions of earlier releases, a message says that their publishes are not known', async () => {
  for (const version of visits) {
    const path = join(directory.version('shop.visits', version), 'version.json');
    const { sha256: _, publish: __, ...file } = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, sealedText(file));
  }
  await rm(directory.current);
  const { notKnown } = await recover();
  expect(notKnown).toContain(
    'Versions of earlier releases do not say which of them were published together.',
  );
  expect(readCurrentFile(directory.current).lastSwitch).toBe(4);
});

test('a current.json of a newer release does not count as damaged, and without versions nothing is rebuilt', async () => {
  await writeFile(directory.current, '{"format":3}');
  await expect(recover()).rejects.toThrow('it was written by a newer version of locmetrics.');
  await writeFile(directory.current, '{');
  await rm(directory.versions, { recursive: true });
  await expect(recover()).rejects.toThrow(
    'No versions exist from which current.json could be rebuilt.',
  );
  await rm(directory.current);
  expect(await recover()).toMatchObject({ isNeeded: false, isDone: false });
});
