import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { MetricAggregatesRow } from '@locmetrics/core/requests/metric-aggregates';
import { expect, test } from 'vitest';
import { toPolygon } from '../areas/test-polygon.ts';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import { callerWith } from '../random/random-grant.ts';
import { refusalOf } from '../refusal.ts';
import { defineTable } from '../table.ts';
import type { AggregatesQuestion } from './ask-metrics.ts';
import { defineLayer } from './define-layer.ts';
import { defineMetric } from './define-metric.ts';

const of = (id: string) => ({ kind: undefined, id, bucket: undefined });
const by = (kind: 'FEATURE' | 'RELATED_FEATURE' | 'PERIOD') => ({
  kind,
  id: '',
  bucket: undefined,
});
const byBucket = (bucket: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR' | 'MONTH_OF_YEAR') => ({
  kind: 'PERIOD' as const,
  id: '',
  bucket,
});
const aggregate = (aggregation: 'SUM' | 'AVG' | 'COUNT' | 'MAX' | 'MEDIAN', valueName: string) => ({
  valueName,
  aggregation,
  quantile: undefined,
  name: '',
});
const SUM_OF_VISITS = [aggregate('SUM', 'visits')];
const last = (numbers: readonly unknown[]) => numbers.at(-1);

/** Groups and the first value of each row. */
const shown = (rows: readonly MetricAggregatesRow[]) =>
  rows.map(({ groups, values }) => [...groups.map(({ value }) => value), values[0]?.value]);

