// @module-tag sized

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { sortedColumn } from '@locmetrics/column-store/publish/sort-records';
import { VECTOR_VALUES, withVectors } from '@locmetrics/column-store/publish/vector-columns';
import { COLUMN_FILE } from '@locmetrics/column-store/record-table';
import { unitVector } from '@locmetrics/core/geometry/unit-vector';
import { importDataset } from '@locmetrics/ingest/rows/import-dataset';
import type { ImportOptions } from '@locmetrics/ingest/rows/import-options';
import { expect, test } from 'vitest';
import { defineTable } from '../conformance/table.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { scopedFolder } from '../support/temporary-folder.ts';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';
import { type DatasetShape, declareDataset } from './declare-dataset.ts';
import { readRows } from './import-files.ts';
import { importInstance } from './import-instance.ts';

const POINTS = testCount('POINTS', { few: 5_000, all: 200_000 });

const { dataset } = defineTable({
  name: 'shop.points',
  fields: { latitude: 'float', longitude: 'float' },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: [],
}).version;

const EDGES = [
  ...[
    -0, 0, 1e-10, 4.9e-10, 5e-10, -5e-10, 1e-9, 44.9999999995, 45, 45.0000000004, -45,
    89.9999999996,
  ],
  ...[90, -90, -89.999999999, 1 / 3, 46.948],
];

test('vectors in SQL have the bits of those in JavaScript', async () => {
  const random = randomNumbers(announceSeed('vectors in SQL'));
  const drawn = Array.from({ length: POINTS }, () => [random() * 180 - 90, random() * 360 - 180]);
  const onEdges = EDGES.flatMap((latitude) =>
    [...EDGES, 135, -135, 134.9999999999, 180, -180, 179.9999999996].map((longitude) => [
      latitude,
      longitude,
    ]),
  );
  const points = [...drawn, ...onEdges];
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run(
      `CREATE TABLE points (number INTEGER, ${sortedColumn(0)} DOUBLE, ${sortedColumn(1)} DOUBLE)`,
    );
    const appender = await connection.createAppender('points');
    for (const [number, [latitude = 0, longitude = 0]] of points.entries()) {
      appender.appendInteger(number);
      appender.appendDouble(latitude);
      appender.appendDouble(longitude);
      appender.endRow();
    }
    appender.closeSync();
    await connection.run(
      'INSERT INTO points VALUES (-1, NULL, 1), (-2, 1, NULL), (-3, NULL, NULL)',
    );
    const query = withVectors('SELECT * FROM points', dataset);
    const read = await connection.runAndReadAll(
      `SELECT ${VECTOR_VALUES.join(', ')} FROM (${query}) ORDER BY number`,
    );
    const [, , , ...vectors] = read.getRows();
    expect(read.getRows().slice(0, 3)).toEqual([
      [null, null, null],
      [null, null, null],
      [null, null, null],
    ]);
    const expected = points.map(([latitude = 0, longitude = 0]) => {
      const { x, y, z } = unitVector(longitude, latitude);
      return [x, y, z];
    });
    const different = vectors.findIndex((vector, index) =>
      vector.some((value, axis) => !Object.is(value, expected[index]?.[axis])),
    );
    expect(points[different]).toBeUndefined();
    expect(vectors.length).toBe(points.length);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});

test('a version that extends one without vectors has those of all records', async () => {
  await using folder = scopedFolder();
  const temporaryDirectory = join(folder.path, 'temporary');
  await mkdir(temporaryDirectory);
  const point = { latitude: 'latitude', longitude: 'longitude' };
  const shape = {
    fields: { id: 'string', latitude: 'float', longitude: 'float' },
    key: ['id'],
    point,
  } as const;
  const limits = { memoryLimitBytes: 2 ** 29, threads: 1 };
  const imported = async (
    name: string,
    {
      lines,
      ...more
    }: Partial<ImportOptions> & { readonly lines: string } & Pick<DatasetShape, 'vectors'>,
  ): Promise<Awaited<ReturnType<typeof readRows>>> => {
    const { vectors, ...options } = more;
    const directory = join(folder.path, name);
    await mkdir(directory);
    const file = join(folder.path, `${name}.csv`);
    await writeFile(file, `id,latitude,longitude\n${lines}\n`);
    await importDataset({
      declared: declareDataset({ ...shape, ...(vectors && { vectors }) }, 'csv', [file]),
      writers: [columnWriter],
      directory,
      temporaryDirectory,
      ...limits,
      ...options,
      reused: importInstance(limits),
    });
    return readRows(join(directory, COLUMN_FILE));
  };
  const old = await imported('old', { lines: 'a,0,90\nc,,' });
  expect(old.columns).not.toContain('_vector_x');
  const base = {
    version: 'old',
    folder: join(folder.path, 'old'),
    sources: [],
    wholeFiles: [],
    isDeclaredAlike: false,
    replaced: undefined,
  };
  const extended = await imported('new', { lines: 'b,90,0', vectors: point, base });
  expect(extended.columns.slice(-3)).toEqual(['_vector_x', '_vector_y', '_vector_z']);
  expect(extended.rows.map((row) => row.slice(-3))).toEqual([
    ['0.0', '1.0', '0.0'],
    ['0.0', '0.0', '1.0'],
    [null, null, null],
  ]);
});
