import type { FilterClause } from '@locmetrics/client';
import type { Call } from '../../src/calls/call.ts';

export type SampleCall = {
  readonly name: string;
  readonly call: Call;
  /** The text of Python says that its answer is another one, so it is only run. */
  readonly isOtherInPython?: boolean;
};

/** The size of the pages whose next one is read too. */
export const FIRST_PAGE_SIZE = 30;

/** Calls as the views make them, of the sample and of the trips of the tests. Each has rows. */
export const SAMPLE_CALLS: readonly SampleCall[] = [
  records('all records of a dataset', { dataReferenceName: 'mobility.states', typedValues: true }),
  records('more records than a page of the client, with only some fields', {
    dataReferenceName: 'ml_visitation.foot_traffic_month',
    fields: ['location_id', 'observation_start_date', 'visits_sum'],
    filters: [{ fieldName: 'observation_start_date', operator: '>=', value: '2020-06-01' }],
    typedValues: true,
  }),
  records('the first page', {
    dataReferenceName: 'ml_visitation.foot_traffic_month',
    fields: [{ name: 'location_id' }, { name: 'observation_start_date' }],
    pageSize: FIRST_PAGE_SIZE,
  }),
  records('a box, an order and every option', {
    dataReferenceName: 'ml_visitation.places',
    options: {
      boundingBox: { minLng: -124.5, minLat: 32, maxLng: -100, maxLat: 42.25 },
      orderBy: { fieldName: 'latitude', direction: 'DESC' },
      trimToPeriodOfExistence: 'UNSPECIFIED',
    },
    typedValues: true,
    pageSize: 20,
  }),
  records('a box with edges at 0', {
    dataReferenceName: 'ml_visitation.places',
    fields: ['location_id', 'longitude'],
    options: {
      boundingBox: { minLng: -180, minLat: 0, maxLng: 0, maxLat: 90 },
      orderBy: { fieldName: 'longitude', direction: 'ASC' },
    },
    typedValues: true,
    pageSize: 100,
  }),
  ...operators([
    { fieldName: 'city', operator: '==', value: 'Bar Harbor' },
    { fieldName: 'city', operator: '!=', value: `it's "$HOME" \`id\` \\ \n\t${'é日本😀'} !!` },
    { fieldName: 'region', operator: 'in', values: ['CA', "O'Neil", '$(id)'] },
    { fieldName: 'region', operator: 'not_in', values: ['CA', '\\', '"'] },
    { fieldName: 'city', operator: 'contains', value: 'SPRING' },
    { fieldName: 'city', operator: 'starts_with', value: 'b' },
    { fieldName: 'location_name', operator: 'ends_with', value: 'park' },
    { fieldName: 'city', operator: '!=', value: 'Bar Harbor' },
    { fieldName: 'latitude', operator: '<', value: 37.5 },
    { fieldName: 'latitude', operator: '<=', value: '37.5' },
    { fieldName: 'latitude', operator: '>', value: 40 },
    { fieldName: 'latitude', operator: '>=', value: '40' },
  ]),
  records('absent values', {
    dataReferenceName: 'mobility.state_day',
    filters: [
      { fieldName: 'm50', operator: 'is_empty' },
      { fieldName: 'observation_date', operator: '==', value: '2021-04-20' },
    ],
    typedValues: true,
  }),
  records('values that are not absent', {
    dataReferenceName: 'mobility.state_day',
    filters: [
      { fieldName: 'location_name', operator: 'is_not_empty' },
      { fieldName: 'observation_date', operator: '==', value: '2021-04-20' },
    ],
    typedValues: true,
  }),
  records('a boolean and a trimmed period', {
    dataReferenceName: 'trips.towns',
    filters: [{ fieldName: 'is_obfuscated', operator: '==', value: false }],
    options: { trimToPeriodOfExistence: 'IGNORE' },
    typedValues: true,
  }),
  records('aggregates with other names, of groups that are filtered and ordered by them', {
    dataReferenceName: 'ml_visitation.foot_traffic_month',
    groupBy: [
      { fieldName: 'location_id' },
      { fieldName: 'observation_start_date', bucket: 'YEAR' },
    ],
    fields: [
      'location_id',
      'observation_start_date',
      { name: 'visits_sum', aggregation: 'SUM', alias: 'visits' },
      { name: 'visits_sum', aggregation: 'QUANTILE', quantile: 0.9, alias: 'most' },
    ],
    recordCount: true,
    filters: [
      { fieldName: 'location_id', operator: '==', value: 'ACAD' },
      { fieldName: 'location_id', operator: '==', value: 'YOSE' },
      { fieldName: 'observation_start_date', operator: '>=', value: '2015-01-01' },
    ],
    filterLogic: '($0 OR NOT NOT $1) AND $2',
    groupFilters: [{ fieldName: 'visits', operator: '>', value: 1000 }],
    options: { orderBy: { fieldName: 'visits', direction: 'DESC' } },
    typedValues: true,
    pageSize: 100,
  }),
  records('all records of filters that are combined', {
    dataReferenceName: 'ml_visitation.foot_traffic_month',
    filters: [
      { fieldName: 'location_id', operator: '==', value: 'ACAD' },
      { fieldName: 'observation_start_date', operator: '>=', value: '2023-06-01' },
    ],
    filterLogic: '$0 OR $1',
    typedValues: true,
  }),
  values('the values of one feature', {
    catalogId: 'nps',
    metricId: 'foot_traffic_monthly',
    featureFilter: ['ACAD'],
  }),
  values('several features, a period and a component', {
    catalogId: 'nps',
    metricId: 'foot_traffic_monthly',
    featureFilter: ['YOSE', 'ACAD', 'ZION'],
    observationPeriodFilter: { start: '2022-01-01', end: { year: 2023, month: 12, day: 31 } },
    addressComponentFilter: [{ component: 'us_state_2020', values: ['06', '23'] }],
  }),
  values('a period with one end, reversed', {
    catalogId: 'mobility',
    metricId: 'm50_daily',
    observationPeriodFilter: { start: '2021-04-01' },
    invertSortOrder: true,
  }),
  values('a page of values', {
    catalogId: 'census',
    metricId: 'population_2020',
    addressComponentFilter: [{ component: 'us_state_2020', values: ['11'] }],
    pageSize: FIRST_PAGE_SIZE,
  }),
  {
    ...values('a condition on a measure', {
      catalogId: 'nps',
      metricId: 'foot_traffic_monthly',
      featureFilter: ['ACAD', 'YOSE'],
      valueFilter: [
        { valueName: 'person_count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 500000.5 },
      ],
    }),
    isOtherInPython: true,
  },
  values('one value of a dimension', {
    catalogId: 'trips',
    metricId: 'trips_daily',
    dimensionFilter: [{ dimensionId: 'purpose', values: ['work'] }],
  }),
];

function records(name: string, request: Extract<Call, { operation: 'listRecords' }>['request']) {
  return { name, call: { operation: 'listRecords', request } } as const;
}

function values(
  name: string,
  request: Extract<Call, { operation: 'searchMetricValues' }>['request'],
) {
  return { name, call: { operation: 'searchMetricValues', request } } as const;
}

function operators(filters: readonly FilterClause[]): readonly SampleCall[] {
  return filters.map((filter) =>
    records(`the filter ${JSON.stringify(filter)}`, {
      dataReferenceName: 'ml_visitation.places',
      fields: ['location_id', filter.fieldName],
      filters: [filter],
      typedValues: true,
    }),
  );
}