describeOn(ENGINES)('aggregates of a metric, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const rowsOf = async (question: AggregatesQuestion) =>
    (await service.searchMetricAggregates(question)).rows;

  test('values are grouped by features, which have their names', async () => {
    const rows = await rowsOf({
      groupBy: [by('FEATURE')],
      aggregates: [aggregate('COUNT', 'number')],
    });
    expect(rows.map(({ groups, values }) => [groups, last(values)])).toMatchInlineSnapshot(`
      [
        [
          [
            {
              "displayName": "Acadia",
              "id": "",
              "kind": "FEATURE",
              "value": "ACAD",
            },
          ],
          {
            "kind": "count",
            "name": "count_number",
            "value": 3n,
          },
        ],
        [
          [
            {
              "displayName": "Yellowstone",
              "id": "",
              "kind": "FEATURE",
              "value": "YELL",
            },
          ],
          {
            "kind": "count",
            "name": "count_number",
            "value": 2n,
          },
        ],
        [
          [
            {
              "displayName": "Zürichsee 😀",
              "id": "",
              "kind": "FEATURE",
              "value": "zürich",
            },
          ],
          {
            "kind": "count",
            "name": "count_number",
            "value": 2n,
          },
        ],
        [
          [
            {
              "displayName": "É",
              "id": "",
              "kind": "FEATURE",
              "value": "é",
            },
          ],
          {
            "kind": "count",
            "name": "count_number",
            "value": 1n,
          },
        ],
      ]
    `);
  });

  test('values are grouped by a component of their feature', async () => {
    const { rows, appliedFilters, totalSize } = await service.searchMetricAggregates({
      groupBy: [of('state')],
      aggregates: [aggregate('SUM', 'visits'), aggregate('MEDIAN', 'number')],
    });
    expect(rows).toMatchInlineSnapshot(`
      [
        {
          "groups": [
            {
              "displayName": "Zürich",
              "id": "state",
              "kind": "COMPONENT",
              "value": "007",
            },
          ],
          "period": undefined,
          "periods": 2,
          "periodsWithValues": 2,
          "values": [
            {
              "kind": "count",
              "name": "sum_visits",
              "value": 1001n,
            },
            {
              "kind": "number",
              "name": "median_number",
              "value": 6.5,
            },
          ],
        },
        {
          "groups": [
            {
              "displayName": "Maine",
              "id": "state",
              "kind": "COMPONENT",
              "value": "23",
            },
          ],
          "period": undefined,
          "periods": 2,
          "periodsWithValues": 2,
          "values": [
            {
              "kind": "count",
              "name": "sum_visits",
              "value": 9007199254740993n,
            },
            {
              "kind": "number",
              "name": "median_number",
              "value": 2,
            },
          ],
        },
        {
          "groups": [
            {
              "displayName": "Wyoming",
              "id": "state",
              "kind": "COMPONENT",
              "value": "56",
            },
          ],
          "period": undefined,
          "periods": 2,
          "periodsWithValues": 1,
          "values": [
            {
              "kind": "count",
              "name": "sum_visits",
              "value": -1n,
            },
            {
              "kind": "number",
              "name": "median_number",
              "value": 4.5,
            },
          ],
        },
        {
          "groups": [
            {
              "displayName": "7",
              "id": "state",
              "kind": "COMPONENT",
              "value": "7",
            },
          ],
          "period": undefined,
          "periods": 2,
          "periodsWithValues": 1,
          "values": [
            {
              "kind": "count",
              "name": "sum_visits",
              "value": -1n,
            },
            {
              "kind": "number",
              "name": "median_number",
              "value": 16,
            },
          ],
        },
      ]
    `);
    expect(totalSize).toBe(rows.length);
    expect(appliedFilters.addressComponents).toEqual([
      { component: 'is_obfuscated', values: ['false'] },
    ]);
  });

  test('values are grouped by related features and their components', async () => {
    const metricId = 'trips_to_states';
    const aggregates = [aggregate('SUM', 'trips')];
    expect(shown(await rowsOf({ metricId, groupBy: [by('RELATED_FEATURE')], aggregates }))).toEqual(
      [
        ['007', 4n],
        ['23', 10n],
        ['56', 2n],
      ],
    );
    const groupBy = [{ kind: 'RELATED_COMPONENT' as const, id: 'capital', bucket: undefined }];
    expect(shown(await rowsOf({ metricId, groupBy, aggregates }))).toEqual([
      ['Augusta', 10n],
      ['Bern', 4n],
      ['', 2n],
    ]);
  });

  test('the default of a dimension applies unless values are grouped or filtered by it', async () => {
    const metricId = 'young_visits';
    const aggregates = [aggregate('COUNT', 'number')];
    const countOf = async (question: AggregatesQuestion) =>
      shown(await rowsOf({ metricId, aggregates, ...question }));
    expect(await countOf({})).toEqual([[10n]]);
    expect(await countOf({ groupBy: [of('age')] })).toEqual([
      ['old', 1n],
      ['young', 10n],
      ['', 1n],
    ]);
    expect(await countOf({ dimensionFilter: [{ dimensionId: 'age', values: ['old'] }] })).toEqual([
      [1n],
    ]);
  });

  test('values are grouped by their periods, and by buckets of these', async () => {
    const count = [aggregate('COUNT', 'number')];
    const rows = await rowsOf({ groupBy: [by('PERIOD')], aggregates: count });
    expect(rows.map(({ period, values, periods }) => [period, values[0]?.value, periods])).toEqual([
      [{ start: '2024-01-01', end: '2024-01-31' }, 5n, 1],
      [{ start: '2024-02-01', end: '2024-02-29' }, 3n, 1],
    ]);
    const buckets = await rowsOf({ groupBy: [byBucket('MONTH_OF_YEAR')], aggregates: count });
    expect(shown(buckets)).toEqual([
      ['1', 5n],
      ['2', 3n],
    ]);
    expect(buckets[0]?.period).toBeUndefined();
  });

  test('a period that is the same for all values is a group if there are any', async () => {
    for (const groupBy of [[by('PERIOD')], [byBucket('YEAR')]]) {
      const question = { metricId: 'area', groupBy, aggregates: [aggregate('COUNT', 'hectares')] };
      const [{ period, ...row } = { period: undefined }] = await rowsOf(question);
      expect(row).toMatchObject({ values: [{ value: 6n }], periodsWithValues: 1, periods: 1 });
      expect(period?.start).toBe('2024-01-01');
      expect(await rowsOf({ ...question, featureFilter: ['nowhere'] })).toEqual([]);
    }
  });

  test('groups are ordered and paged, with an exact total', async () => {
    const question: AggregatesQuestion = {
      groupBy: [by('FEATURE')],
      aggregates: [aggregate('MAX', 'number')],
      orderBy: [{ name: 'max_number', descending: true }],
    };
    const all = shown(await rowsOf(question));
    for (const pageSize of [1, 2, 100]) {
      const pages = await service.aggregatePages({ ...question, pageSize });
      expect(shown(pages.flatMap(({ rows }) => rows))).toEqual(all);
      expect(new Set(pages.map(({ totalSize }) => totalSize))).toEqual(new Set([all.length]));
    }
    const { nextPageToken: pageToken } = await service.searchMetricAggregates({
      ...question,
      pageSize: 1,
    });
    expect(
      await refusalOf(
        service.searchMetricAggregates({ ...question, pageToken, rankBy: 'max_number' }),
      ),
    ).toContain('The page token belongs to another request.');
  });

  test('requests that the metric does not allow are refused', async () => {
    const groupBy = [of('state')];
    const questions: readonly AggregatesQuestion[] = [
      { billingContext: '' },
      { groupBy: [of('sate')] },
      { groupBy: [{ ...by('FEATURE'), id: 'state' }] },
      { groupBy: [{ ...by('FEATURE'), bucket: 'YEAR' }] },
      { groupBy: [...groupBy, ...groupBy] },
      { groupBy: [by('RELATED_FEATURE')] },
      { aggregates: [aggregate('SUM', 'vists')] },
      { aggregates: [aggregate('SUM', 'weather')] },
      { aggregates: [aggregate('MAX', 'weather')] },
      { aggregates: [{ ...aggregate('SUM', 'visits'), aggregation: undefined }] },
      { aggregates: [{ ...aggregate('SUM', 'visits'), aggregation: 'QUANTILE' }] },
      { aggregates: [{ ...aggregate('SUM', 'visits'), name: 'Sum' }] },
      { aggregates: [...SUM_OF_VISITS, ...SUM_OF_VISITS] },
      { aggregates: SUM_OF_VISITS, rankBy: 'visits' },
      { aggregates: SUM_OF_VISITS, orderBy: [{ name: 'sum_visits.change', descending: false }] },
      { aggregates: [aggregate('SUM', 'number')] },
      { aggregates: [aggregate('SUM', 'share')] },
      { compare: 'PREVIOUS' },
      { compare: 'SAME_PERIOD_LAST_YEAR', groupBy: [byBucket('MONTH_OF_YEAR')] },
      { observationPeriodFilter: { start: '2024-02-30' } },
    ];
    const refusals = await Promise.all(
      questions.map((question) => refusalOf(service.searchMetricAggregates(question))),
    );
    expect(refusals).toMatchInlineSnapshot(`
      [
        "BILLING_CONTEXT_MISSING at /billingContext
      The billingContext is missing.
      Send the id of the organisation that the token was issued to.",
        "INVALID_AGGREGATION at /groupBy/0
      The metric 'visits' has no component or dimension 'sate'.
      Did you mean 'state'?",
        "INVALID_AGGREGATION at /groupBy/0/id
      A group by FEATURE takes no id, but the request has the id 'state'.
      Leave the id out.",
        "INVALID_AGGREGATION at /groupBy/0/bucket
      The bucket YEAR can only be used with PERIOD.
      Leave the bucket out, or group by PERIOD.",
        "INVALID_AGGREGATION at /groupBy/1
      The values are grouped by the component 'state' twice.
      Name it once.",
        "INVALID_AGGREGATION at /groupBy/0/kind
      The metric 'visits' has no related layer, so its values cannot be grouped by related features.
      Group by FEATURE or COMPONENT.",
        "UNKNOWN_MEASURE at /aggregates/0/valueName
      The metric 'visits' has no value 'vists'.
      Did you mean 'visits'?",
        "INVALID_AGGREGATION at /aggregates/0/aggregation
      SUM is not possible for 'weather', which is a category.
      Use COUNT, COUNT_DISTINCT.",
        "INVALID_AGGREGATION at /aggregates/0/aggregation
      MAX is not possible for 'weather', which is a category.
      Use COUNT, COUNT_DISTINCT.",
        "INVALID_AGGREGATION at /aggregates/0/aggregation
      The aggregate of 'visits' has no aggregation.
      Use SUM, AVG, MIN, MAX, COUNT, COUNT_DISTINCT, MEDIAN, QUANTILE.",
        "INVALID_AGGREGATION at /aggregates/0/quantile
      The aggregation QUANTILE needs a quantile.
      For example: 0.9.",
        "INVALID_AGGREGATION at /aggregates/0/name
      'Sum' cannot be the name of an aggregate.
      Use a lowercase letter, then up to 99 lowercase letters, digits and underscores.",
        "INVALID_AGGREGATION at /aggregates/1
      Two aggregates have the name 'sum_visits'.
      Give one of them another name.",
        "INVALID_AGGREGATION at /rankBy
      The request has no aggregate 'visits'.
      Did you mean 'sum_visits'?",
        "INVALID_AGGREGATION at /orderBy/0/name
      'sum_visits.change' needs a comparison.
      Send compare.",
        "NOT_ADDITIVE at /aggregates/0/aggregation
      SUM of 'number' would mean nothing: the field is part of the key, or a coordinate.
      Send MAX, MEDIAN or AVG.",
        "NOT_ADDITIVE at /aggregates/0/aggregation
      SUM of 'share' would mean nothing: its values cannot be added up (additive: none).
      Send MAX, MEDIAN or AVG.",
        "INVALID_AGGREGATION at /compare
      PREVIOUS compares periods, but the values are not grouped by PERIOD, and observationPeriodFilter does not have both days.
      Group by PERIOD, or filter by a period with a start and an end.",
        "INVALID_AGGREGATION at /compare
      SAME_PERIOD_LAST_YEAR compares spans of days, and MONTH_OF_YEAR is not one.
      Use the bucket DAY, WEEK, MONTH, QUARTER or YEAR.",
        "INVALID_PERIOD at /observationPeriodFilter/start
      '2024-02-30' is not a calendar date.
      Send a day that exists, such as 2023-01-31.",
      ]
    `);
  });
});

