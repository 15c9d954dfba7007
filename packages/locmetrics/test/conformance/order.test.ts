import type { Value } from '@locmetrics/core/domain/value';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where } from './filter-clause.ts';
import { refusalOf } from './refusal.ts';
import { defineTable, type SourceRow } from './table.ts';

/** Sorted by the bytes of UTF-8. The order by UTF-16 units or by a language differs. */
const TEXTS = [
  '!',
  '10',
  '9',
  'A',
  'B',
  'a',
  'a ',
  'a a',
  'aa',
  'b',
  'é',
  'ÿ',
  'Ω',
  '中',
  '\uE000',
  '\uFFFD',
  '\u{10000}',
  '😀',
  '\u{10FFFD}',
];
const INTEGERS = [-(2n ** 63n), -10n, -9n, 0n, 9n, 10n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
const FLOATS = [
  -Number.MAX_VALUE,
  -10,
  -9.5,
  -5e-324,
  0,
  5e-324,
  1e-7,
  0.3,
  0.1 + 0.2,
  9,
  10,
  1e16,
  1e21,
  Number.MAX_VALUE,
];
const DAYS = ['0001-01-01', '1582-10-04', '1899-12-31', '1900-01-01', '2024-02-29', '9999-12-31'];

const fields = {
  id: 'integer',
  text: 'string',
  whole: 'integer',
  ratio: 'float',
  day: 'date',
  yes: 'boolean',
} as const;

/** The values of each field are in reverse order, so that the order of the rows cannot pass a test. */
const ORDERED = defineTable({
  name: 'conformance.ordered',
  fields,
  rows: Array.from({ length: 24 }, (_, index): SourceRow => {
    const at = (values: readonly Value[]): Value => values.toReversed()[index] ?? null;
    return {
      id: BigInt(index),
      text: at(TEXTS),
      whole: at(INTEGERS),
      ratio: at(FLOATS),
      day: at(DAYS),
      yes: at([false, true, false]),
    };
  }),
});
const TIES = defineTable({
  name: 'conformance.ties',
  fields: { place: 'string', day: 'date', grade: 'string' },
  key: ['place', 'day'],
  rows: [
    { place: 'b', day: '2024-01-02', grade: 'x' },
    { place: 'b', day: '2024-01-01', grade: 'x' },
    { place: 'a', day: '2024-01-03', grade: 'y' },
    { place: 'a', day: '2023-12-31', grade: null },
    { place: 'B', day: '2024-01-02', grade: 'x' },
    { place: 'b ', day: '2024-01-01', grade: null },
  ],
});
const MIXED = defineTable({
  name: 'conformance.mixed',
  fields: { id: 'string', kind: 'string', grade: 'integer', score: 'float', east: 'float' },
  point: { latitude: 'score', longitude: 'east' },
  rows: [
    { id: 'a', kind: 'y', grade: 1n, score: 0.5 },
    { id: 'b', kind: 'x', grade: null, score: 2 },
    { id: 'c', kind: null, grade: 2n, score: null },
    { id: 'd', kind: 'x', grade: 1n, score: null },
    { id: 'e', kind: 'y', grade: 3n, score: 1 },
    { id: 'f', kind: 'x', grade: 2n, score: 1 },
    { id: 'g', kind: null, grade: null, score: 7 },
    { id: 'h', kind: 'x', grade: 1n, score: 3 },
    { id: 'i', kind: null, grade: 2n, score: 4 },
    { id: 'j', kind: 'x', grade: 1n, score: 3 },
  ].map((row) => ({ ...row, east: row.score })),
});
const NUMBERED = defineTable({
  name: 'conformance.numbered',
  fields: { part: 'string', number: 'integer' },
  key: ['number', 'part'],
  rows: [
    { part: 'b', number: 10n },
    { part: 'a', number: 10n },
    { part: 'a', number: 9n },
    { part: 'z', number: -1n },
  ],
});

describeOn(ENGINES)('the order of records, $name engine', (engine) => {
  const service = useService(engine, ORDERED, TIES, NUMBERED, MIXED);
  const ordered = (fieldName: string, descending: boolean) =>
    service.column(fieldName, { orderBy: { fieldName, descending } });
  const texts = (values: readonly Value[]) => values.map(String);
  const absent = (values: readonly Value[]) => Array(24 - values.length).fill('');

  test.each([
    ['text', TEXTS],
    ['whole', INTEGERS],
    ['ratio', FLOATS],
    ['day', DAYS],
    ['yes', [false, false, true]],
  ] as const)('%s ascending, absent values last', async (field, values) => {
    expect(await ordered(field, false)).toEqual([...texts(values), ...absent(values)]);
  });

  test.each([
    ['text', TEXTS],
    ['whole', INTEGERS],
    ['ratio', FLOATS],
    ['day', DAYS],
    ['yes', [false, false, true]],
  ] as const)('%s descending, absent values last', async (field, values) => {
    const descending = texts(values).toReversed();
    expect(await ordered(field, true)).toEqual([...descending, ...absent(values)]);
  });

  test.each(['text', 'whole', 'ratio', 'day', 'yes'])(
    'distinct values of %s have the same order',
    async (field) => {
      const ascending = (await ordered(field, false)).filter((text) => text !== '');
      const descending = (await ordered(field, true)).filter((text) => text !== '');
      expect(await service.values(field)).toEqual([...new Set(ascending)]);
      expect(
        await service.values(field, { orderBy: { fieldName: field, descending: true } }),
      ).toEqual([...new Set(descending)]);
    },
  );

  test('without an order, records are ordered by the fields of the key, one after the other', async () => {
    const ties = await service.listRecords({ dataset: 'conformance.ties' });
    expect(ties.rows).toEqual([
      ['B', '2024-01-02', 'x'],
      ['a', '2023-12-31', null],
      ['a', '2024-01-03', 'y'],
      ['b', '2024-01-01', 'x'],
      ['b', '2024-01-02', 'x'],
      ['b ', '2024-01-01', null],
    ]);
    const numbered = await service.listRecords({ dataset: 'conformance.numbered' });
    expect(numbered.rows).toEqual([
      ['z', -1n],
      ['a', 9n],
      ['a', 10n],
      ['b', 10n],
    ]);
  });

  test('ties and absent values are ordered by the key, ascending in both directions', async () => {
    const byGrade = async (descending: boolean) => {
      const orderBy = { fieldName: 'grade', descending };
      return (await service.listRecords({ dataset: 'conformance.ties', orderBy })).rows;
    };
    const x = [
      ['B', '2024-01-02', 'x'],
      ['b', '2024-01-01', 'x'],
      ['b', '2024-01-02', 'x'],
    ];
    const none = [
      ['a', '2023-12-31', null],
      ['b ', '2024-01-01', null],
    ];
    expect(await byGrade(false)).toEqual([...x, ['a', '2024-01-03', 'y'], ...none]);
    expect(await byGrade(true)).toEqual([['a', '2024-01-03', 'y'], ...x, ...none]);
  });

  test('an order by the first field of the key descending keeps the rest ascending', async () => {
    const orderBy = { fieldName: 'place', descending: true };
    const { rows } = await service.listRecords({ dataset: 'conformance.ties', orderBy });
    expect(rows.map(([place, day]) => [place, day])).toEqual([
      ['b ', '2024-01-01'],
      ['b', '2024-01-01'],
      ['b', '2024-01-02'],
      ['a', '2023-12-31'],
      ['a', '2024-01-03'],
      ['B', '2024-01-02'],
    ]);
  });

  test('records can be ordered by a field that is not selected', async () => {
    const orderBy = { fieldName: 'whole', descending: true };
    const { rows } = await service.listRecords({ fields: ['id'], orderBy, pageSize: 2 });
    expect(rows).toEqual([[0n], [1n]]);
  });

  const up = (fieldName: string) => ({ fieldName, descending: false });
  const down = (fieldName: string) => ({ fieldName, descending: true });

  test.each([
    ['kind, then grade', [up('kind'), up('grade')], 'dhjfbaecig'],
    ['kind, then grade descending', [up('kind'), down('grade')], 'fdhjbeacig'],
    ['kind descending, then grade', [down('kind'), up('grade')], 'aedhjfbcig'],
    ['three keys', [up('kind'), up('grade'), up('score')], 'hjdfbaeicg'],
    ['three keys descending', [down('kind'), down('grade'), down('score')], 'eafhjdbicg'],
    ['the key descending at the end', [up('kind'), up('grade'), down('id')], 'jhdfbaeicg'],
    ['the key of the dataset first', [down('id'), up('kind')], 'jihgfedcba'],
  ])(
    'records with equal values are ordered by the next key, on one page and on small ones: %s',
    async (_, [orderBy, ...thenBy], ids) => {
      if (orderBy === undefined) throw new Error('There is no key.');
      const question = { dataset: 'conformance.mixed', orderBy, thenBy };
      const found = await service.column('id', question);
      expect(found.join('')).toBe(ids);
      for (const pageSize of [1, 2, 3, 9]) {
        expect(await service.column('id', { ...question, pageSize })).toEqual(found);
      }
    },
  );

  test('an order by several keys goes with filters and with boxes', async () => {
    const question = {
      dataset: 'conformance.mixed',
      orderBy: down('kind'),
      thenBy: [down('grade'), up('score')],
      box: { minLng: 0, minLat: 0, maxLng: 3, maxLat: 3 },
    };
    expect((await service.column('id', question)).join('')).toBe('eafhjb');
    const filters = [where('kind', '==', 'x')];
    expect((await service.column('id', { ...question, filters })).join('')).toBe('fhjb');
    expect((await service.column('id', { ...question, filters, pageSize: 1 })).join('')).toBe(
      'fhjb',
    );
  });

  test('an order by keys that no order can have is refused', async () => {
    const dataset = 'conformance.mixed';
    const many = Array.from({ length: 11 }, () => up('grade'));
    const refusals = [
      service.listRecords({ dataset, thenBy: [up('grade')] }),
      service.listRecords({ dataset, orderBy: up('kind'), thenBy: [up('grad')] }),
      service.listRecords({ dataset, orderBy: up('kind'), thenBy: [up('grade'), down('kind')] }),
      service.listRecords({ dataset, orderBy: up('kind'), thenBy: [up('grade'), down('grade')] }),
      service.listRecords({ dataset, orderBy: up('kind'), thenBy: many }),
      service.listRecords({
        dataset,
        near: { longitude: 0, latitude: 0 },
        thenBy: [up('grade')],
      }),
      service.searchFieldValues({ dataset, field: 'kind', thenBy: [up('grade')] }),
      service.searchFieldValues({
        dataset,
        field: 'kind',
        orderBy: up('kind'),
        thenBy: [up('grade')],
      }),
    ].map(refusalOf);
    expect((await Promise.all(refusals)).join('\n\n')).toMatchInlineSnapshot(`
      "INVALID_OPTION at /options/thenBy
      The request has thenBy, but no orderBy.
      Send the first key as orderBy, and the others as thenBy.

      UNKNOWN_FIELD at /options/thenBy/0/fieldName
      Unknown field 'grad' in conformance.mixed.
      Did you mean 'grade'?

      INVALID_OPTION at /options/thenBy/1/fieldName
      The order has the field 'kind' already.
      Name each field once: its values are equal where this key would decide.

      INVALID_OPTION at /options/thenBy/1/fieldName
      The order has the field 'grade' already.
      Name each field once: its values are equal where this key would decide.

      INVALID_REQUEST at /options/thenBy
      The request has 11 keys in thenBy.
      Send at most 10.

      INVALID_OPTION at /options/near
      The request has both near and thenBy.
      Send one of them: near orders the records by their distance.

      INVALID_OPTION at /options/thenBy
      The distinct values of 'kind' have no further key to be ordered by.
      Leave thenBy out: each value is there once.

      INVALID_OPTION at /options/thenBy
      The distinct values of 'kind' have no further key to be ordered by.
      Leave thenBy out: each value is there once."
    `);
  });

  test('an order by an unknown field is refused', async () => {
    const orderBy = { fieldName: 'txt', descending: false };
    expect(await refusalOf(service.listRecords({ orderBy }))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /options/orderBy/fieldName
      Unknown field 'txt' in conformance.ordered.
      Did you mean 'text'?"
    `);
    expect(
      await refusalOf(service.listRecords({ orderBy: { fieldName: '', descending: true } })),
    ).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /options/orderBy/fieldName
      The name of a field of conformance.ordered is missing.
      Known: id, text, whole, ratio, day, yes."
    `);
  });
});
