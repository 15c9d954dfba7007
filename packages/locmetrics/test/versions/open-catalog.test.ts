import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import {
  type CurrentDataset,
  type CurrentFile,
  NOTHING_CURRENT,
  readCurrentFile,
  replaceCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import type { VersionFile } from '@locmetrics/data-directory/versions/version-file';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NAME = 'shop.stores';

let root: string;
let directory: DataDirectory;

beforeEach(async () => {
  root = temporaryFolder();
  directory = dataDirectory(join(root, 'data'));
  await mkdir(directory.root);
});

/** Versions published at these times, oldest first. */
function history(...times: readonly string[]): CurrentDataset {
  const entries = times.map((since, index) => ({
    version: versionAt(since),
    since,
    by: 'publish' as const,
    switch: index + 1,
  }));
  const kept = entries.map(({ version }) => version);
  return { version: kept.at(-1) ?? '', history: entries, kept, withdrawn: [] };
}

function versionAt(time: string): string {
  return `${time.replaceAll(/[-:.]/g, '')}-0123456789ab`;
}

async function writeVersion(time: string, name = NAME): Promise<string> {
  const version = versionAt(time);
  const file: VersionFile = {
    format: 1,
    version: {
      dataset: {
        name,
        productDisplayName: 'shop',
        productDescription: '',
        displayName: name,
        description: '',
        fields: [],
        key: [],
      },
      layers: [],
      metrics: [],
      version,
      publishedTime: time,
      rowCount: 0,
    },
    files: {},
    sources: [],
  };
  await mkdir(directory.version(name, version), { recursive: true });
  await writeFile(join(directory.version(name, version), 'version.json'), JSON.stringify(file));
  return version;
}

async function switchTo(datasets: CurrentFile['datasets']): Promise<void> {
  await replaceCurrentFile(directory.current, { format: 2, lastSwitch: 1, datasets });
}

/** The message and hint of the refusal of a data directory. */
function refusal(): { readonly message: string; readonly hint: string } {
  try {
    openCatalog(directory).snapshot();
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    return { message: error.message, hint: error.hint };
  }
  throw new Error('The data directory was not refused.');
}

const MONDAY = '2024-01-01T10:00:00.000Z';
const TUESDAY = '2024-01-02T00:00:00.000Z';
const FRIDAY = '2024-01-05T23:59:59.999Z';

test('before the first publish no version is current', () => {
  const catalog = openCatalog(directory);
  expect(readCurrentFile(directory.current)).toEqual(NOTHING_CURRENT);
  expect(catalog.snapshot().datasets.size).toBe(0);
  expect(catalog.version(NAME, versionAt(MONDAY))).toBeUndefined();
  expect(catalog.versionOn(NAME, '2024-01-01')).toBeUndefined();
});

test('current.json is read back as it was written, and no temporary file is left', async () => {
  await switchTo({ [NAME]: history(MONDAY, TUESDAY) });
  expect(readCurrentFile(directory.current)).toEqual({
    format: 2,
    lastSwitch: 1,
    datasets: { [NAME]: history(MONDAY, TUESDAY) },
  });
  expect(await readdir(directory.root)).toEqual(['current.json', 'reserve']);
});

test('current.json of a newer version is refused', async () => {
  await writeFile(directory.current, '{"format": 3}');
  expect(refusal()).toEqual({
    message: `${directory.current} has the format 3: it was written by a newer version of locmetrics.`,
    hint: 'Run that version, or name another directory with --data.',
  });
});

test.each([
  '',
  '{bad',
  'null',
  '[]',
  '{}',
  '{"format":"1"}',
  '{"format":1}',
  '{"format":1,"datasets":null}',
  '{"format":1,"datasets":{"shop.stores":{}}}',
  '{"format":1,"datasets":{"shop.stores":{"version":"x","history":{}}}}',
  '{"format":2,"datasets":{"shop.stores":{"version":"x","history":[]}}}',
  '{"format":2,"datasets":{"shop.stores":{"version":"x","history":[],"kept":["y"],"withdrawn":[]}}}',
])('current.json with %j is reported as damaged, with its path and a hint', async (text) => {
  await writeFile(directory.current, text);
  expect(refusal()).toEqual({
    message: expect.stringMatching(/\/data\/current\.json is damaged: [a-z ]+\.$/),
    hint: 'Restore it from a backup, or rebuild it from the existing versions: locmetrics recover',
  });
});

test('the next request sees a switch, and the snapshot of a running request does not change', async () => {
  await writeVersion(MONDAY);
  await writeVersion(TUESDAY);
  await switchTo({ [NAME]: history(MONDAY) });
  const catalog = openCatalog(directory);
  const held = catalog.snapshot();
  await switchTo({ [NAME]: history(MONDAY, TUESDAY) });
  expect(catalog.snapshot().datasets.get(NAME)?.version).toBe(versionAt(TUESDAY));
  expect(held.datasets.get(NAME)?.version).toBe(versionAt(MONDAY));
});

test('a missing or damaged current.json is reported once, and the previous versions stay current until it is back', async () => {
  await writeVersion(MONDAY);
  await switchTo({ [NAME]: history(MONDAY) });
  let now = 0;
  const told: string[] = [];
  const onUnreadable = (error: Error) => told.push(error.message);
  const catalog = openCatalog(directory, { onUnreadable, clock: () => now });
  const before = catalog.snapshot();
  await rename(directory.current, join(root, 'away.json'));
  for (; now < 5000; now += 400) expect(catalog.snapshot()).toBe(before);
  await writeFile(directory.current, '{bad');
  expect(catalog.snapshot()).toBe(before);
  expect(told).toEqual([
    `${directory.current} is missing, although there are versions in ${directory.versions}.`,
  ]);
  await rename(join(root, 'away.json'), directory.current);
  expect(catalog.snapshot()).toBe(before);
  // A completely lost data directory does not change them either.
  await rm(directory.current);
  await rename(directory.versions, join(root, 'versions'));
  expect(catalog.snapshot()).toBe(before);
  expect(told.slice(1)).toEqual([
    `${directory.current} names nothing, although versions were current before.`,
  ]);
  await writeVersion(TUESDAY);
  await switchTo({ [NAME]: history(TUESDAY) });
  expect(catalog.snapshot().datasets.get(NAME)?.version).toBe(versionAt(TUESDAY));
});

test('the previous versions stay current while the system refuses to read current.json', async () => {
  await writeVersion(MONDAY);
  await switchTo({ [NAME]: history(MONDAY) });
  let now = 0;
  const told: string[] = [];
  const onUnreadable = (error: Error) => told.push(error.message);
  const catalog = openCatalog(directory, { onUnreadable, clock: () => now });
  const before = catalog.snapshot();
  await rm(directory.current);
  await mkdir(directory.current);
  expect(catalog.snapshot()).toBe(before);
  expect(told).toEqual(['EISDIR: illegal operation on a directory, read']);
  await rmdir(directory.current);
  await writeVersion(TUESDAY);
  await switchTo({ [NAME]: history(TUESDAY) });
  now += 1000;
  expect(catalog.snapshot().datasets.get(NAME)?.version).toBe(versionAt(TUESDAY));
});

test('every flipped bit of current.json is detected, so that it leads to no removal', async () => {
  for (const time of [MONDAY, TUESDAY]) await writeVersion(time);
  await switchTo({ [NAME]: history(MONDAY, TUESDAY) });
  const bytes = await readFile(directory.current);
  const whole = readCurrentFile(directory.current);
  for (let bit = 0; bit < bytes.length * 8; bit += 7) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    await writeFile(directory.current, flipped);
    try {
      // The content is the same if only white space changed.
      expect(readCurrentFile(directory.current)).toEqual(whole);
    } catch (error) {
      if (!(error instanceof DataDirectoryError)) throw error;
    }
  }
});