const PLACES = defineTable({
  name: 'conformance.shops',
  fields: { id: 'string', name: 'string', county: 'string', county_name: 'string' },
  rows: [
    { id: 'a', name: 'A', county: '1', county_name: 'One' },
    { id: 'b', name: 'B', county: '1', county_name: 'One' },
    { id: 'c', name: 'C', county: '2', county_name: 'Two' },
    { id: 'd', name: 'D', county: null, county_name: null },
  ],
  layers: [
    defineLayer({
      id: 'shops',
      components: { county: { fields: { value: 'county', displayName: 'county_name' } } },
    }),
  ],
});

const customers = (
  place: string,
  day: string,
  visits: bigint | null,
  share: number | null = null,
) => ({
  place,
  day,
  visits,
  share,
  most: visits,
});

const CUSTOMERS = defineTable({
  name: 'conformance.customers',
  fields: {
    place: 'string',
    day: 'date',
    visits: 'integer',
    share: 'float',
    most: { type: 'integer', additive: 'places' },
  },
  key: ['place', 'day'],
  rows: [
    customers('a', '2019-04-01', 10n, 0.1),
    customers('a', '2019-04-02', 20n, 0.2),
    customers('b', '2019-04-01', 70n, 0.7),
    customers('c', '2019-04-15', 0n, 0.5),
    customers('d', '2019-04-30', 40n),
    customers('a', '2020-03-31', 11n),
    customers('a', '2020-04-01', 30n, 0.5),
    customers('a', '2020-04-02', null),
    customers('b', '2020-04-03', 20n),
    customers('c', '2020-04-30', 5n),
    customers('d', '2020-04-10', 30n),
    customers('a', '2020-02-29', 1n),
    customers('a', '2019-02-28', 2n),
    customers('a', '2019-03-01', 4n),
  ],
  metrics: [
    defineMetric({
      metricId: 'customers',
      layerId: 'shops',
      measures: { visits: 'count', share: 'number' },
    }),
    defineMetric({
      metricId: 'customers_at_once',
      layerId: 'shops',
      cadence: 'daily',
      measures: { most: 'count' },
    }),
  ],
});

