// @module-tag sized

import type { Aggregation } from '@locmetrics/core/requests/aggregation';
import type { MetricAggregate } from '@locmetrics/core/requests/metric-aggregates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertRandom } from '../../support/assert-random.ts';
import { atLeast, testCount } from '../../support/test-count.ts';
import { announceSeed } from '../../support/test-seed.ts';
import type { EngineUnderTest } from '../engines/engine-under-test.ts';
import { COMPARED } from '../engines/engines.ts';
import { memoryEngine } from '../engines/memory-engine.ts';
import { openService } from '../engines/service-under-test.ts';
import type { AggregatesQuestion } from '../metrics/ask-metrics.ts';
import { defineLayer } from '../metrics/define-layer.ts';
import { defineMetric } from '../metrics/define-metric.ts';
import { defineTable, type Table } from '../table.ts';

/** Groups that are compared with those of another period: every engine orders and ranks them as the reference does. */

const TABLES = testCount('TABLES', { few: 2, all: 40 });
const QUESTIONS = 30;
const TIMEOUT_MS = 1_800_000 + TABLES * 5_000 * COMPARED.length;

const LATER = { start: '2020-04-01', end: '2020-04-30' };
const PERIODS = [
  LATER,
  { start: '2020-04-02', end: '2020-04-03' },
  { start: '2020-02-29', end: '2020-02-29' },
];
/** Days of the periods, of the ones before them, and of those of the year before. */
const DAYS = [
  '2019-02-28',
  '2019-04-01',
  '2019-04-02',
  '2019-04-30',
  '2020-02-29',
  '2020-03-31',
  '2020-04-01',
  '2020-04-02',
  '2020-04-30',
];

const LARGEST = 2n ** 63n - 1n;
/** Few different numbers, so that changes and percentages are often equal; and some that doubles do not have. */
const integers = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(null, 0n, 1n, 2n, 3n, 4n, 10n, 20n, -5n) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, LARGEST, LARGEST - 1n, -LARGEST),
  },
);
const floats = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(null, 0, 0.1, 0.2, 0.3, 0.7, 1.5, -0.1, 1e-17, 3) },
  // Percentages of 1e-17, and some changes, are beyond a double.
  { weight: 1, arbitrary: fc.constantFrom(2 ** 53, 2 ** 53 + 2, 1e300, -1e300, 1e18 + 128) },
);

const PLACES = ['a', 'b', 'c', 'd', 'e', 'f', 'gé', '😀'];

const randomTables = fc
  .record({
    /** Most tables have no number that doubles do not have, so that the database orders their groups. */
    isSmall: fc.boolean(),
    values: fc.uniqueArray(
      fc.record({
        place: fc.constantFrom(...PLACES),
        day: fc.constantFrom(...DAYS),
        visits: integers,
        share: floats,
      }),
      {
        selector: ({ place, day }) => `${place} ${day}`,
        minLength: 40,
        maxLength: 60,
        size: 'max',
      },
    ),
    counties: fc.array(fc.constantFrom(null, '1', '2', '3'), { minLength: 8, maxLength: 8 }),
  })
  .map(({ values, counties, isSmall }): readonly Table[] => [
    defineTable({
      name: 'conformance.customers',
      fields: {
        place: 'string',
        day: 'date',
        visits: 'integer',
        share: { type: 'float', additive: 'all' },
      },
      key: ['place', 'day'],
      rows: values.map(({ visits, share, ...key }) => ({
        ...key,
        visits: isSmall && visits !== null && (visits > 1000n || visits < -1000n) ? 7n : visits,
        share: isSmall && share !== null && Math.abs(share) > 1000 ? 0.25 : share,
      })),
      metrics: [
        defineMetric({
          metricId: 'customers',
          layerId: 'shops',
          measures: { visits: 'count', share: 'number' },
        }),
      ],
    }),
    defineTable({
      name: 'conformance.shops',
      fields: { id: 'string', name: 'string', county: 'string' },
      rows: PLACES.map((id, index) => ({ id, name: id, county: counties[index] ?? null })),
      layers: [
        defineLayer({ id: 'shops', components: { county: { fields: { value: 'county' } } } }),
      ],
    }),
  ]);

const aggregate = (aggregation: Aggregation, valueName: string): MetricAggregate => ({
  valueName,
  aggregation,
  quantile: aggregation === 'QUANTILE' ? 0.3 : undefined,
  name: '',
});
const AGGREGATIONS = [
  'SUM',
  'AVG',
  'MIN',
  'MAX',
  'COUNT',
  'COUNT_DISTINCT',
  'MEDIAN',
  'QUANTILE',
] as const;
const AGGREGATES = AGGREGATIONS.flatMap((one) => [
  aggregate(one, 'visits'),
  aggregate(one, 'share'),
]);

