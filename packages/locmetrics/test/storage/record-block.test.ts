// @module-tag sized

import { dayOf } from '@locmetrics/core/dates/stored-day';
import { FIELD_TYPES, type Field, type FieldType } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import { type VisitRecord, viewBytes } from '@locmetrics/core/domain/value-visitor';
import { rowsOfVisits } from '@locmetrics/row-store/engine/rows-of-visits';
import { insertRecord } from '@locmetrics/row-store/insert-record';
import { openBlock, openBlockEncoder } from '@locmetrics/row-store/record-block';
import { copyRecord, visitSingle } from '@locmetrics/row-store/single-record';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atLeast, testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';

const RUNS = testCount('BLOCKS', { few: 100, all: 500 });

/** As a writer has them: dates as days since 1970. */
const STORED: Readonly<Record<FieldType, fc.Arbitrary<Value>>> = {
  string: fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.constantFrom('é', '\u{10ffff}', 'x'.repeat(300), 'ü'.repeat(40_000)),
  ),
  integer: fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(-128n, 127n, 128n, -(2n ** 31n), 2n ** 31n, 0n, 2n ** 53n + 1n),
  ),
  float: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  // 0001-01-01 to 9999-12-31.
  date: fc.integer({ min: -719_162, max: 2_932_896 }),
};

/** Columns of some types: random values, one value, none, or some absent. */
const randomBlock = fc
  .tuple(
    fc.array(fc.constantFrom(...FIELD_TYPES), { maxLength: 6 }),
    fc.integer({ min: 1, max: 40 }),
  )
  .chain(([types, count]) =>
    fc.record({
      types: fc.constant(types),
      count: fc.constant(count),
      columns: fc.tuple(...types.map((type) => randomColumn(STORED[type], count))),
    }),
  );

function randomColumn(value: fc.Arbitrary<Value>, count: number): fc.Arbitrary<readonly Value[]> {
  const ofAll = (one: fc.Arbitrary<Value>) => fc.array(one, { minLength: count, maxLength: count });
  return fc.oneof(
    ofAll(value),
    value.map((one) => new Array<Value>(count).fill(one)),
    ofAll(fc.constant(null)),
    ofAll(fc.option(value)),
  );
}

test('random blocks are decoded as they were encoded, by column and by record', () => {
  const seed = announceSeed('blocks of records');
  const seen = new Set<string>();
  const property = fc.property(randomBlock, ({ types, count, columns }) => {
    const block = Buffer.from(openBlockEncoder(types).encode(columns, count));
    const opened = openBlock(block, types);
    expect(opened.count).toBe(count);
    const expected = columns.map((column, index) =>
      types[index] === 'date'
        ? column.map((days) => (days === null ? null : dayOf(Number(days))))
        : column,
    );
    for (const [index, values] of expected.entries()) {
      seen.add(`${types[index]}`);
      expect(Array.from(opened.valuesOf(index))).toStrictEqual(values);
      expect(values.map((_, record) => opened.valueAt(index, record))).toStrictEqual(values);
    }
    // Every second field, the last one first.
    const places = Int32Array.from(types, (_, index) =>
      index % 2 === 0 ? index / 2 : -1,
    ).reverse();
    const visited = { types, places, length: types.length };
    const wanted = types
      .filter((_, index) => places[index] !== -1)
      .map((_, place) => {
        return { type: types[places.indexOf(place)] } as Field;
      });
    for (let record = 0; record < count; record += 1) {
      const values: unknown[] = [];
      for (const [index, place] of places.entries()) {
        if (place >= 0) values[place] = expected[index]?.[record];
      }
      const copy = Buffer.alloc(block.length + 2, 0xff);
      const end = copyRecord(block, types, record, { bytes: copy, start: 2 });
      expect(end).toBeLessThanOrEqual(copy.length);
      const bytes = viewBytes(copy.subarray(0, end));
      const visit: VisitRecord = (_, visitor) => visitSingle(bytes, 2, visited, visitor);
      expect(rowsOfVisits(visit, 1, wanted)).toStrictEqual([values]);
    }
  });
  fc.assert(property, { seed, numRuns: RUNS });
  expect(seen.size).toBe(FIELD_TYPES.length);
});

test('one encoder can encode blocks of any size one after the other', () => {
  const encoder = openBlockEncoder(['string']);
  for (const text of ['a', 'b'.repeat(200_000), 'c']) {
    const block = Buffer.from(encoder.encode([[text, text]], 2));
    expect(openBlock(block, ['string']).valuesOf(0)).toEqual([text, text]);
  }
});

test('a record inserted into a block gives the bytes of all records, or the block is left alone', () => {
  const seed = announceSeed('records inserted into blocks');
  let inserts = 0;
  const property = fc.property(randomBlock, fc.nat(), ({ types, count, columns }, place) => {
    // A block of a file has at least one record.
    fc.pre(count > 1);
    const index = place % count;
    const encode = (part: typeof columns, records: number) =>
      Buffer.from(openBlockEncoder(types).encode(part, records));
    const others = columns.map((values) => values.toSpliced(index, 1));
    const one = columns.map((values) => values.slice(index, index + 1));
    const inserted = insertRecord(encode(others, count - 1), encode(one, 1), types, index);
    if (inserted !== undefined) inserts += 1;
    expect([undefined, encode(columns, count)]).toContainEqual(inserted);
  });
  fc.assert(property, { seed, numRuns: RUNS });
  expect(inserts).toBeGreaterThan(atLeast(50));
});

test('bytes that end too early are refused', () => {
  const block = Buffer.from(
    openBlockEncoder(['integer', 'string']).encode(
      [
        [1n, 300n],
        ['a', 'b'],
      ],
      2,
    ),
  );
  for (let length = 0; length < block.length; length += 1) {
    const cut = block.subarray(0, length);
    expect(() => openBlock(cut, ['integer', 'string'])).toThrow(RangeError);
  }
});

test('ordinals of any size are read as numbers', () => {
  for (const ordinals of [
    [7n, 7n],
    [0n, 200n],
    [0n, 2n ** 40n],
    [1n, 2n ** 53n - 1n],
  ]) {
    const block = Buffer.from(openBlockEncoder(['integer']).encode([ordinals], 2));
    const opened = openBlock(block, ['integer']);
    expect(Array.from(opened.keysOf(0))).toEqual(ordinals.map(Number));
  }
});

test('integers that are given as numbers have the same bytes as bigints', () => {
  const encode = (values: readonly (number | bigint)[]) =>
    Buffer.from(openBlockEncoder(['integer']).encode([values], values.length)).toString('hex');
  for (const power of [0, 7, 8, 15, 16, 31, 32, 53]) {
    const edges = [2 ** power, 2 ** power - 1, -(2 ** power), -(2 ** power) - 1];
    for (const edge of edges.filter(Number.isSafeInteger)) {
      expect(encode([edge, 0])).toBe(encode([BigInt(edge), 0n]));
    }
  }
});