describeOn(ENGINES)('aggregates of the features inside an area, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const around = toPolygon([
    [-111, 44],
    [-110, 45],
    [-111, 45],
    [-111, 44],
  ]);
  const rowsOf = async (question: AggregatesQuestion) =>
    (await service.searchMetricAggregates(question)).rows;

  test('only their values are grouped, compared and counted', async () => {
    const count = { groupBy: [by('FEATURE')], aggregates: [aggregate('COUNT', 'number')] };
    expect(shown(await rowsOf({ ...count, polygonFilter: around }))).toEqual(
      shown(await rowsOf({ ...count, featureFilter: ['YELL'] })),
    );
    const mean = { ...count, compare: 'MEAN_OF_GROUPS', rankBy: 'count_number' } as const;
    expect(await rowsOf({ ...mean, polygonFilter: around })).toEqual(
      await rowsOf({ ...mean, featureFilter: ['YELL'] }),
    );
    expect(
      shown(await rowsOf({ ...count, polygonFilter: around, featureFilter: ['ACAD'] })),
    ).toEqual([]);
  });

  test('those of a metric whose records are the features too', async () => {
    const area = { metricId: 'area', aggregates: [aggregate('MAX', 'hectares')] };
    expect(shown(await rowsOf({ ...area, polygonFilter: around }))).toEqual([[898_317.5]]);
  });

  test('those inside a circle', async () => {
    const circleFilter = { longitude: -110.5, latitude: 45, radiusMetres: 100_000 };
    const count = { groupBy: [by('FEATURE')], aggregates: [aggregate('COUNT', 'number')] };
    expect(shown(await rowsOf({ ...count, circleFilter }))).toEqual(
      shown(await rowsOf({ ...count, featureFilter: ['YELL'] })),
    );
    const area = { metricId: 'area', aggregates: [aggregate('MAX', 'hectares')] };
    expect(shown(await rowsOf({ ...area, circleFilter }))).toEqual([[898_317.5]]);
    const both = { ...count, circleFilter, polygonFilter: around };
    expect(await refusalOf(service.searchMetricAggregates(both))).toContain('INVALID_OPTION');
  });

  test('a page goes on only with the same circle', async () => {
    const circleFilter = { longitude: -110.5, latitude: 45, radiusMetres: 100_000 };
    const question = { groupBy: [of('age')], pageSize: 1, circleFilter };
    const { nextPageToken } = await service.searchMetricAggregates(question);
    const moved = { ...circleFilter, radiusMetres: 100_001 };
    const again = { ...question, pageToken: nextPageToken, circleFilter: moved };
    expect(nextPageToken).not.toBe('');
    expect(await refusalOf(service.searchMetricAggregates(again))).toContain('PAGE_TOKEN');
  });

  test('a page goes on only with the same polygon', async () => {
    const question = { groupBy: [of('age')], pageSize: 1, polygonFilter: around };
    const { nextPageToken } = await service.searchMetricAggregates(question);
    const moved = { ...around, coordinates: around.coordinates.toReversed() };
    const again = { ...question, pageToken: nextPageToken, polygonFilter: moved };
    expect(nextPageToken).not.toBe('');
    expect(await refusalOf(service.searchMetricAggregates(again))).toContain('PAGE_TOKEN');
  });
});

