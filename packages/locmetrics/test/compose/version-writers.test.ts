import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import type { VersionWriter } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE, ROW_COLUMN } from '@locmetrics/column-store/record-table';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { readVersion } from '@locmetrics/data-directory/versions/read-version';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { type PublishOptions, publish } from '@locmetrics/ingest/publish/publish-datasets';
import { beforeEach, expect, test } from 'vitest';
import { STORES_MANIFEST } from '../commands/publish-stores.ts';
import { runCommand } from '../commands/run-command.ts';
import { WHOLE_PUBLISH } from '../importer/whole-publish.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder();

const NAME = 'shop.stores';
const BOTH = [columnWriter, idsWriter()];

/** Writes the number of records, and their ids and folded cities in the order of the key. */
function idsWriter(): VersionWriter {
  return {
    files: ['ids.txt'],
    isDerived: false,
    write: async ({ connection, folder }) => {
      const rows = await connection.list(
        `SELECT id, _fold_city FROM ${RECORD_TABLE} ORDER BY ${ROW_COLUMN}`,
      );
      const lines = rows.map((row) => `${row['id']} ${row['_fold_city']}\n`);
      await writeFile(join(folder, 'ids.txt'), `${rows.length}\n${lines.join('')}`);
    },
  };
}

let directory: DataDirectory;
let time: number;

beforeEach(async ({ task }) => {
  directory = dataDirectory(inFolder(task.id));
  time = Date.parse('2026-01-31T10:00:00.000Z');
  await writeFile(inFolder('locmetrics.yaml'), STORES_MANIFEST);
});

/** Publishes these rows a minute after the previous publish, and returns the name of the version. */
async function publishRows(
  rows: readonly string[],
  options: Partial<PublishOptions> = {},
): Promise<string> {
  time += 60_000;
  await writeFile(inFolder('stores.csv'), `${['id,city,visits', ...rows].join('\n')}\n`);
  const { datasets } = await publish({
    ...WHOLE_PUBLISH,
    writers: BOTH,
    manifestPath: inFolder('locmetrics.yaml'),
    datasetNames: [],
    directory,
    memoryLimitBytes: 2 ** 29,
    threads: 1,
    clock: () => time,
    ...options,
  });
  return datasets[0]?.version.version ?? '';
}

const folderOf = (version: string): string => directory.version(NAME, version);

const run = (...parameters: readonly string[]): ReturnType<typeof runCommand> =>
  runCommand([...parameters, '--data', directory.root]);

test('a version has the files of all writers, each with its size and checksum', async () => {
  const folder = folderOf(await publishRows(['b,Ä,1', 'a,B,2']));
  expect(await readFile(join(folder, 'ids.txt'), 'utf8')).toBe('2\na b\nb ä\n');
  expect((await readdir(folder)).sort()).toEqual([
    ...['ids.txt', 'records.duckdb', 'report.json', 'version.json'],
  ]);
  const { files = {} } = readVersionFile(folder) ?? {};
  expect(Object.keys(files)).toEqual(['records.duckdb', 'ids.txt', 'report.json']);
  for (const [name, { bytes, sha256 }] of Object.entries(files)) {
    const content = await readFile(join(folder, name));
    expect([bytes, sha256]).toEqual([
      content.length,
      createHash('sha256').update(content).digest('hex'),
    ]);
  }
});

test('all files count in the size of a version, are verified and removed with it', async () => {
  const version = await publishRows(['a,B,2']);
  const folder = folderOf(version);
  const sizes = await Promise.all(
    ['records.duckdb', 'ids.txt', 'report.json'].map(
      async (name) => (await stat(join(folder, name))).size,
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size);
  expect(JSON.parse((await run('versions', '--json')).data).versions).toMatchObject([
    { version, bytes },
  ]);
  expect(JSON.parse((await run('verify', '--json')).data)).toMatchObject({
    versions: [{ version, bytes, isWhole: true }],
    damaged: 0,
  });
  await publishRows(['a,B,3']);
  const kept = ['--versions-kept', '1', '--versions-kept-for', '0s'];
  const { removed } = JSON.parse((await run('gc', ...kept, '--json')).data);
  expect([removed.length, existsSync(folder)]).toEqual([1, false]);
  expect(removed[0].bytes).toBeGreaterThan(bytes);
});

test('damage in the file of a later writer is found', async () => {
  const version = await publishRows(['a,B,2']);
  const path = join(folderOf(version), 'ids.txt');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('a', 'x'));
  expect(JSON.parse((await run('verify', '--json')).data)).toMatchObject({
    versions: [{ problem: 'ids.txt does not have the content with which it was published.' }],
    damaged: 1,
  });
  await appendFile(path, 'x');
  // The catalog checks the sizes before it serves a version.
  expect(readVersion(folderOf(version))).toEqual({
    problem: `${path} has 7 bytes, but 6 were written.`,
  });
});

test('a version can be extended without the files of later writers', async () => {
  await publishRows(['b,Ä,1'], { writers: [columnWriter] });
  const version = await publishRows(['a,B,2'], { mode: { kind: 'append' } });
  expect(await readFile(join(folderOf(version), 'ids.txt'), 'utf8')).toBe('2\na b\nb ä\n');
});

test('if a later writer fails or is stopped, nothing is published and no file is left', async () => {
  const version = await publishRows(['a,B,2']);
  const controller = new AbortController();
  const failing = (fail: () => void): VersionWriter => ({
    isDerived: false,
    files: ['ids.txt'],
    write: async (records) => {
      await BOTH[1]?.write(records);
      fail();
      await records.connection.run('CHECKPOINT');
    },
  });
  const reasons = [new Error('No ids.'), new Error('stopped by the test')];
  const writers = [
    failing(() => {
      throw reasons[0];
    }),
    failing(() => controller.abort(reasons[1])),
  ];
  for (const [index, writer] of writers.entries()) {
    const publishing = publishRows(['a,B,3'], {
      writers: [columnWriter, writer],
      signal: controller.signal,
    });
    await expect(publishing).rejects.toBe(reasons[index]);
  }
  expect(await readdir(directory.datasetVersions(NAME))).toEqual([version]);
  expect(await readdir(directory.temporary)).toEqual([]);
});