const group = (kind: 'FEATURE' | 'COMPONENT', id = '') => ({ kind, id, bucket: undefined });
const GROUPS = [
  [group('FEATURE')],
  [group('COMPONENT', 'county')],
  [group('COMPONENT', 'county'), group('FEATURE')],
  [],
];

/** Most questions have no such filter, because it leaves few groups. */
function seldom<Filter>(filter: fc.Arbitrary<Filter>): fc.Arbitrary<Filter | null> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: filter });
}

const randomQuestion = fc
  .record({
    groupBy: fc.constantFrom(...GROUPS),
    period: fc.constantFrom(LATER, LATER, ...PERIODS),
    compare: fc.constantFrom('PREVIOUS' as const, 'SAME_PERIOD_LAST_YEAR' as const, undefined),
    aggregates: fc.subarray([...AGGREGATES], { minLength: 1, maxLength: 3 }),
    order: fc.array(
      fc.record({
        at: fc.nat(2),
        part: fc.constantFrom('', '.change', '.percent'),
        descending: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
    rank: fc.option(fc.record({ at: fc.nat(2), part: fc.constantFrom('', '.change', '.percent') })),
    features: seldom(fc.subarray([...PLACES], { minLength: 1, maxLength: 2 })),
    counties: seldom(fc.subarray(['1', '2'], { minLength: 1 })),
    pageSize: fc.constantFrom(2, 7, 100),
  })
  .map(({ period, order, rank, features, counties, ...asked }): AggregatesQuestion => {
    const nameOf = ({ at, part }: { readonly at: number; readonly part: string }): string => {
      const { aggregation = 'SUM', valueName } =
        asked.aggregates[at % asked.aggregates.length] ?? aggregate('SUM', '');
      return `${aggregation.toLowerCase()}_${valueName}${asked.compare === undefined ? '' : part}`;
    };
    return {
      ...asked,
      observationPeriodFilter: period,
      orderBy: order.map((one) => ({ name: nameOf(one), descending: one.descending })),
      rankBy: rank === null ? '' : nameOf(rank),
      featureFilter: features ?? [],
      addressComponentFilter: counties === null ? [] : [{ component: 'county', values: counties }],
    };
  });

test(
  'every engine compares, orders and ranks groups as the plain reference does',
  async () => {
    const seed = announceSeed('random comparisons');
    const seen = { rows: 0, compared: 0, ranked: 0, pages: 0 };
    const property = fc.asyncProperty(
      randomTables,
      fc.array(randomQuestion, { minLength: QUESTIONS, maxLength: QUESTIONS }),
      async (tables, questions) => {
        const expected = await answersOf(memoryEngine, tables, questions);
        const whole = await answersOf(
          memoryEngine,
          tables,
          questions.map((one) => ({ ...one, pageSize: 1000 })),
        );
        for (const [index, answer] of expected.entries()) {
          expect(itemsOf(answer)).toStrictEqual(itemsOf(whole[index]));
          const rows = itemsOf(answer);
          const values = rows.flatMap((row) => row.values);
          seen.rows += rows.length;
          seen.pages += answer.length;
          seen.compared += values.filter(({ compared }) => compared !== undefined).length;
          seen.ranked += values.filter(({ rank }) => rank !== undefined).length;
        }
        for (const engine of COMPARED) {
          const answers = await answersOf(engine, tables, questions);
          for (const [index, answer] of answers.entries()) {
            expect(answer, `${engine.name} ${JSON.stringify(questions[index])}`).toStrictEqual(
              expected[index],
            );
          }
        }
      },
    );
    await assertRandom(property, { seed, numRuns: TABLES, timeoutMs: TIMEOUT_MS });
    expect(seen.rows).toBeGreaterThan(atLeast(TABLES * QUESTIONS));
    expect(seen.pages).toBeGreaterThan(atLeast(TABLES * QUESTIONS));
    expect(seen.compared).toBeGreaterThan(atLeast(TABLES * 5));
    expect(seen.ranked).toBeGreaterThan(atLeast(TABLES * 5));
  },
  TIMEOUT_MS,
);

async function answersOf(
  engine: EngineUnderTest,
  tables: readonly Table[],
  questions: readonly AggregatesQuestion[],
) {
  const service = await openService(engine, tables);
  try {
    return await Promise.all(
      questions.map(async (question) => {
        const pages = await service.aggregatePages(question);
        return pages.map(({ rows, totalSize }) => ({ rows, totalSize }));
      }),
    );
  } finally {
    await service.close();
  }
}

function itemsOf(pages: Awaited<ReturnType<typeof answersOf>>[number] | undefined) {
  return pages?.flatMap(({ rows }) => rows) ?? [];
}
