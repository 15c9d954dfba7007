import { expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { defineTable, type SourceRow } from '../table.ts';
import type { MetricAnswer, MetricQuestion } from './ask-metrics.ts';
import { defineLayer } from './define-layer.ts';
import { defineMetric } from './define-metric.ts';

/** Sorted by the bytes of UTF-8. The order by UTF-16 units or by a language differs. */
const IDS = ['10', '9', 'Z', 'a', 'b', 'é', '\uFFFD', '😀'];
const PLACES = defineTable({
  name: 'conformance.places',
  fields: { id: 'string', name: 'string' },
  rows: IDS.toReversed().map((id) => ({ id, name: `place ${id}` })),
  layers: [defineLayer({ id: 'places' })],
});

const [Z, A, B, E, REPLACED, SMILE] = ['Z', 'a', 'b', 'é', '\uFFFD', '😀'];
const MONDAY = '2024-01-01';
const TUESDAY = '2024-01-02';

/** Place, first day, other place, age, band: in the order of the values. */
const IN_ORDER: readonly (readonly (string | bigint | null)[])[] = [
  ['10', TUESDAY, A, 'x', 1n],
  ['9', MONDAY, A, 'x', 1n],
  [Z, MONDAY, A, 'x', -1n],
  [Z, MONDAY, A, 'x', 9n],
  [Z, MONDAY, A, 'x', 10n],
  [Z, MONDAY, A, 'x', 2n ** 53n],
  [Z, MONDAY, A, 'x', 2n ** 53n + 1n],
  [Z, MONDAY, A, 'x', null],
  [Z, MONDAY, A, null, 1n],
  [Z, MONDAY, A, null, null],
  [Z, MONDAY, B, 'x', 1n],
  [Z, TUESDAY, '10', 'x', 1n],
  [Z, TUESDAY, '9', 'x', 1n],
  [Z, TUESDAY, A, 'A', 1n],
  [Z, TUESDAY, A, 'a', 1n],
  [Z, TUESDAY, A, 'é', 1n],
  [Z, TUESDAY, A, '\uFFFD', 1n],
  [Z, TUESDAY, A, '😀', 1n],
  [Z, TUESDAY, A, null, 1n],
  [A, '0001-01-01', SMILE, 'x', 1n],
  [A, '2023-12-31', Z, 'x', 1n],
  [A, '2023-12-31', E, 'x', 1n],
  [A, '2023-12-31', REPLACED, 'x', 1n],
  [A, '2023-12-31', SMILE, 'x', 1n],
  [A, '9999-12-31', Z, 'x', 1n],
  // These values differ only in the key.
  [B, MONDAY, A, 'x', 1n],
  [B, MONDAY, A, 'x', 1n],
  [B, MONDAY, A, null, null],
  [B, MONDAY, A, null, null],
  [E, MONDAY, A, 'x', 1n],
  [REPLACED, MONDAY, A, 'x', 1n],
  [SMILE, MONDAY, A, 'x', 1n],
];
/** The number of each value is its position in the order. The list itself is in another order. */
const ROWS = IN_ORDER.map(
  ([place = null, day = null, other = null, age = null, band = null], index): SourceRow => ({
    place,
    day,
    other,
    age,
    band,
    number: BigInt(index),
  }),
).toSorted(
  (one, another) => ((Number(one['number']) * 7) % 31) - ((Number(another['number']) * 7) % 31),
);

const KEYS: Readonly<Record<string, readonly string[]>> = {
  by_number: ['number'],
  by_day: ['day', 'place', 'number'],
  by_place_and_number: ['place', 'number'],
  by_place_and_day: ['place', 'day', 'number'],
  by_place_day_and_other: ['place', 'day', 'other', 'number'],
  by_other: ['other', 'day', 'place', 'number'],
  /** The key is the order of the values itself. Only present values can be in a key. */
  by_order: ['place', 'day', 'other', 'age', 'band', 'number'],
  by_order_backwards: ['number', 'band', 'age', 'other', 'day', 'place'],
};
const METRICS = Object.keys(KEYS);

const TABLES = Object.entries(KEYS).map(([metricId, key]) =>
  defineTable({
    name: `conformance.${metricId}`,
    fields: {
      place: 'string',
      day: 'date',
      other: 'string',
      age: 'string',
      band: 'integer',
      number: 'integer',
    },
    key,
    rows: ROWS.filter((row) => key.every((name) => row[name] !== null)),
    metrics: [
      defineMetric({
        metricId,
        layerId: 'places',
        related: { layerId: 'places', featureId: 'other', relationType: 'trip' },
        dimensions: { age: {}, band: {} },
        measures: { number: 'count' },
      }),
    ],
  }),
);

function numbersOf(answers: readonly MetricAnswer[]): readonly number[] {
  return answers.flatMap(({ values }) => values.map(({ measures: [number] }) => Number(number)));
}

describeOn(ENGINES)('the order of metric values, $name engine', (engine) => {
  const service = useService(engine, PLACES, ...TABLES);
  const walk = async (question: MetricQuestion) =>
    numbersOf(await service.metricValuePages(question));
  const inOrder = (metricId: string) =>
    ROWS.filter((row) => KEYS[metricId]?.every((name) => row[name] !== null))
      .map(({ number }) => Number(number))
      .toSorted((one, other) => one - other);

  test.each(METRICS)(
    'values are ordered by feature, period start, related feature, dimensions and key, absent values last: %s',
    async (metricId) => {
      expect(await walk({ metricId })).toEqual(inOrder(metricId));
    },
  );

  test.each(METRICS)('the inverted order is the exact reverse: %s', async (metricId) => {
    const inverted = await walk({ metricId, invertSortOrder: true });
    expect(inverted).toEqual(inOrder(metricId).toReversed());
  });

  test.each(METRICS)(
    'pages of any size have each value once, in both orders: %s',
    { tags: 'slow' },
    async (metricId) => {
      const forwards = inOrder(metricId);
      const { length } = forwards;
      for (const pageSize of [1, 2, 5, length - 1, length, length + 1]) {
        expect(await walk({ metricId, pageSize })).toEqual(forwards);
        const inverted = await walk({ metricId, pageSize, invertSortOrder: true });
        expect(inverted).toEqual(forwards.toReversed());
      }
    },
  );

  test.each(METRICS)(
    'after a page that ends at any value, the next page starts behind it: %s',
    { tags: 'slow' },
    async (metricId) => {
      for (const invertSortOrder of [false, true]) {
        const question = { metricId, invertSortOrder };
        const whole = await walk(question);
        for (let sentRowsMax = 1; sentRowsMax < whole.length; sentRowsMax += 1) {
          const cut = await service.searchMetricValues({ ...question, sentRowsMax });
          const pageToken = cut.nextPageToken;
          expect(numbersOf([cut])).toEqual(whole.slice(0, sentRowsMax));
          expect(await walk({ ...question, pageToken })).toEqual(whole.slice(sentRowsMax));
        }
      }
    },
  );

  test('the same holds with filters', async () => {
    const filters = {
      dimensionFilter: [{ dimensionId: 'age', values: ['x', ''] }],
      relatedFeatureFilter: ['a', '😀'],
    };
    for (const metricId of METRICS) {
      const whole = inOrder(metricId).filter((number) => {
        const [, , other, age] = IN_ORDER[number] ?? [];
        return (other === A || other === SMILE) && (age === 'x' || age === null);
      });
      expect(await walk({ metricId, ...filters })).toEqual(whole);
      expect(await walk({ metricId, ...filters, pageSize: 3 })).toEqual(whole);
      expect(await walk({ metricId, ...filters, pageSize: 3, invertSortOrder: true })).toEqual(
        whole.toReversed(),
      );
    }
  });

  test('a full last page has no token, and an empty result is one page', async () => {
    const sizes = async (question: MetricQuestion) =>
      (await service.metricValuePages(question)).map(({ values }) => values.length);
    expect(await sizes({ pageSize: 16 })).toEqual([16, 16]);
    expect(await sizes({ pageSize: 15 })).toEqual([15, 15, 2]);
    expect(await sizes({ pageSize: 32 })).toEqual([32]);
    expect(await sizes({ featureFilter: ['nowhere'] })).toEqual([0]);
  });

  test('totalSize is exact and the same on every page', async () => {
    const totals = async (question: MetricQuestion) => {
      const pages = await service.metricValuePages({ pageSize: 7, ...question });
      return [...new Set(pages.map(({ totalSize }) => totalSize))];
    };
    expect(await totals({})).toEqual([32]);
    expect(await totals({ invertSortOrder: true })).toEqual([32]);
    expect(await totals({ sentRowsMax: 2 })).toEqual([32]);
    expect(await totals({ featureFilter: ['Z'] })).toEqual([17]);
    expect(await totals({ featureFilter: ['nowhere'] })).toEqual([0]);
  });

  test('trackTotalHits counts up to a number, or not at all, equally on every page', async () => {
    const totals = async (question: MetricQuestion) => {
      const pages = await service.metricValuePages({ pageSize: 20, ...question });
      return pages.map(({ totalSize }) => totalSize);
    };
    expect(await totals({ trackTotalHits: true })).toEqual([32, 32]);
    expect(await totals({ trackTotalHits: false })).toEqual([0, 0]);
    expect(await totals({ trackTotalHits: 0 })).toEqual([0, 0]);
    expect(await totals({ trackTotalHits: 31 })).toEqual([31, 31]);
    expect(await totals({ trackTotalHits: 32 })).toEqual([32, 32]);
    expect(await totals({ trackTotalHits: 10_000 })).toEqual([32, 32]);
    expect(await totals({ trackTotalHits: 3, pageSize: 100 })).toEqual([3]);
    expect(await totals({ trackTotalHits: false, pageSize: 100 })).toEqual([0]);
  });

  test('countOnly gives the exact total and no values', async () => {
    const count = async (question: MetricQuestion) => {
      const { values, totalSize, costRows, nextPageToken } = await service.searchMetricValues({
        ...question,
        countOnly: true,
        pageSize: 1,
      });
      expect(costRows).toBe(totalSize);
      return [values, totalSize, nextPageToken];
    };
    expect(await count({})).toEqual([[], 32, '']);
    expect(await count({ featureFilter: ['Z', 'nowhere'] })).toEqual([[], 17, '']);
    expect(await count({ trackTotalHits: false })).toEqual([[], 32, '']);
    expect(await count({ trackTotalHits: 3 })).toEqual([[], 32, '']);
    expect(await count({ featureFilter: ['nowhere'] })).toEqual([[], 0, '']);
  });
});
