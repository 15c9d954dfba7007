import { FIELD_TYPES, type Field, type FieldType } from '@locmetrics/core/domain/field';
import { INTEGER_MAX, INTEGER_MIN, type Value } from '@locmetrics/core/domain/value';
import fc from 'fast-check';

/** A page of records with values of every type, absent ones included. */
export type RecordsAnswer = {
  readonly fields: readonly Field[];
  readonly rows: readonly (readonly Value[])[];
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: string;
  readonly version: string;
};

/** Texts with JSON escapes at any place of a word, beyond ASCII, and of any length. */
const text = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter(isStored),
  fc.string({ minLength: 1, maxLength: 40, size: 'max' }),
  fc.constantFrom(
    '"',
    '\\',
    'abc"',
    'abcd\\',
    '\u001f\u0020',
    '\u007f',
    'é',
    '\u{10ffff}',
    '\u2028',
  ),
  fc.integer({ min: 250, max: 260 }).map((length) => 'x'.repeat(length)),
);

function isStored(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}

const VALUES: Readonly<Record<FieldType, fc.Arbitrary<Value>>> = {
  string: text,
  integer: fc.oneof(
    fc.bigInt({ min: INTEGER_MIN, max: INTEGER_MAX }),
    fc.integer().map(BigInt),
    fc.constantFrom(
      0n,
      -1n,
      2n ** 31n,
      -(2n ** 31n),
      2n ** 53n - 1n,
      2n ** 53n,
      -(2n ** 53n),
      2n ** 53n + 1n,
    ),
  ),
  float: fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    // As most are: decimals with few places.
    fc
      .tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.integer({ min: 0, max: 12 }))
      .map(([units, places]) => units / 10 ** places + 0),
    fc.constantFrom(0, 1e21, 1e-7, 1e-6, 123456789.1234567, 99999999.9999999, 0.1 + 0.2, 5e-324),
  ),
  boolean: fc.boolean(),
  date: fc.constantFrom('0001-01-01', '1969-12-31', '1970-01-01', '2024-02-29', '9999-12-31'),
};

export const randomRecords: fc.Arbitrary<RecordsAnswer> = fc
  .record({
    types: fc.array(fc.constantFrom(...FIELD_TYPES), { minLength: 1, maxLength: 6 }),
    size: fc.integer({ min: 0, max: 20 }),
  })
  .chain(({ types, size }) =>
    fc.record({
      fields: fc.constant(
        types.map((type, index) => ({
          name: `${type}_${'x'.repeat(index)}`,
          type,
          sourceColumn: 'place."ä".value',
          description: 'A field.',
          exampleValue: '',
          includedByDefault: true,
        })),
      ),
      rows: fc.array(
        fc.tuple(...types.map((type) => fc.option(VALUES[type], { nil: null, freq: 5 }))),
        { minLength: size, maxLength: size },
      ),
      totalSize: fc.constantFrom(0, size, 2 ** 40),
      cost: fc.constantFrom({}, { costRows: size }),
      nextPageToken: text,
      version: text,
    }),
  )
  .map(({ cost, ...answer }) => ({ ...answer, ...cost }));
