import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { findDamagedVersions } from '@locmetrics/data-directory/versions/find-damaged-versions';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import { writeIntention } from '@locmetrics/data-directory/versions/switch-intention';
import { rollBack, withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { publishStores } from '../commands/publish-stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root: string;
/** Two versions of `shop.stores`, copied for each test. */
let published: string;
let versions: readonly string[];
let folder: string;
let directory: DataDirectory;
let count = 0;

const MONDAY = '2024-01-01T10:00:00.000Z';
const TUESDAY = '2024-01-02T10:00:00.000Z';
const FILES = { 'stores.csv': 'id,city,visits\nS1,Springfield,1\n' };

beforeAll(async () => {
  root = temporaryFolder();
  published = join(root, 'published');
  versions = [
    ...(await publishStores(published, { files: FILES, time: MONDAY })),
    ...(await publishStores(published, { files: FILES, time: TUESDAY })),
  ];
});

beforeEach(async () => {
  count += 1;
  folder = join(root, String(count));
  await cp(published, folder, { recursive: true });
  directory = dataDirectory(join(folder, 'data'));
});

const LOST = {
  name: 'DataDirectoryError',
  message: expect.stringMatching(
    /current\.json is missing, although there are versions in .*versions\.$/,
  ),
  hint: 'Restore it from a backup, or rebuild it from the existing versions: locmetrics recover',
};

test('if current.json is missing beside versions, nothing is published, switched, removed or served', async () => {
  await rm(directory.current);
  const before = await readdir(directory.root, { recursive: true });
  const clock = () => Date.parse(TUESDAY);
  const [, version = ''] = versions;
  const retention = { versions: 1, milliseconds: 0 };
  const works: readonly (() => unknown)[] = [
    () => publishStores(folder, { files: FILES, time: '2024-01-03T10:00:00.000Z' }),
    () =>
      rollBack({
        directory,
        datasetName: 'shop.stores',
        version: undefined,
        isTogether: false,
        clock,
      }),
    () => withdrawVersion({ directory, version, clock }),
    () => collectGarbage(fileVersions(directory), { retention, now: clock() }),
    () => openCatalog(directory).snapshot(),
    () => readCurrentVersions(directory),
    () => findDamagedVersions(directory, { content: false }),
  ];
  for (const work of works) await expect((async () => work())()).rejects.toMatchObject(LOST);
  expect(await readdir(directory.root, { recursive: true })).toEqual(before);
});

test('a directory with only folders without versions counts as new', async () => {
  const fresh = dataDirectory(join(folder, 'fresh'));
  await mkdir(join(fresh.temporary, 'publish-abc'), { recursive: true });
  await mkdir(fresh.datasetVersions('shop.stores'), { recursive: true });
  await writeFile(join(fresh.versions, 'notes.txt'), '');
  expect(readCurrentFile(fresh.current).datasets).toEqual({});
});

test('after a first publish that ended before its switch, the next publish works', async () => {
  const fresh = join(folder, 'first');
  const { current, versions: place } = dataDirectory(join(fresh, 'data'));
  // A file with the name of the dataset's folder blocks it.
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'shop.stores'), '');
  await expect(publishStores(fresh, { files: FILES, time: MONDAY })).rejects.toThrow();
  expect(JSON.parse(await readFile(current, 'utf8'))).toMatchObject({ datasets: {} });
  await rm(join(place, 'shop.stores'));
  // A killed publish has already moved its versions into place.
  const [version = ''] = versions;
  const killed = dataDirectory(join(fresh, 'data'));
  const left = { datasetName: 'shop.stores', version };
  await writeIntention(killed, [left]);
  await cp(
    directory.version('shop.stores', version),
    killed.version(left.datasetName, left.version),
    { recursive: true },
  );
  expect(openCatalog(killed).snapshot().datasets.size).toBe(0);
  const [next] = await publishStores(fresh, { files: FILES, time: TUESDAY });
  expect(readCurrentFile(current).datasets['shop.stores']?.version).toBe(next);
  expect(existsSync(killed.version(left.datasetName, left.version))).toBe(false);
});
