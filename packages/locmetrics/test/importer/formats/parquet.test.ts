import { DuckDBInstance } from '@duckdb/node-api';
import type { FieldType } from '@locmetrics/core/domain/field';
import { expect, test } from 'vitest';
import type { DatasetShape } from '../declare-dataset.ts';
import { type FileContent, importFiles, refusalOf } from '../import-files.ts';

test('columns are read by their types', async () => {
  const cases: readonly (readonly [FieldType, string, string])[] = [
    ['string', `'007'`, '007'],
    ['string', `'x'::ENUM('x')`, 'x'],
    ['string', '42::UTINYINT', '42'],
    [
      'string',
      `'6dc2a7f1-2d3b-4a0e-9a39-0f2d3c7b8a11'::UUID`,
      '6dc2a7f1-2d3b-4a0e-9a39-0f2d3c7b8a11',
    ],
    ['integer', '9223372036854775807::UBIGINT', '9223372036854775807'],
    ['integer', '-5::TINYINT', '-5'],
    ['integer', '12::DOUBLE', '12'],
    ['integer', '12.00::DECIMAL(10, 2)', '12'],
    ['integer', `' 12'`, '12'],
    ['float', '0.1::FLOAT', '0.1'],
    ['float', '-0.0::DOUBLE', '0.0'],
    ['float', '8.331::DECIMAL(10, 3)', '8.331'],
    ['float', '3::INTEGER', '3.0'],
    ['boolean', 'true', 'true'],
    ['boolean', `'FALSE'`, 'false'],
    ['date', `DATE '2023-01-31'`, '2023-01-31'],
    ['date', `TIMESTAMP '2023-01-31 00:00:00'`, '2023-01-31'],
    ['date', `TIMESTAMP_NS '2023-01-31 00:00:00'`, '2023-01-31'],
    ['date', `'2023-01-31'`, '2023-01-31'],
    ['float', 'NULL::DOUBLE', 'absent'],
    ['string', `' '`, 'absent'],
  ];
  const columns = cases.map(([, sql], index) => `${sql} AS value_${index}`);
  const fields = cases.map(([type], index) => [`value_${index}`, type] as const);
  const { rows } = await importFiles(
    'parquet',
    { 'p.parquet': parquet(`SELECT 'k' AS id, ${columns.join(', ')}`) },
    { fields: { id: 'string', ...Object.fromEntries(fields) }, key: ['id'] },
  );
  const read = rows[0]?.slice(2, 2 + cases.length).map((value) => value ?? 'absent');
  expect(read).toEqual(cases.map((one) => one[2]));
});

test('values outside the type of the field are refused', async () => {
  const cases: readonly (readonly [FieldType, string])[] = [
    ['integer', '9223372036854775808::UBIGINT'],
    ['integer', '1.5::DOUBLE'],
    ['integer', `'inf'::DOUBLE`],
    ['integer', '1e300::DOUBLE'],
    ['integer', '12.50::DECIMAL(10, 2)'],
    ['float', `'nan'::DOUBLE`],
    ['float', `'-inf'::FLOAT`],
    ['date', `TIMESTAMP '2023-01-31 00:00:01'`],
    ['date', `DATE '0001-01-01' - 1`],
    ['date', `'31.1.2023'`],
    ['boolean', `'yes'`],
    ['string', `'a' || chr(0)`],
  ];
  const refusals: string[] = [];
  for (const [type, sql] of cases) {
    refusals.push(
      await refusalOf(importFiles('parquet', { 'p.parquet': table(sql) }, shapeOf(type))),
    );
  }
  expect(refusals.join('\n')).toMatchInlineSnapshot(`
    "p.parquet, row 1: value: '9223372036854775808' is not between -9223372036854775808 and 9223372036854775807. Declare the field as string if it is an identifier.
    p.parquet, row 1: value: '1.5' is not a whole number. Write it without a fraction, or declare the field as float.
    p.parquet, row 1: value: 'inf' is not a whole number.
    p.parquet, row 1: value: '1e+300' is not between -9223372036854775808 and 9223372036854775807. Declare the field as string if it is an identifier.
    p.parquet, row 1: value: '12.50' is not a whole number. Write it without a fraction, or declare the field as float.
    p.parquet, row 1: value: 'nan' is not a finite number.
    p.parquet, row 1: value: '-inf' is not a finite number.
    p.parquet, row 1: value: '2023-01-31 00:00:01' has a time of day, so it is not a date.
    p.parquet, row 1: value: '0001-12-31 (BC)' is not a day of the calendar from 0001-01-01 to 9999-12-31.
    p.parquet, row 1: value: '31.1.2023' is not a date YYYY-MM-DD. Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.
    p.parquet, row 1: value: 'yes' is not true or false. Declare how the files write true and false, such as format: yes/no.
    p.parquet, row 1: value: 'a\\u0000' contains the character U+0000."
  `);
});

