import type { Value } from '@locmetrics/core/domain/value';
import { interpolate, quantilePlace } from '@locmetrics/core/requests/quantile';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { type RecordsQuestion, useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where } from './filter-clause.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const BIG = 2n ** 63n - 1n;

const ROWS = [
  { id: 'a', city: 'Zug', day: '2024-01-31', count: 3n, score: 0.1, isOpen: true },
  { id: 'b', city: 'Zug', day: '2024-02-01', count: 40n, score: 0.2, isOpen: false },
  { id: 'c', city: null, day: '2024-02-29', count: BIG, score: 1e300, isOpen: true },
  { id: 'd', city: 'Bern', day: null, count: null, score: null, isOpen: null },
  { id: 'e', city: 'Zug', day: '2024-12-30', count: 7n, score: 0.7, isOpen: false },
  { id: 'f', city: 'Bern', day: '2023-12-31', count: BIG, score: -2.5, isOpen: true },
  { id: 'g', city: null, day: '0001-01-01', count: BIG, score: 3, isOpen: null },
  { id: 'h', city: 'Bern', day: '9999-12-31', count: -5n, score: 4, isOpen: true },
] as const;

describeOn(ENGINES)('groups, $name engine', (engine) => {
  const { listRecords, recordPages } = useService(
    engine,
    defineTable({
      name: 'conformance.groups',
      fields: {
        id: 'string',
        city: 'string',
        day: 'date',
        count: 'integer',
        score: { type: 'float', additive: 'all' },
        isOpen: 'boolean',
      },
      rows: ROWS.map((row) => ({ ...row })),
    }),
  );
  const rowsOf = async (question: RecordsQuestion): Promise<readonly (readonly Value[])[]> =>
    (await listRecords(question)).rows;
  const aggregate = (name: string, aggregation: 'SUM', alias?: string) => ({
    name,
    source: '',
    aggregation,
    alias,
  });

  test('records are grouped by the values of fields, absent ones last, with their number', async () => {
    const { rows, fields, totalSize } = await listRecords({ groupBy: [{ fieldName: 'city' }] });
    expect(rows).toEqual([
      ['Bern', 3n],
      ['Zug', 3n],
      [null, 2n],
    ]);
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['city', 'string'],
      ['record_count', 'integer'],
    ]);
    expect(totalSize).toBe(3);
  });

  test.each([
    [
      'DAY',
      [
        '0001-01-01',
        '2023-12-31',
        '2024-01-31',
        '2024-02-01',
        '2024-02-29',
        '2024-12-30',
        '9999-12-31',
        null,
      ],
    ],
    [
      'WEEK',
      ['0001-01-01', '2023-12-25', '2024-01-29', '2024-02-26', '2024-12-30', '9999-12-27', null],
    ],
    [
      'MONTH',
      ['0001-01-01', '2023-12-01', '2024-01-01', '2024-02-01', '2024-12-01', '9999-12-01', null],
    ],
    ['QUARTER', ['0001-01-01', '2023-10-01', '2024-01-01', '2024-10-01', '9999-10-01', null]],
    ['YEAR', ['0001-01-01', '2023-01-01', '2024-01-01', '9999-01-01', null]],
    ['DAY_OF_WEEK', [1n, 3n, 4n, 5n, 7n, null]],
    ['MONTH_OF_YEAR', [1n, 2n, 12n, null]],
  ] as const)('days are grouped by %s', async (bucket, expected) => {
    const rows = await rowsOf({ groupBy: [{ fieldName: 'day', bucket }], fields: ['day'] });
    expect(rows.flat()).toEqual(expected);
  });

  test.each([
    ['count', 'SUM', [BIG - 5n, 50n, 2n * BIG]],
    ['count', 'AVG', [Number(BIG - 5n) / 2, 50 / 3, Number(BIG)]],
    ['count', 'MIN', [-5n, 3n, BIG]],
    ['count', 'MAX', [BIG, 40n, BIG]],
    ['count', 'COUNT', [2n, 3n, 2n]],
    ['count', 'COUNT_DISTINCT', [2n, 3n, 1n]],
    ['count', 'MEDIAN', [(Number(BIG) + 5) * 0.5 - 5, 7, Number(BIG)]],
    // The fractions are added as multiples of 2^-53, rounded towards zero.
    ['score', 'SUM', [1.5, 0.9999999999999999, null]],
    ['score', 'AVG', [0.75, 1 / 3, null]],
    ['score', 'MIN', [-2.5, 0.1, 3]],
    ['score', 'MAX', [4, 0.7, 1e300]],
    ['score', 'MEDIAN', [0.75, 0.2, 3 + (1e300 - 3) * 0.5]],
    ['day', 'MIN', ['2023-12-31', '2024-01-31', '0001-01-01']],
    ['day', 'MAX', ['9999-12-31', '2024-12-30', '2024-02-29']],
    ['id', 'MIN', ['d', 'a', 'c']],
    ['id', 'MAX', ['h', 'e', 'g']],
    ['isOpen', 'COUNT', [2n, 3n, 1n]],
    ['isOpen', 'COUNT_DISTINCT', [1n, 2n, 1n]],
  ] as const)('%s: %s', async (name, aggregation, expected) => {
    const rows = await rowsOf({
      groupBy: [{ fieldName: 'city' }],
      fields: [{ name, source: '', aggregation }],
    });
    expect(rows.flat()).toEqual(expected);
  });

  test('without groups there is one row, also over no records', async () => {
    const fields = [
      aggregate('count', 'SUM', 'sum'),
      { ...aggregate('id', 'SUM'), aggregation: 'COUNT' as const },
    ];
    expect(await rowsOf({ fields })).toEqual([[3n * BIG + 45n, 8n]]);
    const filters = [where('id', '==', 'none')];
    expect(await rowsOf({ fields, filters, recordCount: true })).toEqual([[null, 0n, 0n]]);
    expect(await rowsOf({ groupBy: [{ fieldName: 'city' }], filters })).toEqual([]);
  });

  test('groups are filtered, ordered and paged by their values, with an exact total', async () => {
    const question = {
      groupBy: [{ fieldName: 'id' }],
      fields: ['id', aggregate('count', 'SUM', 'total')],
      orderBy: { fieldName: 'total', descending: true },
    };
    const all = ['c', 'f', 'g', 'b', 'e', 'a', 'h', 'd'];
    for (const pageSize of [1, 3, 100]) {
      const pages = await recordPages({ ...question, pageSize });
      expect(pages.flatMap(({ rows }) => rows.map(([id]) => id))).toEqual(all);
      expect(new Set(pages.map(({ totalSize }) => totalSize))).toEqual(new Set([8]));
    }
    const few = await listRecords({ ...question, groupFilters: [where('total', '<', '40')] });
    expect(few.rows.map(([id]) => id)).toEqual(['e', 'a', 'h']);
    expect(few.totalSize).toBe(3);
    const counted = await listRecords({ ...question, countOnly: true });
    expect([counted.rows, counted.totalSize, counted.costRows]).toEqual([[], 8, 8]);
  });

  test('groups with equal values are ordered by the next key, then by the fields they are grouped by', async () => {
    const question = {
      groupBy: [{ fieldName: 'isOpen' }, { fieldName: 'day', bucket: 'YEAR' as const }],
      recordCount: true,
      orderBy: { fieldName: 'record_count', descending: true },
      thenBy: [{ fieldName: 'day', descending: true }],
    };
    const inOrder = [
      [true, '2024-01-01', 2n],
      [false, '2024-01-01', 2n],
      [true, '9999-01-01', 1n],
      [true, '2023-01-01', 1n],
      [null, '0001-01-01', 1n],
      [null, null, 1n],
    ];
    const byOpen = {
      ...question,
      thenBy: [...question.thenBy, { fieldName: 'isOpen', descending: true }],
    };
    expect(await rowsOf(byOpen)).toEqual(inOrder);
    const [first, second, ...others] = inOrder;
    for (const pageSize of [1, 2, 100]) {
      const pages = await recordPages({ ...question, pageSize });
      expect(pages.flatMap(({ rows }) => rows)).toEqual([second, first, ...others]);
    }
  });

  test('a request that cannot be grouped is refused', async () => {
    const groupBy = [{ fieldName: 'city' }];
    const questions: readonly RecordsQuestion[] = [
      { groupBy, fields: ['count'] },
      { groupBy: [{ fieldName: 'ctiy' }] },
      { fields: [{ name: 'count', source: '', alias: 'visits' }] },
      { fields: [{ name: 'count', source: '', quantile: 0.5 }] },
      { groupFilters: [where('count', '>', '1')] },
      { groupBy: [...groupBy, ...groupBy] },
      { groupBy: [{ fieldName: 'city', bucket: 'YEAR' }] },
      { fields: [aggregate('city', 'SUM')] },
      { groupBy, fields: [aggregate('count', 'SUM'), aggregate('count', 'SUM')] },
      { groupBy, fields: [aggregate('count', 'SUM', 'city')] },
      { groupBy, fields: [aggregate('count', 'SUM', 'Sum of counts')] },
      { groupBy, fields: [{ ...aggregate('count', 'SUM'), quantile: 0.5 }] },
      { groupBy, fields: [{ ...aggregate('count', 'SUM'), aggregation: 'QUANTILE' }] },
      { groupBy, orderBy: { fieldName: 'count', descending: true } },
      {
        groupBy,
        orderBy: { fieldName: 'city', descending: true },
        thenBy: [{ fieldName: 'count', descending: true }],
      },
      {
        groupBy,
        orderBy: { fieldName: 'city', descending: true },
        thenBy: [{ fieldName: 'city', descending: false }],
      },
      { groupBy, groupFilters: [where('record_count', 'contains', '1')] },
      // The records have this field, but the groups do not.
      { groupBy, groupFilters: [where('count', '>', '1')] },
      { groupBy, groupFilters: [where('record_count', '>', '1'), where('ctiy', '==', 'a')] },
      { groupBy, fields: [aggregate('count', 'SUM'), 'city', 'city'] },
    ];
    const refusals = await Promise.all(
      questions.map((question) => refusalOf(listRecords(question))),
    );
    expect(refusals.join('\n\n')).toMatchInlineSnapshot(`
      "INVALID_AGGREGATION at /fields/0/name
      The field 'count' is neither grouped by nor aggregated.
      Add it to groupBy, or give it an aggregation.

      UNKNOWN_FIELD at /groupBy/0/fieldName
      Unknown field 'ctiy' in conformance.groups.
      Did you mean 'city'?

      INVALID_AGGREGATION at /fields/0/alias
      The field 'count' has an alias, but no aggregation.
      Add an aggregation, or leave the alias out.

      INVALID_AGGREGATION at /fields/0/quantile
      The field 'count' has a quantile, but no aggregation.
      Add an aggregation, or leave the quantile out.

      INVALID_AGGREGATION at /groupFilters
      The request has filters on groups, but no groups.
      Add groupBy, or send the filters as filters.

      INVALID_FIELD at /groupBy/1/fieldName
      The field 'city' is grouped by twice.
      Name each field once.

      INVALID_AGGREGATION at /groupBy/0/bucket
      The bucket YEAR needs a date field; 'city' is a string field.
      Leave the bucket out, or group by a date field.

      INVALID_AGGREGATION at /fields/0/aggregation
      SUM is not possible for the string field 'city'.
      Use MIN, MAX, COUNT, COUNT_DISTINCT.

      INVALID_FIELD at /fields/1
      Two aggregates have the name 'count'.
      Give the aggregate an alias.

      INVALID_FIELD at /fields/0
      The aggregate has the name 'city' of a field that is grouped by.
      Give the aggregate an alias.

      INVALID_FIELD at /fields/0/alias
      'Sum of counts' cannot be the name of a value.
      Use a lowercase letter, then up to 99 lowercase letters, digits and underscores.

      INVALID_AGGREGATION at /fields/0/quantile
      The field has a quantile, but the aggregation SUM.
      Leave the quantile out, or send the aggregation QUANTILE.

      INVALID_AGGREGATION at /fields/0/quantile
      The aggregation QUANTILE needs a quantile.
      For example: 0.9.

      UNKNOWN_FIELD at /options/orderBy/fieldName
      The groups have no value 'count'.
      Known: city, record_count.

      UNKNOWN_FIELD at /options/thenBy/0/fieldName
      The groups have no value 'count'.
      Known: city, record_count.

      INVALID_OPTION at /options/thenBy/0/fieldName
      The order has the field 'city' already.
      Name each field once: its values are equal where this key would decide.

      UNSUPPORTED_OPERATOR at /groupFilters/0/operator
      The operator 'contains' is not supported by the integer field 'record_count'.
      Supported: ==, !=, <, <=, >, >=, in, not_in, is_empty, is_not_empty.

      UNKNOWN_FIELD at /groupFilters/0/fieldName
      The groups have no value 'count'.
      Known: city, record_count.

      UNKNOWN_FIELD at /groupFilters/1/fieldName
      The groups have no value 'ctiy'.
      Did you mean 'city'?

      INVALID_FIELD at /fields/2/name
      The field 'city' is selected twice.
      Name each field once."
    `);
  });
});