describeOn(ENGINES)('compared aggregates of a metric, $name engine', (engine) => {
  const service = useService(engine, CUSTOMERS, PLACES);
  const rowsOf = async (question: AggregatesQuestion) =>
    (await service.searchMetricAggregates(question)).rows;
  const APRIL = { start: '2020-04-01', end: '2020-04-30' };
  const fallen: AggregatesQuestion = {
    groupBy: [of('county')],
    observationPeriodFilter: APRIL,
    aggregates: SUM_OF_VISITS,
    compare: 'SAME_PERIOD_LAST_YEAR',
    orderBy: [{ name: 'sum_visits.percent', descending: false }],
    rankBy: 'sum_visits.percent',
  };

  test('one request says which county fell most, and how many days are behind it', async () => {
    expect(await rowsOf(fallen)).toMatchInlineSnapshot(`
      [
        {
          "groups": [
            {
              "displayName": "One",
              "id": "county",
              "kind": "COMPONENT",
              "value": "1",
            },
          ],
          "period": undefined,
          "periods": 5,
          "periodsWithValues": 2,
          "values": [
            {
              "change": -50,
              "compared": 100,
              "kind": "count",
              "name": "sum_visits",
              "percent": -50,
              "percentile": 0,
              "rank": 2,
              "value": 50n,
            },
          ],
        },
        {
          "groups": [
            {
              "displayName": "",
              "id": "county",
              "kind": "COMPONENT",
              "value": "",
            },
          ],
          "period": undefined,
          "periods": 5,
          "periodsWithValues": 1,
          "values": [
            {
              "change": -10,
              "compared": 40,
              "kind": "count",
              "name": "sum_visits",
              "percent": -25,
              "percentile": 50,
              "rank": 1,
              "value": 30n,
            },
          ],
        },
        {
          "groups": [
            {
              "displayName": "Two",
              "id": "county",
              "kind": "COMPONENT",
              "value": "2",
            },
          ],
          "period": undefined,
          "periods": 5,
          "periodsWithValues": 1,
          "values": [
            {
              "change": 5,
              "compared": 0,
              "kind": "count",
              "name": "sum_visits",
              "value": 5n,
            },
          ],
        },
      ]
    `);
  });

  test('it is the same with the month as a group', async () => {
    const plain = await rowsOf(fallen);
    const grouped = await rowsOf({ ...fallen, groupBy: [of('county'), byBucket('MONTH')] });
    expect(grouped.map(({ groups, period, ...rest }) => rest)).toEqual(
      plain.map(({ groups, period, ...rest }) => rest),
    );
    expect(grouped.map(({ period }) => period)).toEqual([APRIL, APRIL, APRIL]);
    const earlier = { start: '2019-01-01', end: '2020-12-31' };
    const all = await rowsOf({
      ...fallen,
      groupBy: [of('county'), byBucket('MONTH')],
      observationPeriodFilter: earlier,
    });
    const ofApril = all.filter(({ period }) => period?.start === APRIL.start);
    expect(ofApril.map(({ values }) => values[0]?.percent)).toEqual(
      plain.map(({ values }) => values[0]?.percent),
    );
  });

  test('a span that the filter cuts is compared with one that is cut alike', async () => {
    const [row] = await rowsOf({
      ...fallen,
      groupBy: [byBucket('MONTH')],
      observationPeriodFilter: { start: '2020-04-01', end: '2020-04-15' },
    });
    expect(row?.values).toMatchObject([{ value: 80n, compared: 100, change: -20, percent: -20 }]);
  });

  test('periods are compared with those before them, if there are any', async () => {
    const rows = await rowsOf({
      groupBy: [byBucket('DAY')],
      aggregates: SUM_OF_VISITS,
      compare: 'PREVIOUS',
      featureFilter: ['a'],
    });
    expect(
      rows.map(({ period, values: [value] }) => [period?.start, value?.value, value?.compared]),
    ).toEqual([
      ['2019-02-28', 2n, undefined],
      ['2019-03-01', 4n, 2],
      ['2019-04-01', 10n, undefined],
      ['2019-04-02', 20n, 10],
      ['2020-02-29', 1n, undefined],
      ['2020-03-31', 11n, undefined],
      ['2020-04-01', 30n, 11],
      ['2020-04-02', null, 30],
    ]);
  });

  test('29 February is compared with nothing', async () => {
    const question = { aggregates: SUM_OF_VISITS, compare: 'SAME_PERIOD_LAST_YEAR' } as const;
    const day = { start: '2020-02-29', end: '2020-02-29' };
    for (const groupBy of [[], [byBucket('DAY')], [by('PERIOD')]]) {
      const [row] = await rowsOf({ ...question, groupBy, observationPeriodFilter: day });
      expect(row?.values).toEqual([{ name: 'sum_visits', kind: 'count', value: 1n }]);
    }
  });

  test('groups are compared with their mean, which counts each present group once', async () => {
    const rows = await rowsOf({
      groupBy: [of('county')],
      observationPeriodFilter: APRIL,
      aggregates: [...SUM_OF_VISITS, aggregate('AVG', 'share')],
      compare: 'MEAN_OF_GROUPS',
      rankBy: 'sum_visits',
    });
    const mean = 85 / 3;
    expect(rows.map(({ values }) => values)).toMatchObject([
      [
        { value: 50n, compared: mean, change: 50 - mean, rank: 1, percentile: 200 / 3 },
        { value: 0.5, compared: 0.5, change: 0, percent: 0 },
      ],
      [
        { value: 5n, compared: mean, rank: 3, percentile: 0 },
        { value: null, compared: 0.5 },
      ],
      [
        { value: 30n, compared: mean, rank: 2 },
        { value: null, compared: 0.5 },
      ],
    ]);
    expect(rows[0]?.values[1]).not.toHaveProperty('rank');
    expect(rows[1]?.values[1]).not.toHaveProperty('change');
  });

  test('equal groups share a rank, and those without a value have none', async () => {
    const rows = await rowsOf({
      groupBy: [by('FEATURE'), by('PERIOD')],
      aggregates: SUM_OF_VISITS,
      observationPeriodFilter: APRIL,
      rankBy: 'sum_visits',
      orderBy: [{ name: 'sum_visits', descending: true }],
    });
    expect(
      rows.map(({ values: [value] }) => [value?.value, value?.rank, value?.percentile]),
    ).toEqual([
      [30n, 1, 50],
      [30n, 1, 50],
      [20n, 3, 25],
      [5n, 4, 0],
      [null, undefined, undefined],
    ]);
  });

  test('a request without aggregates says how many periods have values', async () => {
    for (const groupBy of [[], [of('county')]]) {
      const rows = await rowsOf({ groupBy, observationPeriodFilter: APRIL, featureFilter: ['a'] });
      expect(rows).toMatchObject([{ values: [], periodsWithValues: 1, periods: 2 }]);
    }
  });

  test('a sum over what cannot be added up is refused', async () => {
    const question = { metricId: 'customers_at_once', aggregates: [aggregate('SUM', 'most')] };
    const refusal = (more: AggregatesQuestion) =>
      refusalOf(service.searchMetricAggregates({ ...question, ...more }));
    expect(await refusal({ groupBy: [of('county'), byBucket('MONTH')] })).toMatchInlineSnapshot(`
      "NOT_ADDITIVE at /aggregates/0/aggregation
      SUM of 'most' would add up several periods, but its values can be added up over places only (additive: places).
      Group by 'period' without a bucket, or filter it to one value; or send MAX, MEDIAN or AVG."
    `);
    expect(shown(await rowsOf({ ...question, groupBy: [by('PERIOD')] }))).toHaveLength(13);
    const day = { start: '2019-04-01', end: '2019-04-01' };
    const onOneDay = { ...question, groupBy: [of('county')], observationPeriodFilter: day };
    expect(shown(await rowsOf(onOneDay))).toEqual([['1', 80n]]);
  });

  test('a period without a value is counted, and not filled', async () => {
    const rows = await rowsOf({
      groupBy: [by('FEATURE')],
      observationPeriodFilter: APRIL,
      aggregates: SUM_OF_VISITS,
    });
    expect(rows.map(({ periodsWithValues, periods }) => [periodsWithValues, periods])).toEqual([
      [1, 5],
      [1, 5],
      [1, 5],
      [1, 5],
    ]);
  });
});

