// @module-tag sized

import { strict as assert } from 'node:assert';
import type { Field, FieldType } from '@locmetrics/core/domain/field';
import type { ValueVisitor } from '@locmetrics/core/domain/value-visitor';
import { viewBytes } from '@locmetrics/core/domain/value-visitor';
import { expectAt } from '@locmetrics/core/errors/expect-at';
import {
  openRecordCache,
  type RecordCache,
  type RecordPlaces,
} from '@locmetrics/row-store/engine/record-cache';
import { rowsOfVisits } from '@locmetrics/row-store/engine/rows-of-visits';
import { openBlockEncoder } from '@locmetrics/row-store/record-block';
import { copyRecord, visitSingle } from '@locmetrics/row-store/single-record';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testCount } from '../support/test-count.ts';
import { announceSeed } from '../support/test-seed.ts';

const MEBIBYTE = 2 ** 20;
const TYPES: readonly FieldType[] = ['integer', 'string'];
const FIELDS = TYPES.map((type) => ({ name: type, type }) as Field);
const VISITED = { types: TYPES, places: Int32Array.of(0, 1), length: 2 };

const ENCODER = openBlockEncoder(TYPES);

/** Each record of its ordinal: that number, and a text of some size. */
function blockOf(ordinal: number, textBytes: number): Buffer {
  const text = String(ordinal).padEnd(textBytes, '.');
  return Buffer.from(ENCODER.encode([[BigInt(ordinal)], [text]], 1));
}

function read(ordinal: number, cache: RecordCache, textBytes: number): RecordPlaces {
  const page: RecordPlaces = { pieces: [], starts: [] };
  if (cache.find(ordinal, 0, page)) return page;
  cache.keep(ordinal, 0, page, { block: blockOf(ordinal, textBytes), record: 0 });
  return page;
}

/** The first value of the record, whose text must belong to it. `expect` would take most of the time of so many. */
function ordinalIn({ pieces, starts }: RecordPlaces): unknown {
  const [row] = rowsOfVisits(
    (_, visitor) => visitSingle(expectAt(pieces, 0), expectAt(starts, 0), VISITED, visitor),
    1,
    FIELDS,
  );
  const [ordinal, text] = [row?.[0], String(row?.[1])];
  assert.equal(text, String(ordinal).padEnd(text.length, '.'));
  return ordinal;
}

test.each([1, 300, 40_000, 500_000])(
  'records of %i bytes are found until the memory is full, and the first ones are dropped',
  (textBytes) => {
    const cache = openRecordCache(TYPES, 2 * MEBIBYTE);
    const count = Math.min(40_000, Math.ceil((8 * MEBIBYTE) / textBytes));
    let bytesMax = 0;
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      assert.equal(ordinalIn(read(ordinal, cache, textBytes)), BigInt(ordinal));
      bytesMax = Math.max(bytesMax, cache.bytes());
    }
    expect(bytesMax).toBeLessThanOrEqual(2 * MEBIBYTE);
    const found = (ordinal: number) => cache.find(ordinal, 0, { pieces: [], starts: [] });
    expect(found(0)).toBe(false);
    // One that does not fit into a piece of memory is not kept.
    expect(found(count - 1)).toBe(textBytes < 500_000);
    cache.clear();
    expect([cache.bytes(), found(count - 1)]).toEqual([0, false]);
    expect(ordinalIn(read(7, cache, textBytes))).toBe(7n);
  },
);

test('a page keeps its records when the cache drops them', () => {
  const cache = openRecordCache(TYPES, MEBIBYTE);
  const pages: RecordPlaces[] = [];
  for (let ordinal = 0; ordinal < 10_000; ordinal += 1) pages.push(read(ordinal, cache, 300));
  cache.clear();
  for (let ordinal = 0; ordinal < 500; ordinal += 1) read(ordinal, cache, 300);
  expect(pages.map(ordinalIn)).toEqual(pages.map((_, ordinal) => BigInt(ordinal)));
});

test('records in any order of any size are those of their ordinals', () => {
  const question = fc.record({
    ordinal: fc.oneof(fc.nat(300), fc.nat(5000)),
    textBytes: fc.oneof(
      { weight: 4, arbitrary: fc.nat(500) },
      { weight: 1, arbitrary: fc.constantFrom(20_000, 262_000, 262_144, 300_000) },
    ),
  });
  const property = fc.property(fc.array(question, { size: '+2' }), (questions) => {
    const cache = openRecordCache(TYPES, MEBIBYTE);
    for (const { ordinal, textBytes } of questions) {
      assert.equal(ordinalIn(read(ordinal, cache, textBytes)), BigInt(ordinal));
      assert(cache.bytes() <= MEBIBYTE);
    }
  });
  fc.assert(property, {
    seed: announceSeed('kept records'),
    numRuns: testCount('CACHED_RECORDS', { few: 5, all: 15 }),
  });
});

test('of a damaged block a record is refused, or it stays within its bytes', () => {
  const types: readonly FieldType[] = ['string', 'integer', 'string', 'float', 'boolean', 'date'];
  const columns = [
    ['a', 'bcd', null],
    [1n, 2n ** 40n, -5n],
    ['x'.repeat(300), 'é', 'y'],
    [1.5, null, 2],
    [true, false, null],
    [1, 20_000, null],
  ];
  const whole = Buffer.from(openBlockEncoder(types).encode(columns, 3));
  const visited = { types, places: Int32Array.from(types.keys()), length: types.length };
  let refused = 0;
  const property = fc.property(
    fc.nat(whole.length - 1),
    fc.nat(255),
    fc.nat(2),
    fc.nat(whole.length),
    (place, byte, record, length) => {
      const block = Buffer.from(whole);
      block[place] = byte;
      const cut = place % 3 === 0 ? block.subarray(0, length) : block;
      const bytes = Buffer.alloc(cut.length + 8);
      let end: number;
      try {
        end = copyRecord(cut, types, record, { bytes, start: 4 });
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        refused += 1;
        return;
      }
      expect(end).toBeLessThanOrEqual(4 + cut.length);
      const ignore = () => undefined;
      const visitor: ValueVisitor = {
        text: (_, __, from, to) => {
          expect(from).toBeGreaterThanOrEqual(4);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(end);
        },
        number: ignore,
        day: ignore,
        value: ignore,
      };
      visitSingle(viewBytes(bytes.subarray(0, end)), 4, visited, visitor);
    },
  );
  fc.assert(property, { seed: announceSeed('damaged blocks'), numRuns: 2000 });
  expect(refused).toBeGreaterThan(200);
});
