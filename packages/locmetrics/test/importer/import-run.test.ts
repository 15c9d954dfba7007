// @module-tag slow

import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import type { VersionWriter } from '@locmetrics/column-store/publish/version-writer';
import { lineOfOffset } from '@locmetrics/ingest/formats/line-of-offset';
import { importDataset } from '@locmetrics/ingest/rows/import-dataset';
import type { ImportProgress } from '@locmetrics/ingest/rows/import-progress';
import { expect, test } from 'vitest';
import { scopedFolder } from '../support/temporary-folder.ts';
import { type DatasetShape, declareDataset } from './declare-dataset.ts';
import { zipArchive } from './formats/zip-archive.ts';
import { importFiles } from './import-files.ts';

const SHAPE: DatasetShape = { fields: { id: 'string' }, key: ['id'] };

test('the column file is the only output, and the source files are recorded', async () => {
  await using folder = scopedFolder();
  const [directory, temporaryDirectory] = [join(folder.path, 'v'), join(folder.path, 't')];
  await mkdir(directory);
  await mkdir(temporaryDirectory);
  const path = join(folder.path, 'p.csv');
  await writeFile(path, 'id\na\n');
  const { files } = await importDataset({
    declared: declareDataset(SHAPE, 'csv', [path]),
    writers: [columnWriter],
    directory,
    temporaryDirectory,
    memoryLimitBytes: 2 ** 28,
    threads: 1,
  });
  const sha256 = createHash('sha256').update('id\na\n').digest('hex');
  expect(files).toEqual([{ path, bytes: 5, sha256 }]);
  expect(await readdir(directory)).toEqual(['records.duckdb']);
  expect(await readdir(temporaryDirectory)).toEqual([]);
});

test('the stages of an import are reported in order', async () => {
  const reported: ImportProgress[] = [];
  await importFiles('csv', { 'p.csv': 'id\na\nb\n' }, SHAPE, {
    onProgress: (progress) => reported.push(progress),
  });
  const stages = reported
    .filter(({ fraction }) => fraction === undefined)
    .map(({ stage, rows }) => [stage, rows]);
  expect(stages).toEqual([
    ['reading', 0],
    ['checking', 2],
    ['writing', 2],
  ]);
});

test.each([
  ['plain', (text: string) => Buffer.from(text)],
  ['gzip', (text: string) => gzipSync(text)],
  ['zip', (text: string) => zipArchive({ 'p.csv': text })],
])('the part of a %s file that was read before the engine is reported', async (_, pack) => {
  const fractions: number[] = [];
  const lines = Array.from({ length: 400_000 }, (_line, index) => `${index},${index % 7}\n`);
  const text = `id,n\n${lines.join('')}`;
  await importFiles('csv', { 'p.csv': pack(text) }, SHAPE, {
    onProgress: ({ stage, fraction }) => {
      if (stage === 'reading' && fraction !== undefined) fractions.push(fraction);
    },
  });
  expect(fractions.length).toBeGreaterThan(2);
  expect(Math.max(...fractions.filter((fraction) => fraction <= 0.5))).toBe(0.5);
  expect(fractions.every((fraction) => fraction > 0 && fraction <= 1)).toBe(true);
});

test('an aborted import throws the reason and leaves no files', async () => {
  const reason = new Error('stopped by the test');
  await expect(
    importFiles('csv', { 'p.csv': 'id\na\n' }, SHAPE, { signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
});

test('an import whose second writer fails leaves none of the files of both', async () => {
  const reason = new Error('failed by the test');
  const failing: VersionWriter = {
    isDerived: false,
    files: ['p.rows'],
    write: async ({ folder }) => {
      await writeFile(join(folder, 'p.rows'), '');
      await writeFile(join(folder, 'p.rows-journal'), '');
      throw reason;
    },
  };
  const writers = [columnWriter, failing];
  await expect(importFiles('csv', { 'p.csv': 'id\na\n' }, SHAPE, { writers })).rejects.toBe(reason);
});

test('an import is stopped in the middle of a statement', async () => {
  const controller = new AbortController();
  const reason = new Error('stopped by the test');
  const lines = Array.from({ length: 500_000 }, (_, index) => `${index}\n`).join('');
  await expect(
    importFiles('csv', { 'p.csv': `id\n${lines}` }, SHAPE, {
      signal: controller.signal,
      onProgress: ({ stage }) => {
        if (stage === 'writing') setImmediate(() => controller.abort(reason));
      },
    }),
  ).rejects.toBe(reason);
});

test.each(['reading', 'checking', 'writing'] as const)(
  'an import that is stopped while it is %s does not go on to the next stage',
  async (stage) => {
    const controller = new AbortController();
    const reason = new Error('stopped by the test');
    const lines = Array.from({ length: 300_000 }, (_, index) => `${index},"a\n${index}"\n`);
    const after = new Set<string>();
    const importing = importFiles('csv', { 'p.csv': `id,n\n${lines.join('')}` }, SHAPE, {
      signal: controller.signal,
      onProgress: (progress) => {
        if (controller.signal.aborted) after.add(progress.stage);
        if (progress.stage === stage) controller.abort(reason);
      },
    });
    await expect(importing).rejects.toBe(reason);
    expect([...after].filter((other) => other !== stage)).toEqual([]);
  },
);

test('an import is stopped while it looks for the lines of wrong rows', async () => {
  await using folder = scopedFolder();
  const path = join(folder.path, 'p.csv');
  await writeFile(path, 'x\n'.repeat(5_000_000));
  const controller = new AbortController();
  const reason = new Error('stopped by the test');
  const file = { path, label: 'p.csv', number: 0, bytes: 10_000_000, modifiedMs: 0 };
  const plain = { isGzip: false, isZip: false, firstLine: 1, firstByte: 0, notices: [] };
  const looking = lineOfOffset({ ...file, ...plain, stop: controller.signal }, 9_000_000);
  setImmediate(() => controller.abort(reason));
  await expect(looking).rejects.toBe(reason);
});

test('more rows than fit into memory are sorted on disk', {
  tags: 'slow',
}, async () => {
  const count = 400_000;
  const lines = Array.from(
    { length: count },
    (_, index) => `${(index * 7919) % count},${'x'.repeat(200)}`,
  );
  const { rowCount, rows } = await importFiles(
    'csv',
    { 'p.csv': `id,name\n${lines.join('\n')}\n` },
    { fields: { id: 'integer', name: 'string' }, key: ['id'] },
    { memoryLimitBytes: 200 * 2 ** 20 },
  );
  expect(rowCount).toBe(count);
  expect(rows.findIndex((row, index) => row[1] !== String(index))).toBe(-1);
});
