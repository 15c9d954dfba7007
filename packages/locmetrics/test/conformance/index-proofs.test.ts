import type { FilterClause } from '@locmetrics/core/domain/filter';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { type RecordsQuestion, useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { defineTable, type SourceRow } from './table.ts';

/*
 * The row store does not compare again what an index proves. Each case here has a twin that the index does not
 * prove: a value just outside, an absent one, another operator, a condition on a field that the index does not have.
 */

const DAYS = ['2024-01-31', '2024-02-29', '2024-03-31'];
const SHOPS = ['', 'a', 'A', 'aa', 'ä', 'b'].slice(1);

/** Series of different lengths, with ties, absent values and points on the edges of boxes. */
const ROWS: readonly SourceRow[] = SHOPS.flatMap((shop, place) =>
  DAYS.slice(0, 1 + (place % 3)).map((day, month) => ({
    shop,
    day,
    visits: month === 1 ? null : BigInt((place * 7 + month) % 4),
    kind: place % 2 === 0 ? 'Café' : null,
    note: `${shop} ${month}`,
    latitude: place === 4 ? null : 10 * place,
    longitude: place === 4 ? null : 60 * place - 120,
  })),
);

const VISITS = defineTable({
  name: 'conformance.indexed',
  fields: {
    shop: 'string',
    day: 'date',
    visits: { type: 'integer', sorted: true },
    kind: { type: 'string', searchable: true },
    note: 'string',
    latitude: 'float',
    longitude: 'float',
  },
  key: ['shop', 'day'],
  period: { start: 'day', end: 'day' },
  point: { latitude: 'latitude', longitude: 'longitude' },
  rows: ROWS,
});

type Row = (typeof ROWS)[number];

describeOn(ENGINES)('what an index proves, $name engine', (engine) => {
  const service = useService(engine, VISITS);

  /** The notes of the records, by pages, and their number. */
  async function ask(question: RecordsQuestion): Promise<readonly [readonly string[], number]> {
    const { totalSize } = await service.listRecords({ ...question, pageSize: 1 });
    return [await service.column('note', { ...question, pageSize: 2 }), totalSize];
  }

  const expected = (matches: (row: Row) => boolean, order: readonly Row[] = inKeyOrder(ROWS)) => {
    const notes = order.filter(matches).map(({ note }) => String(note));
    return [notes, notes.length];
  };

  test.each<[string, readonly FilterClause[], (row: Row) => boolean]>([
    ['a value of the first key field', [where('shop', '==', 'a')], ({ shop }) => shop === 'a'],
    ['one that no record has', [where('shop', '==', 'aaa')], () => false],
    [
      'several, one of them twice',
      [whereIn('shop', 'in', ['b', 'a', 'b', 'c'])],
      ({ shop }) => shop === 'a' || shop === 'b',
    ],
    [
      'several, of which other conditions on the field leave some',
      [
        whereIn('shop', 'in', ['a', 'aa', 'ä', 'b']),
        where('shop', '!=', 'a'),
        where('shop', 'starts_with', 'a'),
      ],
      ({ shop }) => shop === 'aa',
    ],
    [
      'several, of which another condition on the field leaves none',
      [whereIn('shop', 'in', ['a', 'aa']), where('shop', 'contains', 'b')],
      () => false,
    ],
    [
      'several, with conditions on the field and on another one',
      [
        whereIn('shop', 'in', ['a', 'aa', 'b']),
        where('shop', '!=', 'aa'),
        where('note', '!=', 'b 0'),
      ],
      ({ shop, note }) => (shop === 'a' || shop === 'b') && note !== 'b 0',
    ],
    ['all but one', [where('shop', '!=', 'a')], ({ shop }) => shop !== 'a'],
    [
      'a value without its case',
      [where('shop', 'starts_with', 'A')],
      ({ shop }) => ['a', 'A', 'aa'].includes(String(shop)),
    ],
    [
      'a value, and a condition that is compared',
      [where('shop', '==', 'aa'), where('visits', '>', '0')],
      ({ shop, visits }) => shop === 'aa' && Number(visits) > 0,
    ],
    ['the second key field', [where('day', '==', '2024-02-29')], ({ day }) => day === '2024-02-29'],
    [
      'days from one on',
      [where('day', '>=', '2024-02-29')],
      ({ day }) => String(day) >= '2024-02-29',
    ],
    ['days after it', [where('day', '>', '2024-02-29')], ({ day }) => String(day) > '2024-02-29'],
    ['a counted value', [where('visits', '==', '3')], ({ visits }) => visits === 3n],
    [
      'a day and a counted value',
      [where('day', '==', '2024-01-31'), where('visits', '==', '3')],
      ({ day, visits }) => day === '2024-01-31' && visits === 3n,
    ],
    [
      'a day and other values, not absent ones',
      [where('day', '>=', '2024-02-29'), where('visits', '!=', '3')],
      ({ day, visits }) => String(day) >= '2024-02-29' && visits !== null && visits !== 3n,
    ],
    [
      'a day and absent values',
      [where('day', '==', '2024-02-29'), where('visits', 'is_empty')],
      ({ day, visits }) => day === '2024-02-29' && visits === null,
    ],
    [
      'days and a text without its case',
      [whereIn('day', 'in', ['2024-01-31', '2024-03-31']), where('kind', 'starts_with', 'cAFÉ')],
      ({ day, kind }) => day !== '2024-02-29' && kind === 'Café',
    ],
    [
      'a day and a value that is not counted',
      [where('day', '==', '2024-01-31'), where('note', '==', 'a 0')],
      ({ note }) => note === 'a 0',
    ],
    [
      'two counted values that are not counted together',
      [where('visits', '==', '3'), where('kind', '==', 'Café')],
      ({ visits, kind }) => visits === 3n && kind === 'Café',
    ],
    [
      'other values, not absent ones',
      [where('visits', '!=', '3')],
      ({ visits }) => visits !== null && visits !== 3n,
    ],
  ])('%s', async (_, filters, matches) => {
    expect(await ask({ filters })).toEqual(expected(matches));
  });

  test.each([
    ['ascending', false],
    ['descending', true],
  ])(
    'the order of a sorted field, %s: ties by the key, absent values last',
    async (_, descending) => {
      const orderBy = { fieldName: 'visits', descending };
      const order = inOrder(descending);
      expect(await ask({ orderBy })).toEqual(expected(() => true, order));
      const covered = [where('kind', '==', 'Café'), where('day', '<=', '2024-02-29')];
      expect(await ask({ orderBy, filters: covered })).toEqual(
        expected(({ kind, day }) => kind === 'Café' && String(day) <= '2024-02-29', order),
      );
      const notCovered = [where('note', 'ends_with', '0')];
      expect(await ask({ orderBy, filters: notCovered })).toEqual(
        expected(({ note }) => String(note).endsWith('0'), order),
      );
      const thenBy = [{ fieldName: 'day', descending: true }];
      const byDay = inOrder(descending, lastDayFirst(inKeyOrder(ROWS)));
      expect(await ask({ orderBy, thenBy })).toEqual(expected(() => true, byDay));
      const box = { minLng: -180, maxLng: 180, minLat: -90, maxLat: 90 };
      expect(await ask({ orderBy, thenBy, box, filters: covered })).toEqual(
        expected(
          (row) =>
            row['latitude'] !== null &&
            row['kind'] === 'Café' &&
            String(row['day']) <= '2024-02-29',
          byDay,
        ),
      );
    },
  );

  test.each([
    ['with a point on each edge', { minLng: -60, maxLng: 0, minLat: 10, maxLat: 20 }, ['A', 'aa']],
    ['just inside of these', { minLng: -59.9, maxLng: -0.1, minLat: 10.1, maxLat: 19.9 }, []],
    ['of one point', { minLng: 60, maxLng: 60, minLat: 30, maxLat: 30 }, ['ä']],
    ['over the antimeridian', { minLng: 60, maxLng: -120, minLat: -90, maxLat: 90 }, ['a', 'ä']],
    [
      'of everything',
      { minLng: -180, maxLng: 180, minLat: -90, maxLat: 90 },
      ['a', 'A', 'aa', 'ä'],
    ],
  ])('a box %s', async (_, box, shops) => {
    const isInside = ({ shop }: Row) => shops.includes(String(shop));
    expect(await ask({ box })).toEqual(expected(isInside));
    const orderBy = { fieldName: 'visits', descending: true };
    expect(await ask({ box, orderBy })).toEqual(expected(isInside, inOrder(true)));
    const filters = [where('kind', 'is_empty')];
    expect(await ask({ box, filters })).toEqual(
      expected((row) => isInside(row) && row['kind'] === null),
    );
    const notCovered = [where('note', 'ends_with', '1')];
    expect(await ask({ box, filters: notCovered })).toEqual(
      expected((row) => isInside(row) && String(row['note']).endsWith('1')),
    );
  });
});

/** The order of the key: by the bytes of the shop, then by day. */
function inKeyOrder(rows: readonly Row[]): readonly Row[] {
  const keyOf = ({ shop, day }: Row) => `${Buffer.from(String(shop)).toString('hex')}/${day}`;
  return rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function inOrder(descending: boolean, rows = inKeyOrder(ROWS)): readonly Row[] {
  const rank = ({ visits }: Row) =>
    visits === null ? 1000 : Number(visits) * (descending ? -1 : 1);
  return rows.toSorted((left, right) => rank(left) - rank(right));
}

function lastDayFirst(rows: readonly Row[]): readonly Row[] {
  const dayOf = ({ day }: Row) => DAYS.indexOf(String(day));
  return rows.toSorted((left, right) => dayOf(right) - dayOf(left));
}