test('the snapshot stays the same until a switch', async () => {
  await writeVersion(MONDAY);
  await switchTo({ [NAME]: history(MONDAY) });
  const catalog = openCatalog(directory);
  expect(catalog.snapshot()).toBe(catalog.snapshot());
});

test('datasets are ordered by name', async () => {
  await writeVersion(MONDAY, 'b.b');
  await writeVersion(MONDAY, 'a.z');
  await writeVersion(MONDAY, 'a.b');
  const current = history(MONDAY);
  await switchTo({ 'b.b': current, 'a.z': current, 'a.b': current });
  expect([...openCatalog(directory).snapshot().datasets.keys()]).toEqual(['a.b', 'a.z', 'b.b']);
});

test('a current version that is missing is a failure, not an empty catalog', async () => {
  await switchTo({ [NAME]: history(MONDAY) });
  expect(refusal()).toEqual({
    message: `The current version of shop.stores cannot be served, and no other is kept. There is no ${directory.version(NAME, versionAt(MONDAY))}.`,
    hint: 'Restore its folder from a backup, or publish the dataset again.',
  });
});

test('the version of a day is the one that was current at the end of the day', async () => {
  for (const time of [MONDAY, TUESDAY, FRIDAY]) await writeVersion(time);
  await switchTo({ [NAME]: history(MONDAY, TUESDAY, FRIDAY) });
  const catalog = openCatalog(directory);
  const found = [
    '2023-12-31',
    '2024-01-01',
    '2024-01-02',
    '2024-01-04',
    '2024-01-05',
    '2025-01-01',
  ];
  expect(found.map((date) => catalog.versionOn(NAME, date)?.publishedTime)).toEqual([
    undefined,
    MONDAY,
    TUESDAY,
    TUESDAY,
    FRIDAY,
    FRIDAY,
  ]);
  expect(catalog.versionOn('shop.others', '2025-01-01')).toBeUndefined();
});

