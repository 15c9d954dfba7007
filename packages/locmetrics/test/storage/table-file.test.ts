import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFileOpener } from '@locmetrics/column-store/table-files/open-table-file';
import type { Value } from '@locmetrics/core/domain/value';
import { type TypedColumn, visitRows } from '@locmetrics/core/domain/value-visitor';
import { Stop } from '@locmetrics/core/runtime/stop';
import { expect, test } from 'vitest';
import { mayMount, withSmallDisk } from '../support/full-disk.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const pathOf = useTemporaryFolder('test');

const COLUMNS: readonly TypedColumn[] = [
  { name: 'name', type: 'string' },
  { name: 'visits', type: 'integer' },
  { name: 'share', type: 'float' },
  { name: 'day', type: 'date' },
  { name: 'is_open', type: 'boolean' },
];

test('a Parquet file has the rows in order, with their types and the metadata', async () => {
  const file = await open(pathOf('table.parquet'), { metadata: { licence: "the city's", v: '1' } });
  await file.add(rowsOf([['\uFEFFcafé "a"', 2n ** 63n - 1n, 0.1, '0001-01-01', true]]));
  await file.add(rowsOf([]));
  await file.add(
    rowsOf([
      [null, null, null, null, null],
      ['', -(2n ** 63n), 5e-324, '9999-12-31', false],
    ]),
  );
  await file.finish();
  const path = pathOf('table.parquet');
  expect(await query(`SELECT * REPLACE (CAST(day AS VARCHAR) AS day) FROM '${path}'`)).toEqual([
    ['\uFEFFcafé "a"', 2n ** 63n - 1n, 0.1, '0001-01-01', true],
    [null, null, null, null, null],
    ['', -(2n ** 63n), 5e-324, '9999-12-31', false],
  ]);
  expect(await query(`SELECT column_name, column_type FROM (DESCRIBE FROM '${path}')`)).toEqual([
    ['name', 'VARCHAR'],
    ['visits', 'BIGINT'],
    ['share', 'DOUBLE'],
    ['day', 'DATE'],
    ['is_open', 'BOOLEAN'],
  ]);
  expect(
    await query(`SELECT decode(key), decode(value) FROM parquet_kv_metadata('${path}') ORDER BY 1`),
  ).toEqual([
    ['licence', "the city's"],
    ['v', '1'],
  ]);
  expect(leftIn(path)).toEqual(['table.parquet']);
});

test('rows of several row groups keep their order', async () => {
  const path = pathOf('long.parquet');
  const file = await open(path, { columns: [{ name: 'number', type: 'integer' }] });
  for (let from = 0; from < 300_000; from += 10_000) {
    await file.add({
      size: 10_000,
      visit: (index, visitor) => visitor.number(0, from + index),
    });
  }
  await file.finish();
  const inOrder = `SELECT count(*), bool_and(number = file_row_number) FROM read_parquet('${path}', file_row_number = true)`;
  expect(await query(inOrder)).toEqual([[300_000n, true]]);
});

test('a table without rows is a Parquet file with its columns', async () => {
  const path = pathOf('empty.parquet');
  const file = await open(path);
  await file.finish();
  expect(await query(`SELECT * FROM '${path}'`)).toEqual([]);
  expect(await query(`SELECT count(*) FROM (DESCRIBE FROM '${path}')`)).toEqual([[5n]]);
});

test('an aborted file leaves nothing, and takes no further rows', async () => {
  const file = await open(pathOf('aborted.parquet'));
  await file.add(rowsOf([['a', 1n, 1, '2024-01-01', true]]));
  await file.abort();
  await file.abort();
  expect(leftIn(pathOf('aborted.parquet'))).toEqual([]);
  await expect(file.add(rowsOf([]))).rejects.toThrow('aborted');
});

test('abort stops the writing that runs', async () => {
  const file = await open(pathOf('stopped.parquet'));
  const adding = file.add({
    size: 1_000_000_000,
    visit: (_, visitor) => {
      for (const [index] of COLUMNS.entries()) visitor.value(index, null);
    },
  });
  const failing = expect(adding).rejects.toThrow('aborted');
  await file.abort();
  await failing;
  expect(leftIn(pathOf('stopped.parquet'))).toEqual([]);
});

test('a signal stops the writing with its reason', async () => {
  const stop = new Stop();
  const file = await open(pathOf('left.parquet'), { signal: stop });
  stop.abort(new Error('the caller has gone'));
  await expect(file.finish()).rejects.toThrow('the caller has gone');
  expect(leftIn(pathOf('left.parquet'))).toEqual([]);
});

test('a visit that fails ends the file with its error', async () => {
  const file = await open(pathOf('failed.parquet'));
  const visit = () => {
    throw new Error('damaged block');
  };
  await expect(file.add({ size: 1, visit })).rejects.toThrow('damaged block');
  expect(leftIn(pathOf('failed.parquet'))).toEqual([]);
  await expect(file.finish()).rejects.toThrow('damaged block');
});

test.runIf(mayMount)('a full disk is reported as such, and nothing is left', async () => {
  const folder = pathOf('disk');
  await withSmallDisk(folder, '2m', async () => {
    const file = await open(`${folder}/full.parquet`);
    const add = (from: number) =>
      file.add({
        size: 10_000,
        visit: (index, visitor) => {
          visitor.value(0, `${Math.sin(from + index)}`);
          for (const field of [1, 2, 3, 4]) visitor.value(field, null);
        },
      });
    const fill = async () => {
      for (let from = 0; from < 2_000_000; from += 10_000) await add(from);
      await file.finish();
    };
    await expect(fill()).rejects.toMatchObject({ reason: 'DISK_FULL' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

function open(path: string, file: Partial<Parameters<ReturnType<typeof tableFileOpener>>[0]> = {}) {
  const openTableFile = tableFileOpener({ memoryLimitBytes: 128 * 2 ** 20, threads: 1 });
  return openTableFile({ path, columns: COLUMNS, metadata: {}, ...file });
}

function rowsOf(rows: readonly (readonly Value[])[]) {
  return { size: rows.length, visit: visitRows(rows) };
}

function leftIn(path: string): readonly string[] {
  return readdirSync(dirname(path));
}

async function query(sql: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(sql);
  const rows = reader.getRowsJS();
  connection.closeSync();
  instance.closeSync();
  return rows;
}