describeOn(ENGINES)('quantiles of groups, $name engine', (engine) => {
  const sizes = [1, 2, 3, 4, 5, 7, 10, 11, 20, 64];
  // Many equal values, and some groups with absent ones.
  const valuesOf = (size: number) =>
    Array.from({ length: size }, (_, index) => ((index * 7919) % 13) * 0.1 - 0.5);
  const { listRecords } = useService(
    engine,
    defineTable({
      name: 'conformance.groups',
      fields: { id: 'string', size: 'integer', score: 'float' },
      rows: sizes.flatMap((size) => [
        ...valuesOf(size).map((score, index) => ({
          id: `${size} ${index}`,
          size: BigInt(size),
          score,
        })),
        { id: `${size} absent`, size: BigInt(size), score: null },
      ]),
    }),
  );

  test.each([0, 1e-17, 0.1, 0.25, 1 / 3, 0.5, 0.9, 0.99, 1 - 2 ** -53, 1])(
    'with the quantile %d, lie between the values around their place',
    async (quantile) => {
      const score = { name: 'score', source: '', aggregation: 'QUANTILE' as const, quantile };
      const { rows } = await listRecords({
        groupBy: [{ fieldName: 'size' }],
        fields: ['size', score],
      });
      const expected = sizes.map((size) => {
        const sorted = valuesOf(size).sort((left, right) => left - right);
        const { index, fraction } = quantilePlace(size, quantile);
        const upper = sorted[Math.min(index + 1, size - 1)] ?? Number.NaN;
        return [BigInt(size), interpolate(sorted[index] ?? Number.NaN, upper, fraction)];
      });
      expect(rows).toEqual(expected);
    },
  );
});

