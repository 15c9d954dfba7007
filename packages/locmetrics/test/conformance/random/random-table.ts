import type { Value } from '@locmetrics/core/domain/value';
import fc from 'fast-check';
import { defineTable, type SourceRow, type Table } from '../table.ts';

/** Few values for each field, so that ties, absent values and case variants are frequent. */
export const TEXTS = [
  'a',
  'A',
  'a ',
  '\ufeffA',
  'ab',
  'ä',
  'Ä',
  'A\u0308',
  'ß',
  'ẞ',
  'İ',
  'ı',
  'i',
  'σ',
  'ς',
  'Σ',
  'ǅ',
  '𐐀',
  '\uFFFD',
  '%',
  '_a',
  '\\',
  '1',
  "it's",
] as const;
export const INTEGERS = [
  -(2n ** 63n),
  -1n,
  0n,
  1n,
  10n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
] as const;
export const FLOATS = [
  -Number.MAX_VALUE,
  -1.5,
  -0,
  0,
  5e-324,
  1e-7,
  0.1,
  0.3,
  0.1 + 0.2,
  1,
  1e16,
  1e21,
] as const;
export const DAYS = ['0001-01-01', '1899-12-31', '2024-02-28', '2024-02-29', '9999-12-31'] as const;
export const LONGITUDES = [-180, -179.5, -10, 0, 10, 179.5, 180] as const;
export const LATITUDES = [-90, -45.5, 0, 45.5, 90] as const;

const ROWS_MAX = 40;

const absentOr = <Item extends Value>(items: readonly Item[]) =>
  fc.option(fc.constantFrom(...items), { freq: 4, nil: null });
/** A start, and an end on the same day or later. */
const span = fc
  .tuple(absentOr(DAYS), absentOr(DAYS))
  .map(([one, other]) =>
    one !== null && other !== null && one > other ? [other, one] : [one, other],
  );

const rowWithoutKey = fc
  .record({
    name: absentOr([...TEXTS, ' ']),
    kind: absentOr(TEXTS.slice(0, 4)),
    count: absentOr(INTEGERS),
    score: absentOr(FLOATS),
    open: absentOr([true, false]),
    day: absentOr(DAYS),
    point: fc.option(fc.tuple(fc.constantFrom(...LATITUDES), fc.constantFrom(...LONGITUDES))),
    period: span,
    existence: span,
  })
  .map(
    ({ point, period, existence, ...values }): SourceRow => ({
      ...values,
      latitude: point?.[0] ?? null,
      longitude: point?.[1] ?? null,
      first_day: period[0] ?? null,
      last_day: period[1] ?? null,
      opened: existence[0] ?? null,
      closed: existence[1] ?? null,
    }),
  );

export const FIELDS = {
  name: 'string',
  kind: 'string',
  count: 'integer',
  score: 'float',
  open: 'boolean',
  day: 'date',
  latitude: 'float',
  longitude: 'float',
  first_day: 'date',
  last_day: 'date',
  opened: 'date',
  closed: 'date',
  code: 'string',
  number: 'integer',
  since: 'date',
} as const;

/** The possible keys of a table: one field, or two fields in either order of types. */
const keyed = fc.oneof(
  keyedRows(['number'], ({ number }) => number),
  keyedRows(['code'], ({ code }) => code),
  keyedRows(['code', 'since'], ({ code, since }) => `${code}/${since}`),
  keyedRows(['number', 'code'], ({ number, code }) => `${number}/${code}`),
);

function keyedRows(key: readonly string[], text: (row: SourceRow) => Value | undefined) {
  const row = fc
    .tuple(
      rowWithoutKey,
      fc.record({
        code: fc.constantFrom(...TEXTS),
        number: fc.oneof(fc.constantFrom(...INTEGERS), fc.bigInt(-50n, 50n)),
        since: fc.constantFrom(...DAYS),
      }),
    )
    .map(([values, keys]): SourceRow => ({ ...values, ...keys }));
  const firstOfEachKey = (rows: readonly SourceRow[]) => [
    ...new Map(rows.toReversed().map((found) => [text(found), found])).values(),
  ];
  return fc
    .noBias(fc.array(row, { maxLength: ROWS_MAX, size: 'max' }))
    .map((rows) => ({ key, rows: firstOfEachKey(rows) }));
}

/** A random dataset with any combination of the roles that a manifest can give to fields. */
export const randomTable: fc.Arbitrary<Table> = fc
  .record({
    keyed,
    hasPoint: fc.boolean(),
    hasPeriod: fc.boolean(),
    existence: fc.constantFrom(
      undefined,
      { start: 'opened' },
      { end: 'closed' },
      { start: 'opened', end: 'closed' },
    ),
    hidden: fc.subarray(['name', 'score', 'number']),
    sorted: fc.subarray(Object.keys(FIELDS)),
    searchable: fc.subarray(Object.keys(FIELDS)),
  })
  .map(({ keyed: { key, rows }, hasPoint, hasPeriod, existence, hidden, sorted, searchable }) =>
    defineTable({
      name: 'conformance.random',
      fields: Object.fromEntries(
        Object.entries(FIELDS).map(([name, type]) => [
          name,
          {
            type,
            // Sums of floats are refused otherwise.
            ...(name === 'score' ? { additive: 'all' as const } : {}),
            includedByDefault: !hidden.includes(name),
            ...(sorted.includes(name) ? { sorted: true } : {}),
            ...(searchable.includes(name) ? { searchable: true } : {}),
          },
        ]),
      ),
      key,
      rows,
      ...(hasPoint ? { point: { latitude: 'latitude', longitude: 'longitude' } } : {}),
      ...(hasPeriod ? { period: { start: 'first_day', end: 'last_day' } } : {}),
      ...(existence === undefined ? {} : { existence }),
    }),
  );