test('column types that do not fit the field are refused', async () => {
  const cases: readonly (readonly [FieldType, string])[] = [
    ['string', '1.5::DOUBLE'],
    ['string', 'true'],
    ['string', `'x'::BLOB`],
    ['integer', 'true'],
    ['float', `DATE '2023-01-31'`],
    ['boolean', '1'],
    ['date', `TIMESTAMPTZ '2023-01-31 00:00:00'`],
    ['date', '[1, 2]'],
  ];
  const refusals: string[] = [];
  for (const [type, sql] of cases) {
    refusals.push(
      await refusalOf(importFiles('parquet', { 'p.parquet': table(sql) }, shapeOf(type))),
    );
  }
  expect(refusals.join('\n')).toMatchInlineSnapshot(`
    "p.parquet: value: the column 'value' has the type DOUBLE, which cannot be read as string. Write the column as string or as text.
    p.parquet: value: the column 'value' has the type BOOLEAN, which cannot be read as string. Write the column as string or as text.
    p.parquet: value: the column 'value' has the type BLOB, which cannot be read as string. Write the column as a string (UTF8).
    p.parquet: value: the column 'value' has the type BOOLEAN, which cannot be read as integer. Write the column as integer or as text.
    p.parquet: value: the column 'value' has the type DATE, which cannot be read as float. Write the column as float or as text.
    p.parquet: value: the column 'value' has the type INTEGER, which cannot be read as boolean. Write the column as boolean or as text.
    p.parquet: value: the column 'value' has the type TIMESTAMP WITH TIME ZONE, which cannot be read as date. Write the column as a date, or as text YYYY-MM-DD.
    p.parquet: value: the column 'value' has the type INTEGER[], which cannot be read as date. Write the column as a date, or as text YYYY-MM-DD."
  `);
});

test('column names are case-sensitive, and a missing one is refused with the nearest name', async () => {
  const shape: DatasetShape = { fields: { id: 'string', name: 'string' }, key: ['id'] };
  const file = parquet(`SELECT 'a' AS id, 'b' AS "Name"`);
  expect(
    await refusalOf(importFiles('parquet', { 'p.parquet': file }, shape)),
  ).toMatchInlineSnapshot(`"p.parquet: name: the column 'name' is missing. Did you mean 'Name'?"`);
  const { rows } = await importFiles(
    'parquet',
    { 'p.parquet': file },
    { ...shape, columns: { name: 'Name' } },
  );
  expect(rows).toEqual([['0', 'a', 'b', 'a', 'b']]);
});

test('rows are reported by their number, over several files', async () => {
  const shape: DatasetShape = { fields: { id: 'string', n: 'integer' }, key: ['id'] };
  const files = {
    'a.parquet': parquet(`SELECT 'k' || range AS id, range::VARCHAR AS n FROM range(300000)`),
    'b.parquet': parquet(
      `SELECT * FROM (VALUES ('x', '1'), ('k200000', '2'), ('z', 'bad')) t(id, n)`,
    ),
  };
  expect(await refusalOf(importFiles('parquet', files, shape))).toMatchInlineSnapshot(`
    "b.parquet, row 2: id: 'k200000' is already in row 200001 of a.parquet.
    b.parquet, row 3: n: 'bad' is not a whole number."
  `);
});

test('a file that is not Parquet is refused', async () => {
  const shape = shapeOf('string');
  expect(
    await refusalOf(importFiles('parquet', { 'p.parquet': 'id,value\n1,2\n' }, shape)),
  ).toMatchInlineSnapshot(
    `"p.parquet: cannot be read as Parquet (No magic bytes found at end of file '/files/p.parquet'). It may be cut short or damaged, or have another format: write it again."`,
  );
});

function shapeOf(type: FieldType): DatasetShape {
  return { fields: { id: 'string', value: type }, key: ['id'] };
}

function table(value: string): FileContent {
  return parquet(`SELECT 'k' AS id, ${value} AS value`);
}

function parquet(query: string): FileContent {
  return async (path) => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
  };
}