describeOn(ENGINES)('extremes beside a number of distinct values, $name engine', (engine) => {
  const { listRecords } = useService(
    engine,
    defineTable({
      name: 'conformance.extremes',
      fields: { id: 'string', city: 'string', day: 'date', count: 'integer' },
      rows: [
        { id: 'a', city: 'Zug', day: '0001-01-01', count: 9n },
        { id: 'b', city: 'Zug', day: '1899-12-31', count: 10n },
        { id: 'c', city: 'Zug', day: null, count: -9n },
        { id: 'd', city: null, day: null, count: null },
      ],
    }),
  );

  test('are compared as days and numbers, and absent without values', async () => {
    const { rows } = await listRecords({
      groupBy: [{ fieldName: 'city' }],
      fields: [
        { name: 'id', source: '', aggregation: 'COUNT_DISTINCT' },
        ...(['day', 'count'] as const).flatMap((name) =>
          (['MIN', 'MAX'] as const).map((aggregation) => {
            const alias = `${name}_${aggregation.toLowerCase()}`;
            return { name, source: '', aggregation, alias };
          }),
        ),
      ],
    });
    expect(rows).toEqual([
      [3n, '0001-01-01', '1899-12-31', -9n, 10n],
      [1n, null, null, null, null],
    ]);
  });
});