describeOn(ENGINES)('compared aggregates near the largest double, $name engine', (engine) => {
  const changed = (place: string, ...shares: readonly number[]) =>
    shares.map((share, index) => ({ place, day: `2024-01-0${index + 1}`, share }));
  const service = useService(
    engine,
    PLACES,
    defineTable({
      name: 'conformance.extremes',
      fields: { place: 'string', day: 'date', share: 'float' },
      key: ['place', 'day'],
      rows: [
        ...changed('a', 1e-17, 1e300),
        ...changed('b', 1e-17, -1e300),
        ...changed('c', -1e308, 1e308),
        ...changed('d', 1, 2),
      ],
      metrics: [
        defineMetric({ metricId: 'extremes', layerId: 'shops', measures: { share: 'number' } }),
      ],
    }),
  );

  test.each(['change', 'percent'])('a %s beyond it is absent, and has no rank', async (part) => {
    const { rows } = await service.searchMetricAggregates({
      metricId: 'extremes',
      groupBy: [by('FEATURE')],
      observationPeriodFilter: { start: '2024-01-02', end: '2024-01-02' },
      aggregates: [aggregate('MAX', 'share')],
      compare: 'PREVIOUS',
      orderBy: [{ name: `max_share.${part}`, descending: false }],
      rankBy: `max_share.${part}`,
    });
    const found = rows.map(({ groups, values: [value] }) => [
      groups[0]?.value,
      value?.change,
      value?.percent,
      value?.rank,
    ]);
    const [a, b] = [1e300, -1e300];
    expect(found).toEqual(
      part === 'change'
        ? [
            ['b', b, undefined, 3],
            ['d', 1, 100, 2],
            ['a', a, undefined, 1],
            ['c', undefined, undefined, undefined],
          ]
        : [
            ['d', 1, 100, 1],
            ['a', a, undefined, undefined],
            ['b', b, undefined, undefined],
            ['c', undefined, undefined, undefined],
          ],
    );
  });
});