test('the version of a day is not found if it is no longer kept', async () => {
  await writeVersion(TUESDAY);
  await switchTo({ [NAME]: history(MONDAY, TUESDAY) });
  const catalog = openCatalog(directory);
  expect(catalog.versionOn(NAME, '2024-01-01')).toBeUndefined();
  expect(catalog.versionOn(NAME, '2024-01-02')?.publishedTime).toBe(TUESDAY);
});

test('a version is found by its name while it is listed and kept', async () => {
  await writeVersion(MONDAY);
  await writeVersion(TUESDAY);
  await switchTo({ [NAME]: history(TUESDAY) });
  const catalog = openCatalog(directory);
  expect(catalog.version(NAME, versionAt(TUESDAY))?.publishedTime).toBe(TUESDAY);
  expect(catalog.version(NAME, versionAt(MONDAY))).toBeUndefined();
  expect(catalog.version('shop.others', versionAt(TUESDAY))).toBeUndefined();
});

test.each([
  '../../x',
  '..',
  '.',
  '',
  '/etc',
  `${versionAt(MONDAY)}/`,
  `../${NAME}/${versionAt(MONDAY)}`,
])('the name %j is not a version, even if current.json lists it', async (name) => {
  await writeVersion(MONDAY);
  await mkdir(join(root, 'x'), { recursive: true });
  await writeFile(join(root, 'x', 'version.json'), '{"format": 1, "version": {}}');
  const current = history(MONDAY);
  await switchTo({ [NAME]: { ...current, kept: [name, ...current.kept] } });
  expect(openCatalog(directory).version(NAME, name)).toBeUndefined();
});

test('a version of a newer format is refused', async () => {
  const version = await writeVersion(MONDAY);
  await writeFile(join(directory.version(NAME, version), 'version.json'), '{"format": 2}');
  await switchTo({ [NAME]: history(MONDAY) });
  expect(refusal().message).toMatch(
    /version\.json has the format 2: it was written by a newer version of locmetrics\.$/,
  );
});

test('a truncated version is reported as damaged', async () => {
  const version = await writeVersion(MONDAY);
  await writeFile(join(directory.version(NAME, version), 'version.json'), '{"format": 1, "ver');
  await switchTo({ [NAME]: history(MONDAY) });
  expect(refusal()).toEqual({
    message: expect.stringMatching(
      /version\.json is damaged: locmetrics did not write this content\.$/,
    ),
    hint: 'Restore its folder from a backup, or publish the dataset again.',
  });
});

/** Publishes at these times, removes versions that are too old at `now`, and returns the rest. */
async function removeAt(now: string, times: readonly string[]): Promise<readonly string[]> {
  for (const time of times) await writeVersion(time);
  await switchTo({ [NAME]: history(...times) });
  const retention = { versions: 3, milliseconds: 60 * 60_000 };
  await collectGarbage(fileVersions(directory), { retention, now: Date.parse(now) });
  const left = await readdir(directory.datasetVersions(NAME));
  return times.filter((time) => left.includes(versionAt(time)));
}

const DAYS = ['01', '02', '03', '04', '05'].map((day) => `2024-01-${day}T00:00:00.000Z`);

test('the last three versions are kept at any age', async () => {
  expect(await removeAt('2025-01-01T00:00:00.000Z', DAYS)).toEqual(DAYS.slice(-3));
});

test('of three versions all are kept', async () => {
  expect(await removeAt('2025-01-01T00:00:00.000Z', DAYS.slice(0, 3))).toEqual(DAYS.slice(0, 3));
});

const MINUTES = ['00', '10', '20', '30', '40'].map((minute) => `2024-01-01T00:${minute}:00.000Z`);

test('a version that was current within the last hour is kept', async () => {
  expect(await removeAt('2024-01-01T01:09:59.999Z', MINUTES)).toEqual(MINUTES);
});

test('a version that ceased to be current an hour ago is not kept', async () => {
  expect(await removeAt('2024-01-01T01:10:00.000Z', MINUTES)).toEqual(MINUTES.slice(1));
});

test('an earlier version is removed as soon as its own hour is over', async () => {
  expect(await removeAt('2024-01-01T01:20:00.000Z', MINUTES)).toEqual(MINUTES.slice(2));
});

test('a folder that no history lists is removed', async () => {
  await writeVersion('2023-01-01T00:00:00.000Z');
  expect(await removeAt('2024-01-01T01:00:00.000Z', MINUTES.slice(0, 1))).toEqual(
    MINUTES.slice(0, 1),
  );
  expect(await readdir(directory.datasetVersions(NAME))).toHaveLength(1);
});
