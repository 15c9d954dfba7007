import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeProcessLock } from '@locmetrics/data-directory/files/process-lock';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import {
  type CurrentFile,
  NOTHING_CURRENT,
  replaceCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { removeWorkerFolders } from '@locmetrics/data-directory/versions/remove-garbage';
import { writeIntention } from '@locmetrics/data-directory/versions/switch-intention';
import { switchTo } from '@locmetrics/data-directory/versions/switch-versions';
import { openVersionLease } from '@locmetrics/data-directory/versions/version-lease';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW = Date.parse('2024-01-02T00:00:00.000Z');
const CURRENT_ALONE = { versions: 1, milliseconds: 0 };

let directory: DataDirectory;

beforeEach(async () => {
  directory = dataDirectory(temporaryFolder());
});

async function writeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'file'), '12345');
}

/** Switches `a.a` to these versions one after the other, and creates a folder for each. */
async function publish(...versions: readonly string[]): Promise<void> {
  let current: CurrentFile = NOTHING_CURRENT;
  for (const version of versions) {
    await writeFolder(directory.version('a.a', version));
    current = switchTo(current, new Map([['a.a', version]]), { by: 'publish', now: NOW - 10_000 });
  }
  await replaceCurrentFile(directory.current, current);
}

const removedBy = async (
  options: Partial<Parameters<typeof collectGarbage>[1]> = {},
): Promise<readonly string[]> => {
  const { removed } = await collectGarbage(fileVersions(directory), { now: NOW, ...options });
  return removed.map(({ path }) => path).sort();
};

test('versions past their retention are removed and reported with their size; leased versions are kept', async () => {
  await publish('v1', 'v2', 'v3');
  const lease = openVersionLease({ directory, holdMs: 1000 });
  lease.use({ datasetName: 'a.a', version: 'v1' });
  expect(
    await collectGarbage(fileVersions(directory), { retention: CURRENT_ALONE, now: Date.now() }),
  ).toEqual({
    removed: [{ path: 'versions/a.a/v2', bytes: 5 }],
    held: [{ path: 'versions/a.a/v1' }],
  });
  lease.close();
  expect(await removedBy()).toEqual(['versions/a.a/v1']);
  expect(await readdir(directory.datasetVersions('a.a'))).toEqual(['v3']);
});

test('without a retention no version is dropped, and versions outside the history stay', async () => {
  await publish('v1', 'v2');
  await writeFolder(directory.version('a.a', 'of-a-newer-current-file'));
  expect(await removedBy()).toEqual([]);
  expect(await removedBy({ retention: { versions: 2, milliseconds: 0 } })).toEqual([
    'versions/a.a/of-a-newer-current-file',
  ]);
});

test('with an older current.json restored, versions that it does not list are not removed', async () => {
  await publish('v1', 'v2');
  const only = switchTo(NOTHING_CURRENT, new Map([['b.b', 'v1']]), { by: 'publish', now: NOW });
  await replaceCurrentFile(directory.current, only);
  expect(await removedBy({ retention: CURRENT_ALONE })).toEqual([]);
});

test('a first version whose publish was killed before its switch is removed', async () => {
  const version = '20240101T000000000Z-0123456789ab';
  await writeIntention(directory, [{ datasetName: 'b.b', version }]);
  await writeFolder(directory.version('b.b', version));
  await writeIntention(directory, [{ datasetName: 'a.a', version: 'v1' }]);
  await publish('v1');
  expect(await removedBy()).toEqual(['switching.json', `versions/b.b/${version}`]);
  expect(await readdir(directory.versions)).toEqual(['a.a']);
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"versions":3}',
  '{"versions":[null,3,{"datasetName":"..","version":".."}]}',
])('an intention file %j leads to no removal', async (text) => {
  await publish('v1');
  await writeFile(directory.switchIntention, text);
  expect(await removedBy()).toEqual(['switching.json']);
});

test.each(['', '{', 'null', '[]', '{"versions":3}'])(
  'a damaged lease %j keeps all versions',
  async (text) => {
    await publish('v1', 'v2');
    await mkdir(directory.leases);
    await writeFile(join(directory.leases, 'reader-1.json'), text);
    const options = { retention: CURRENT_ALONE, now: Date.now() };
    expect(await collectGarbage(fileVersions(directory), options)).toEqual({
      removed: [],
      held: [{ path: 'versions/a.a/v1' }],
    });
  },
);

test('files of killed processes are removed, files that live processes need are not', async () => {
  await publish('v1');
  const lease = openVersionLease({ directory, holdMs: 1000 });
  for (const name of ['serve-1', 'reader-1-00000000', lease.name, 'publish-abc']) {
    await writeFolder(join(directory.temporary, name));
  }
  await writeFile(`${directory.current}.123.tmp`, '');
  await utimes(join(directory.leases, `${lease.name}.json`), NOW / 1000, NOW / 1000);
  const publishing = takeProcessLock(directory.publishLock);
  expect(await removedBy()).toEqual([
    'current.json.123.tmp',
    'tmp/reader-1-00000000',
    'tmp/serve-1',
  ]);
  publishing?.release();
  expect(await removedBy()).toEqual(['tmp/publish-abc']);
  expect(await readdir(directory.temporary)).toEqual([lease.name]);
  lease.close();
});

test('the folders of workers are removed before the service starts others', async () => {
  const worker = openVersionLease({ directory, holder: 'worker', holdMs: 1000 });
  const reader = openVersionLease({ directory, holdMs: 1000 });
  for (const { name } of [worker, reader]) await writeFolder(join(directory.temporary, name));
  const { removed } = await removeWorkerFolders(directory);
  expect(removed.map(({ path }) => path)).toEqual([`tmp/${worker.name}`]);
  expect(await readdir(directory.temporary)).toEqual([reader.name]);
  worker.close();
  reader.close();
});

test('a collection that does not wait reports that another process switches', async () => {
  await publish('v1');
  const switching = takeProcessLock(directory.switchLock);
  await expect(removedBy({ waitMs: 0 })).rejects.toThrow('has been switching versions');
  switching?.release();
});