describeOn(ENGINES)('aggregates of a metric of overlapping periods, $name engine', (engine) => {
  const service = useService(
    engine,
    PLACES,
    defineTable({
      name: 'conformance.overlapping',
      fields: {
        place: 'string',
        first: 'date',
        last: 'date',
        most: { type: 'integer', additive: 'places' },
      },
      key: ['place', 'first', 'last'],
      period: { start: 'first', end: 'last' },
      rows: [
        { place: 'a', first: '2024-01-01', last: '2024-01-07', most: 3n },
        { place: 'a', first: '2024-01-01', last: '2024-01-31', most: 4n },
        { place: 'b', first: '2024-01-01', last: '2024-01-31', most: 5n },
      ],
      metrics: [
        defineMetric({
          metricId: 'overlapping',
          layerId: 'shops',
          period: { start: { field: 'first' }, end: { field: 'last' } },
          measures: { most: 'count' },
        }),
      ],
    }),
  );
  const question = { metricId: 'overlapping', aggregates: [aggregate('SUM', 'most')] };

  test('a sum over places is that of each period, and the hint names the period once', async () => {
    const january = { start: '2024-01-01', end: '2024-01-31' };
    const refused = { ...question, observationPeriodFilter: january };
    expect(await refusalOf(service.searchMetricAggregates(refused))).toMatchInlineSnapshot(`
      "NOT_ADDITIVE at /aggregates/0/aggregation
      SUM of 'most' would add up several periods, but its values can be added up over places only (additive: places).
      Group by 'period' without a bucket, or filter it to one value; or send MAX, MEDIAN or AVG."
    `);
    const { rows } = await service.searchMetricAggregates({ ...question, groupBy: [by('PERIOD')] });
    expect(shown(rows)).toEqual([
      ['2024-01-01', 3n],
      ['2024-01-01', 9n],
    ]);
  });
});

describeOn(ENGINES)('aggregates of a metric with totals, $name engine', (engine) => {
  const regions = (name: string, ids: readonly string[]) =>
    defineTable({
      name: `conformance.${name}`,
      fields: { id: 'string', name: 'string', zone: 'string' },
      rows: ids.map((id) => ({ id, name: id, zone: id === 'ALL' ? null : 'north' })),
      layers: [defineLayer({ id: name, components: { zone: { fields: { value: 'zone' } } } })],
    });
  const counts = (name: string) =>
    defineTable({
      name: `conformance.${name}_counts`,
      fields: { place: { type: 'string', totalLabel: 'ALL' }, day: 'date', visits: 'integer' },
      key: ['place', 'day'],
      rows: ['A', 'B', 'ALL'].map((place) => ({ place, day: '2024-01-01', visits: 5n })),
      metrics: [defineMetric({ metricId: name, layerId: name })],
    });
  const service = useService(
    engine,
    regions('parts', ['A', 'B']),
    counts('parts'),
    regions('with_all', ['A', 'B', 'ALL']),
    counts('with_all'),
  );
  const question = { groupBy: [of('zone')], aggregates: SUM_OF_VISITS };

  test('a total that is no feature is no value, and is not added up', async () => {
    const { rows } = await service.searchMetricAggregates({ ...question, metricId: 'parts' });
    expect(shown(rows)).toEqual([['north', 10n]]);
  });

  test('a total that is a feature is kept apart from its parts', async () => {
    const ask = (more: AggregatesQuestion) =>
      service.searchMetricAggregates({ ...question, metricId: 'with_all', ...more });
    expect(await refusalOf(ask({}))).toMatchInlineSnapshot(`
      "NOT_ADDITIVE at /groupBy
      Aggregates would count twice: the records with 'ALL' in 'place' are the totals of the others.
      Group by 'feature', or filter it: to 'ALL' for the totals, or to others for their parts."
    `);
    const { rows } = await ask({ groupBy: [by('FEATURE')] });
    expect(shown(rows)).toEqual([
      ['A', 5n],
      ['ALL', 5n],
      ['B', 5n],
    ]);
    const { rows: parts } = await ask({ featureFilter: ['A', 'B'] });
    expect(shown(parts)).toEqual([['north', 10n]]);
  });
});

