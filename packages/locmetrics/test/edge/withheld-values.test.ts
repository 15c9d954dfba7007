import { type GrantTerms, WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { where, whereIn } from '../conformance/filter-clause.ts';
import { readAll } from '../metering/usage-under-test.ts';
import {
  type Asked,
  EDGES,
  type Edge,
  type Page,
  pagesOf,
  type Served,
} from './comparable-pages.ts';
import { createTestData } from './test-data.ts';
import { openTestServer } from './test-server.ts';
import { filesOf, STATES } from './withheld-files.ts';

/**
 * Attempts to learn withheld values from groups, aggregates, statistics and pages of values. The same requests are sent,
 * over both edges, to services whose data differ only in what the caller may not see. The answers must be the same to the
 * byte, and so must their status, their charges and their usage. Each attempt tells a caller who sees everything which of the data it is: otherwise it would prove nothing.
 */

let services: readonly Served[];

const SEEN_PLACES = ['a1', 'a2', 'a3'];
const ofRecords = [
  whereIn('place', 'in', SEEN_PLACES),
  where('start', '>=', '2024-01-01'),
  where('band', '==', 'x'),
];
const ofDatasets: readonly GrantTerms[] = [
  {
    ...wholeGrant('', 'town.places'),
    filters: [where('region', '==', 'A'), whereIn('id', 'in', [...SEEN_PLACES, 'a4'])],
    fields: ['id', 'name', 'region', 'floors', 'workers', 'latitude', 'longitude'],
  },
  {
    ...wholeGrant('', 'town.log'),
    filters: ofRecords,
    fields: ['place', 'start', 'end', 'age', 'guests'],
  },
  {
    ...wholeGrant('', 'town.visits'),
    filters: ofRecords,
    fields: ['place', 'start', 'end', 'age', 'age_name', 'region', 'visits', 'guests', 'stay'],
  },
];
const ofMetric = {
  ...wholeGrant('', 'town/visits'),
  fields: ['count', 'guests', 'stay', 'age', 'region', 'floors'],
};

/** The parts of the metric that an organisation may see: by its lens, and by filters on records. */
const GRANTS: Readonly<Record<string, readonly GrantTerms[]>> = {
  everything: [{ ...wholeGrant('', '*'), showsSmallCells: true, liftsDefaultFilters: true }],
  lens: [
    ...ofDatasets,
    {
      ...ofMetric,
      lens: {
        ...WHOLE_LENS,
        addressComponents: [{ component: 'region', values: ['A'] }],
        features: [...SEEN_PLACES, 'a4'],
        period: { start: '2024-01-01' },
      },
    },
  ],
  records: [
    ...ofDatasets,
    {
      ...ofMetric,
      filters: ofRecords,
    },
  ],
};

beforeAll(async () => {
  services = await Promise.all(
    STATES.map(async (state) => {
      const data = await createTestData();
      await data.publishFiles(filesOf(state));
      const tokens = new Map<string, string>();
      for (const [organisationId, grants] of Object.entries(GRANTS)) {
        data.store.createOrganisation({ id: organisationId, name: organisationId });
        for (const terms of grants) data.store.addGrant(organisationId, terms);
        tokens.set(
          organisationId,
          data.store.createToken({ organisationId, name: 'test' }).tokenText,
        );
      }
      const server = await openTestServer(data, { limitsOf: () => ({ rowsPerDay: 1_000_000 }) });
      return { data, server, tokens };
    }),
  );
});

afterAll(async () => {
  for (const { server, data } of services) {
    await server.close();
    await data.remove();
  }
});

const visits = (body: object): Asked => ({
  call: 'listRecords',
  body: { dataReferenceName: 'town.visits', ...body },
});
const places = (body: object): Asked => ({
  call: 'listRecords',
  body: { dataReferenceName: 'town.places', ...body },
});
const METRIC = { catalogId: 'town', metricId: 'visits' };
const aggregates = (body: object): Asked => ({
  call: 'searchMetricAggregates',
  body: { ...METRIC, ...body },
});
const values = (body: object): Asked => ({
  call: 'searchMetricValues',
  body: { ...METRIC, ...body },
});
const alpha = (call: 'listRecordsStatistics' | 'getLayerStats', body: object): Asked => ({
  call,
  body: { dataReferenceName: 'town.visits', ...body },
});

const by = (...names: readonly string[]) => ({
  groupBy: names.map((fieldName) => ({ fieldName })),
});
const value = (name: string, aggregation: string, alias = '', quantile?: number) => ({
  ...{ name, aggregation },
  ...(alias === '' ? {} : { alias }),
  ...(quantile === undefined ? {} : { quantile }),
});
const parts = [{ fieldName: 'age', operator: '!=', value: 'all' }];
const order = (fieldName: string, direction = 'DESC') => ({
  options: { orderBy: { fieldName, direction } },
});
const EXTREMES = [
  ...['MIN', 'MAX', 'SUM', 'AVG', 'COUNT', 'COUNT_DISTINCT', 'MEDIAN'].map((one) =>
    value('visits', one, one.toLowerCase()),
  ),
  value('visits', 'QUANTILE', 'least', 0),
  value('visits', 'QUANTILE', 'most', 1),
];
const of = (valueName: string, aggregation: string, quantile?: number) => ({
  ...{
    valueName,
    aggregation,
    name: `${aggregation.toLowerCase()}_${valueName}_${quantile ?? ''}`,
  },
  ...(quantile === undefined ? {} : { quantile }),
});
const NUMBERS = [
  ...['SUM', 'MIN', 'MAX', 'AVG', 'COUNT', 'COUNT_DISTINCT', 'MEDIAN'].map((one) => ({
    valueName: 'count',
    aggregation: one,
  })),
  of('count', 'QUANTILE', 0),
  of('count', 'QUANTILE', 1),
];
const FEW_NUMBERS = NUMBERS.slice(0, 3);
const FEATURE = { kind: 'FEATURE' };
const AGE = { kind: 'DIMENSION', id: 'age' };
const REGION = { kind: 'COMPONENT', id: 'region' };
const FLOORS = { kind: 'COMPONENT', id: 'floors' };
const PERIOD = { kind: 'PERIOD' };
const inBuckets = (bucket: string) => ({ ...PERIOD, bucket });

/** Each attempt: its requests, which are answered. */
const ATTEMPTS: Readonly<Record<string, readonly Asked[]>> = {
  'the difference of two totals': [
    visits({ fields: EXTREMES, filters: parts, recordCount: true }),
    visits({
      fields: EXTREMES,
      recordCount: true,
      filters: [...parts, { fieldName: 'region', operator: '==', value: 'A' }],
    }),
    visits({
      fields: EXTREMES,
      recordCount: true,
      filters: [...parts, { fieldName: 'region', operator: '==', value: 'A' }],
      filterLogic: '$0 AND NOT $1',
    }),
    visits({ fields: EXTREMES, recordCount: true, ...by('age') }),
    aggregates({ aggregates: NUMBERS }),
    aggregates({ aggregates: NUMBERS, groupBy: [AGE] }),
    aggregates({
      aggregates: NUMBERS,
      addressComponentFilter: [{ component: 'region', values: ['A'] }],
    }),
  ],
  'a filter on groups that only a withheld value satisfies': [
    visits({
      ...by('place', 'age'),
      fields: [value('visits', 'MAX', 'most'), value('visits', 'COUNT', 'known')],
      groupFilters: [{ fieldName: 'most', operator: '>', value: '100' }],
    }),
    visits({
      ...by('place', 'age'),
      fields: ['place', value('visits', 'MIN', 'least')],
      groupFilters: [{ fieldName: 'least', operator: '<', value: '5' }],
    }),
    visits({
      ...by('place', 'age'),
      fields: ['place', 'age', value('visits', 'COUNT', 'known')],
      groupFilters: [{ fieldName: 'known', operator: '<', value: '3' }],
      countOnly: true,
    }),
    visits({
      ...by('place'),
      filters: parts,
      recordCount: true,
      groupFilters: [{ fieldName: 'record_count', operator: '!=', value: '6' }],
    }),
    places({
      ...by('workers'),
      groupFilters: [{ fieldName: 'workers', operator: 'is_not_empty' }],
    }),
    aggregates({
      groupBy: [FEATURE],
      aggregates: FEW_NUMBERS,
      valueFilter: [{ valueName: 'count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1 }],
    }),
  ],
  'a filter on records that only a withheld value satisfies': [
    visits({ ...by('age'), filters: [{ fieldName: 'visits', operator: '<', value: '5' }] }),
    visits({
      ...by('age'),
      filters: [{ fieldName: 'visits', operator: '<', value: '5' }],
      filterLogic: 'NOT $0',
      recordCount: true,
    }),
    visits({ ...by('age'), filters: [{ fieldName: 'visits', operator: '>', value: '300' }] }),
    visits({ ...by('age'), filters: [{ fieldName: 'visits', operator: 'is_empty' }] }),
    visits({
      ...by('age', 'place'),
      filters: [{ fieldName: 'age', operator: 'in', values: ['teen', 'old'] }],
    }),
  ],
  'the place of groups in an order by an aggregate': [
    ...['ASC', 'DESC'].flatMap((direction) => [
      visits({
        ...by('place', 'start', 'age'),
        fields: ['place', 'start', value('visits', 'SUM', 'sum')],
        ...order('sum', direction),
        pageSize: 10,
      }),
      visits({
        ...by('place'),
        filters: parts,
        fields: ['place', value('visits', 'MIN', 'least')],
        ...order('least', direction),
        pageSize: 1,
      }),
      places({
        ...by('id'),
        fields: ['id', value('workers', 'MAX')],
        ...order('workers', direction),
      }),
      aggregates({
        groupBy: [FEATURE, AGE],
        aggregates: FEW_NUMBERS,
        orderBy: [{ name: 'min_count', direction }],
        pageSize: 5,
      }),
      aggregates({
        groupBy: [FEATURE],
        aggregates: FEW_NUMBERS,
        compare: 'MEAN_OF_GROUPS',
        orderBy: [{ name: 'sum_count.percent', direction }],
        pageSize: 1,
      }),
    ]),
  ],
  'the number of groups': [
    visits({ ...by('place', 'start', 'age'), pageSize: 1, countOnly: true }),
    visits({ ...by('place', 'start', 'age'), pageSize: 4 }),
    visits({ ...by('visits', 'age'), pageSize: 4 }),
    places({ ...by('workers'), countOnly: true }),
    ...['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR', 'DAY_OF_WEEK', 'MONTH_OF_YEAR'].map((bucket) =>
      visits({ groupBy: [{ fieldName: 'start', bucket }], filters: parts, recordCount: true }),
    ),
    aggregates({ groupBy: [FEATURE, AGE, PERIOD], aggregates: FEW_NUMBERS, pageSize: 3 }),
    aggregates({ groupBy: [FLOORS], aggregates: FEW_NUMBERS }),
    aggregates({ groupBy: [REGION, AGE], aggregates: FEW_NUMBERS }),
  ],
  'counts of distinct values': [
    visits({
      filters: parts,
      fields: ['place', 'start', 'age', 'age_name', 'region', 'visits', 'guests', 'stay'].map(
        (name) => value(name, 'COUNT_DISTINCT'),
      ),
    }),
    places({
      fields: ['id', 'name', 'region', 'workers', 'latitude'].map((name) =>
        value(name, 'COUNT_DISTINCT'),
      ),
    }),
    aggregates({
      aggregates: ['count', 'guests', 'stay'].map((valueName) => ({
        valueName,
        aggregation: 'COUNT_DISTINCT',
      })),
    }),
  ],
  'the least, the largest and quantiles': [
    visits({
      ...by('age'),
      fields: [
        ...EXTREMES,
        ...['place', 'start', 'end', 'age_name', 'region'].flatMap((name) => [
          value(name, 'MIN', `min_${name}`),
          value(name, 'MAX', `max_${name}`),
        ]),
      ],
    }),
    places({
      ...by('region'),
      fields: [
        value('name', 'MIN', 'first'),
        value('name', 'MAX', 'last'),
        value('workers', 'MIN', 'low'),
        value('workers', 'MAX', 'high'),
        value('workers', 'MEDIAN', 'median'),
        value('latitude', 'MAX', 'north'),
      ],
    }),
  ],
  'ranks, percentiles and means of groups': [
    ...[FEATURE, REGION, PERIOD, FLOORS, inBuckets('QUARTER')].map((group) =>
      aggregates({
        groupBy: [group, AGE],
        aggregates: FEW_NUMBERS,
        compare: 'MEAN_OF_GROUPS',
        rankBy: 'sum_count',
        pageSize: 3,
      }),
    ),
    aggregates({
      groupBy: [FEATURE],
      aggregates: FEW_NUMBERS,
      compare: 'MEAN_OF_GROUPS',
      rankBy: 'max_count.change',
    }),
  ],
  'periods to compare with that are withheld, and the number of periods': [
    ...['PREVIOUS', 'SAME_PERIOD_LAST_YEAR'].flatMap((compare) => [
      aggregates({ groupBy: [FEATURE, PERIOD], aggregates: FEW_NUMBERS, compare }),
      ...['MONTH', 'QUARTER', 'YEAR'].map((bucket) =>
        aggregates({ groupBy: [AGE, inBuckets(bucket)], aggregates: FEW_NUMBERS, compare }),
      ),
      aggregates({
        groupBy: [FEATURE],
        aggregates: FEW_NUMBERS,
        compare,
        observationPeriodFilter: { start: '2024-01-01', end: '2024-01-31' },
        rankBy: 'sum_count.percent',
      }),
      aggregates({
        groupBy: [inBuckets('MONTH')],
        aggregates: FEW_NUMBERS,
        compare,
        observationPeriodFilter: { start: '2024-01-01', end: '2024-03-31' },
      }),
    ]),
    aggregates({ groupBy: [FEATURE], aggregates: FEW_NUMBERS }),
    aggregates({ groupBy: [inBuckets('YEAR')], aggregates: FEW_NUMBERS }),
    aggregates({ groupBy: [inBuckets('DAY_OF_WEEK')], aggregates: FEW_NUMBERS }),
  ],
  'the names of groups': [
    aggregates({ groupBy: [FEATURE], aggregates: FEW_NUMBERS }),
    aggregates({ groupBy: [REGION], aggregates: FEW_NUMBERS }),
    aggregates({ groupBy: [AGE], aggregates: FEW_NUMBERS }),
  ],
  'pages of values': [
    values({ pageSize: 4 }),
    values({ pageSize: 5, invertSortOrder: true }),
    values({ dimensionFilter: [{ dimensionId: 'age', values: ['old', 'young'] }], pageSize: 7 }),
    values({ addressComponentFilter: [{ component: 'region', values: ['A'] }], skipGeo: true }),
    values({ observationPeriodFilter: { start: '2024-01-01', end: '2024-02-29' }, pageSize: 4 }),
    values({
      valueFilter: [{ valueName: 'count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1 }],
      pageSize: 4,
    }),
    values({ featureFilter: ['a1', 'a2'], countOnly: true }),
    values({ trackTotalHitsInteger: 3, pageSize: 2 }),
  ],
  'the descriptions of datasets': [
    { call: 'getDataReference', body: { dataReferenceName: 'town.visits' } },
    { call: 'getDataReference', body: { dataReferenceName: 'town.log' } },
  ],
  'statistics of dates': [
    alpha('listRecordsStatistics', {}),
    alpha('listRecordsStatistics', { filters: parts }),
    alpha('listRecordsStatistics', {
      filters: [{ fieldName: 'visits', operator: '<', value: '5' }],
      filterLogic: 'NOT $0',
    }),
    ...['2023-12-01', '2024-01-01', '2024-02-01', '2024-06-01', '2025-01-01'].map(
      (observationDate) =>
        alpha('getLayerStats', {
          observationDate,
          dimensions: ['place', 'age', 'age_name', 'region', 'visits', 'guests'],
        }),
    ),
  ],
};

/** Requests that are refused, or whose names and values are withheld: the refusals must not depend on the data either. */
const GUESSES: Readonly<Record<string, readonly Asked[]>> = {
  'sums that cannot be added up': [
    visits({
      groupBy: [{ fieldName: 'start', bucket: 'MONTH' }, { fieldName: 'age' }],
      fields: [value('guests', 'SUM')],
    }),
    visits({
      groupBy: [{ fieldName: 'start', bucket: 'WEEK' }, { fieldName: 'age' }],
      fields: [value('guests', 'SUM')],
    }),
    visits({ ...by('place'), fields: [value('guests', 'SUM')], filters: parts }),
    visits({ fields: [value('visits', 'SUM')] }),
    visits({ fields: [value('visits', 'SUM')], filters: parts }),
    ...['WEEK', 'MONTH', 'QUARTER'].map((bucket) =>
      visits({
        dataReferenceName: 'town.log',
        groupBy: [{ fieldName: 'start', bucket }],
        fields: [value('guests', 'SUM')],
      }),
    ),
    aggregates({ groupBy: [PERIOD], aggregates: [of('guests', 'SUM')] }),
    aggregates({ groupBy: [inBuckets('MONTH')], aggregates: [of('guests', 'SUM')] }),
    aggregates({ groupBy: [FEATURE], aggregates: [of('guests', 'SUM')] }),
    aggregates({ aggregates: [of('stay', 'SUM')] }),
  ],
  'names of hidden fields': ['staff', 'note', 'band', 'is_rough', 'nothing'].flatMap((name) => [
    visits(by(name)),
    visits({ filters: parts, fields: [value(name, 'COUNT')] }),
    visits({ ...by('age'), groupFilters: [{ fieldName: name, operator: 'is_empty' }] }),
    visits({ ...by('age'), ...order(name) }),
    alpha('getLayerStats', { observationDate: '2024-01-01', dimensions: [name] }),
    alpha('listRecordsStatistics', { filters: [{ fieldName: name, operator: 'is_empty' }] }),
    aggregates({ groupBy: [{ id: name }] }),
    aggregates({ groupBy: [{ kind: 'DIMENSION', id: name }] }),
    aggregates({ groupBy: [{ kind: 'COMPONENT', id: name }] }),
    aggregates({ aggregates: [of(name, 'MAX')] }),
  ]),
  'names of hidden components': ['owner', 'is_open', 'nothing'].flatMap((id) => [
    aggregates({ groupBy: [{ kind: 'COMPONENT', id }] }),
    aggregates({ addressComponentFilter: [{ component: id, values: ['true'] }] }),
  ]),
  'ids of hidden places': ['a5', 'b1', 'b2', 'every', 'nowhere'].flatMap((id) => [
    visits({ ...by('age'), filters: [{ fieldName: 'place', operator: '==', value: id }] }),
    aggregates({ aggregates: FEW_NUMBERS, featureFilter: [id] }),
    aggregates({ aggregates: FEW_NUMBERS, featureFilter: [id, 'a1'], groupBy: [FEATURE] }),
    values({ featureFilter: [id] }),
    values({ featureFilter: [id, 'a1'], bestEffortQueryWhenNotAllowed: true }),
  ]),
  'values of hidden records': ['B', 'A'].flatMap((region) => [
    visits({
      ...by('region'),
      filters: [{ fieldName: 'region', operator: '==', value: region }, ...parts],
    }),
    aggregates({ addressComponentFilter: [{ component: 'region', values: [region] }] }),
    values({ addressComponentFilter: [{ component: 'region', values: [region] }] }),
    values({ dimensionFilter: [{ dimensionId: 'band', values: ['x', region] }] }),
    ...['teen', 'young'].map((age) =>
      aggregates({
        aggregates: FEW_NUMBERS,
        dimensionFilter: [{ dimensionId: 'age', values: [age] }],
      }),
    ),
  ]),
};

const isOfMetric = ({ call }: Asked): boolean => call.startsWith('searchMetric');

/** The grants of the datasets are the same, so the second caller asks for the metric alone. */
const ASKED_BY: Readonly<Record<string, (asked: Asked) => boolean>> = {
  lens: () => true,
  records: isOfMetric,
};

/** The edge over which each caller asks in `npm test`. */
const QUICK_EDGE_OF: Readonly<Record<string, Edge | undefined>> = {
  lens: EDGES['HTTP'],
  records: EDGES['gRPC'],
};

describe.each(Object.entries(ASKED_BY))('a caller limited by %s', (organisation, asks) => {
  describe.each(Object.entries(EDGES))('over %s', (_edge, edge) => {
    const tags = edge === QUICK_EDGE_OF[organisation] ? [] : ['slow'];
    test.each(Object.entries(ATTEMPTS))('learns nothing from %s', { tags }, async (_, asked) => {
      for (const one of asked.filter(asks)) {
        const [page] = await expectTheSame(one, organisation, edge);
        // An attempt that is refused anyway proves nothing.
        expect(page?.status, JSON.stringify(one)).toBe(edge.answered);
      }
    });

    test.each(Object.entries(GUESSES))('learns nothing from %s', { tags }, async (_, asked) => {
      for (const one of asked.filter(asks)) await expectTheSame(one, organisation, edge);
    });
  });

  // Of what the tests of the run have asked.
  test('is charged for the same rows and bytes', { tags: ['sized'] }, async () => {
    const usage = await Promise.all(
      services.map(async ({ data }) => {
        const records = await readAll(data.directory.usage);
        const own = records.filter(({ organisationId }) => organisationId === organisation);
        return own.map(({ operation, resource, rows, bytes }) => [
          operation,
          resource,
          rows,
          bytes,
        ]);
      }),
    );
    const [first, ...others] = usage;
    expect(first?.length).toBeGreaterThan(70);
    for (const other of others) expect(other).toEqual(first);
  });
});

describe.each(Object.entries(EDGES))('a caller who sees everything, over %s', (_edge, edge) => {
  const tags = edge === EDGES['gRPC'] ? ['slow'] : [];
  test.each(Object.entries(ATTEMPTS))('learns all of it from %s', { tags }, async (_, asked) => {
    const answers: (readonly (readonly Page[])[])[] = [];
    for (const one of asked) answers.push(await answersOf(one, 'everything', edge));
    const different = answers.map((pages) => new Set(pages.map((one) => JSON.stringify(one))).size);
    expect(Math.max(...different)).toBe(STATES.length);
  });
});

async function expectTheSame(
  asked: Asked,
  organisation: string,
  edge: Edge,
): Promise<readonly Page[]> {
  const [first = [], ...others] = await answersOf(asked, organisation, edge);
  for (const other of others) expect(other, JSON.stringify(asked)).toEqual(first);
  return first;
}

/** The answers to a request in each state: all pages of each, with their charges. */
async function answersOf(
  asked: Asked,
  organisation: string,
  edge: Edge,
): Promise<readonly (readonly Page[])[]> {
  return Promise.all(services.map((served) => pagesOf(served, asked, organisation, edge)));
}
