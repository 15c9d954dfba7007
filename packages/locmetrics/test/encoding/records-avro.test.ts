// @module-tag slow

import { FIELD_TYPES } from '@locmetrics/core/domain/field';
import { visitColumns, visitRows } from '@locmetrics/core/domain/value-visitor';
import { openByteWriter } from '@locmetrics/core/encoding/byte-writer';
import { avroBlocks } from '@locmetrics/core/encoding/records-avro';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAvro } from '../support/read-avro.ts';
import { announceSeed } from '../support/test-seed.ts';
import { randomRecords } from './random-records.ts';
import { visitStored } from './stored-records.ts';

const MARKER = Buffer.alloc(16, 'm');
const METADATA = {
  source: { dataset: 'map.shops' },
  version: '20240101T100000.000Z',
  licences: [{ name: 'ODbL-1.0', attribution: '© Shöps' }],
};

test('records are read back with their values and types, however they are stored', async () => {
  await fc.assert(
    fc.asyncProperty(randomRecords, async ({ fields, rows }) => {
      const columns = fields.map((_, field) => rows.map((row) => row[field] ?? null));
      for (const visit of [visitRows(rows), visitColumns(columns), visitStored(fields, rows)]) {
        const { head, lines } = avroBlocks({ columns: fields, metadata: METADATA }, MARKER);
        const page = { size: rows.length, visit };
        const file = Buffer.concat([
          head(fields),
          await lines(fields, page, true),
          await lines(fields, page, false),
        ]);
        const { schema, rows: read } = readAvro(file);
        expect(schema.fields.map(({ name }) => name)).toEqual(fields.map(({ name }) => name));
        expect(read).toEqual([...rows, ...rows]);
      }
    }),
    { seed: announceSeed('records in Avro'), numRuns: 200 },
  );
});

test('a file names its table, its types and its licence', async () => {
  const columns = FIELD_TYPES.map((type) => ({ name: `a_${type}`, type }));
  const { head } = avroBlocks({ columns, metadata: METADATA }, MARKER);
  const { schema, metadata } = readAvro(head(columns));
  expect(schema).toEqual({
    type: 'record',
    name: 'map.shops',
    fields: [
      { name: 'a_string', type: ['null', 'string'], default: null },
      { name: 'a_integer', type: ['null', 'long'], default: null },
      { name: 'a_float', type: ['null', 'double'], default: null },
      { name: 'a_boolean', type: ['null', 'boolean'], default: null },
      { name: 'a_date', type: ['null', { type: 'int', logicalType: 'date' }], default: null },
    ],
  });
  expect(metadata).toEqual({
    dataset: 'map.shops',
    version: METADATA.version,
    licence: 'ODbL-1.0',
    attribution: '© Shöps',
  });
});

test.each<readonly [number | bigint, string]>([
  [0, '00'],
  [-1, '01'],
  [1, '02'],
  [-64, '7f'],
  [64, '8001'],
  [2 ** 53 - 1, 'feffffffffffff1f'],
  [-(2 ** 53) + 1, 'fdffffffffffff1f'],
  [2n ** 63n - 1n, 'feffffffffffffffff01'],
  [-(2n ** 63n), 'ffffffffffffffffff01'],
])('the whole number %s has the bytes %s', (value, bytes) => {
  const out = openByteWriter(0);
  out.long(value);
  expect(out.end().toString('hex')).toBe(bytes);
});