describeOn(ENGINES)(
  'sums of a metric with fields that callers do not see, $name engine',
  (engine) => {
    const service = useService(
      engine,
      defineTable({
        name: 'conformance.people',
        fields: {
          place: 'string',
          day: 'date',
          group_code: { type: 'string', totalLabel: 'everyone' },
          origin: 'string',
          visits: 'integer',
          raw_index: { type: 'float', additive: 'none' },
          raw_guests: { type: 'integer', additive: 'periods' },
        },
        key: ['place', 'day', 'group_code'],
        rows: ['everyone', 'young'].map((group_code) => ({
          ...{ place: 'A', day: '2024-01-01', group_code, origin: 'A' },
          ...{ visits: 5n, raw_index: 0.5, raw_guests: 5n },
        })),
        metrics: [
          defineMetric({
            metricId: 'people',
            layerId: 'people_places',
            measures: {
              visits: 'count',
              index: { kind: 'number', field: 'raw_index' },
              guests: { field: 'raw_guests' },
            },
            dimensions: { age: { fields: { value: 'group_code' }, defaultValue: 'everyone' } },
          }),
          defineMetric({
            metricId: 'people_of_origins',
            layerId: 'people_places',
            featureId: 'origin',
          }),
        ],
      }),
      defineTable({
        name: 'conformance.people_places',
        fields: { id: 'string', name: 'string' },
        rows: [{ id: 'A', name: 'A' }],
        layers: [defineLayer({ id: 'people_places', components: {} })],
      }),
    );
    const refusal = (question: AggregatesQuestion) =>
      refusalOf(service.searchMetricAggregates({ metricId: 'people', ...question }));

    test('are refused by the names of the metric', async () => {
      expect([
        await refusal({ aggregates: [aggregate('SUM', 'index')] }),
        await refusal({ aggregates: [aggregate('SUM', 'guests')] }),
        await refusal({ aggregates: [aggregate('SUM', 'guests')], groupBy: [by('FEATURE')] }),
        // No dimension of the metric keeps the totals apart.
        await refusal({ metricId: 'people_of_origins', aggregates: SUM_OF_VISITS }),
      ]).toMatchInlineSnapshot(`
        [
          "NOT_ADDITIVE at /aggregates/0/aggregation
        SUM of 'index' would mean nothing: its values cannot be added up (additive: none).
        Send MAX, MEDIAN or AVG.",
          "NOT_ADDITIVE at /aggregates/0/aggregation
        SUM of 'guests' would add up several places, but its values can be added up over periods only (additive: periods).
        Send MAX, MEDIAN or AVG.",
          "NOT_ADDITIVE at /aggregates/0/aggregation
        SUM of 'guests' would add up several places, but its values can be added up over periods only (additive: periods).
        Send MAX, MEDIAN or AVG.",
          "NOT_ADDITIVE at /groupBy
        The values include totals over a field by which they cannot be grouped, so aggregates would count twice.
        Ask the publisher of the data to make the field a dimension of the metric, or list the values.",
        ]
      `);
    });

    test('are answered if the total of a hidden dimension is its default', async () => {
      const grant = { ...wholeGrant('some', 'conformance/people'), fields: ['visits'] };
      const { rows } = await service.searchMetricAggregates({
        metricId: 'people',
        aggregates: SUM_OF_VISITS,
        caller: callerWith([grant]),
      });
      expect(shown(rows)).toEqual([[5n]]);
    });
  },
);

describeOn(ENGINES)('aggregates of features with a default filter, $name engine', (engine) => {
  const shops = (name: string, kinds: readonly string[]) =>
    defineTable({
      name: `conformance.${name}`,
      fields: {
        place: 'string',
        name: 'string',
        kind: { type: 'string', totalLabel: 'any' },
        visits: 'integer',
      },
      key: ['place'],
      rows: kinds.map((kind) => ({ place: kind, name: kind, kind, visits: 5n })),
      layers: [defineLayer({ id: name, featureId: 'place', components: { kind: 'taxonomy' } })],
      metrics: [
        defineMetric({
          metricId: name,
          layerId: name,
          period: { start: { day: '2024-01-01' }, end: { day: '2024-12-31' } },
          defaultFilters: [{ component: 'kind', values: ['cafe', 'bar'] }],
        }),
      ],
    });
  const service = useService(
    engine,
    shops('parts_alone', ['cafe', 'bar']),
    shops('parts_and_total', ['cafe', 'bar', 'any']),
  );

  test.each(['parts_alone', 'parts_and_total'])(
    'are answered, whether the filter leaves out a total or not: %s',
    async (metricId) => {
      const { rows } = await service.searchMetricAggregates({
        metricId,
        aggregates: SUM_OF_VISITS,
      });
      expect(shown(rows)).toEqual([[10n]]);
    },
  );
});
