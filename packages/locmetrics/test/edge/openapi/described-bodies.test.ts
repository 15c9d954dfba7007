// @module-tag slow

import { describe, expect, test } from 'vitest';
import { PARKS } from '../parks.ts';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';
import { type ApiDocument, operationsOf, resolveSchema, schemaErrors } from './described-schema.ts';

/** Compares the document's schemas of bodies with the bodies that the service accepts. */
const { data, send } = useTestServer(async (to) => {
  await to.publishFiles(SHOPS);
  await to.publishFiles(PARKS);
});

type Body = Readonly<Record<string, unknown>>;

const ROWS = {
  dataReferenceName: 'shop.stores',
  filters: [
    { fieldName: 'count', operator: '>=', value: '0' },
    { fieldName: 'city', operator: 'in', values: ['zug', 'Zürich'] },
  ],
  filterLogic: '$0 OR NOT $1',
  options: {
    boundingBox: { minLng: 7, minLat: 46, maxLng: 9, maxLat: 48 },
    trimToPeriodOfExistence: 'TRIM',
  },
  trimToPeriodOfExistence: 'TRIM',
  billingContext: 'acme',
  pageSize: 10,
  pageToken: '',
  asOf: '',
  countOnly: false,
};

const GROUPS = {
  ...ROWS,
  fields: [{ name: 'count', aggregation: 'QUANTILE', quantile: 0.9, alias: 'most' }],
  groupBy: [{ fieldName: 'opened', bucket: 'BUCKET_YEAR' }, { fieldName: 'city' }],
  groupFilters: [{ fieldName: 'most', operator: '>', value: '1' }],
  recordCount: true,
};

const { pageSize: _size, pageToken: _token, asOf: _asOf, countOnly: _count, ...SELECTED } = ROWS;
const STATISTICS = SELECTED;
const { dataReferenceName: _name, ...OF_DATASET } = SELECTED;
const STREAM = {
  ...OF_DATASET,
  fields: ['city', { name: 'count' }],
  asOf: '',
  trackTotalHits: true,
};
const { filterLogic: _logic, ...WITHOUT_LOGIC } = SELECTED;
const LAYER_STATS = { ...WITHOUT_LOGIC, observationDate: '2024-01-01', dimensions: ['city'] };

const FILE_DOWNLOAD = { ...WITHOUT_LOGIC, fields: ['city', { name: 'count' }], format: 'JSON' };

const METRIC = {
  addressComponentFilter: [{ component: 'state', values: ['23'] }],
  dimensionFilter: [{ dimensionId: 'age', values: ['old'] }],
  featureFilter: ['ACAD'],
  observationPeriodFilter: { start: { year: 2023, month: 1, day: 1 }, end: '2023-12-31' },
};

const RELATED = {
  relatedFeatureFilter: ['ACAD'],
  relatedAddressComponentFilter: [{ component: 'state', values: ['23'] }],
};

const VALUES = {
  ...METRIC,
  catalogId: 'park',
  metricId: 'visits',
  billingContext: 'acme',
  valueFilter: [
    { valueName: 'visits', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1 },
    { valueName: 'visits', operator: 1 },
  ],
  invertSortOrder: true,
  bestEffortQueryWhenNotAllowed: true,
  pageSize: 10,
  pageToken: '',
  asOf: '',
  countOnly: false,
  addressComponentWhitelist: ['state'],
  skipGeo: true,
  requestTags: { snake_name: 'kept', camelName: 'kept' },
};

const { pageSize: _valuesSize, pageToken: _valuesToken, countOnly: _only, ...ALL_VALUES } = VALUES;
const STREAMED_VALUES = { ...ALL_VALUES, trackTotalHits: true };
const { valueFilter } = VALUES;
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [5, 45],
      [11, 45],
      [8, 48],
      [5, 45],
    ],
  ],
};

const CIRCLE = { longitude: 8, latitude: 47, radiusMetres: 5000 };

const AGGREGATES = {
  ...METRIC,
  catalogId: 'park',
  metricId: 'visits',
  billingContext: 'acme',
  valueFilter,
  groupBy: [{ id: 'state' }, { kind: 'KIND_PERIOD', bucket: 'YEAR' }, { kind: 1 }],
  aggregates: [
    { valueName: 'visits', aggregation: 'QUANTILE', quantile: 0.9, name: 'most' },
    { valueName: 'visits', aggregation: 1 },
  ],
  compare: 'PREVIOUS',
  polygonFilter: POLYGON,
  rankBy: 'most',
  orderBy: [{ name: 'sum_visits.change', direction: 'DESC' }],
  pageSize: 10,
  pageToken: '',
  asOf: '',
};

const { polygonFilter: _polygon, ...UNBOUNDED } = AGGREGATES;

const DOWNLOAD_METRIC = {
  catalogId: 'park',
  metricId: 'visits',
  billingContext: 'acme',
  fileName: 'visits-',
  expiryInHours: 1,
};

const DAYS = { from: '2099-01-01', until: '2099-12-31' };
const GRANT = { organisationId: 'acme', ...DAYS };

const RECORDS = {
  ...ROWS,
  fields: [{ name: 'store_id', source: '' }, 'city'],
  options: {
    ...ROWS.options,
    orderBy: { fieldName: 'count', direction: 'ASC' },
    thenBy: [{ fieldName: 'city', direction: 'DESC' }],
  },
  typedValues: true,
};

const EXPORT = {
  ...SELECTED,
  fields: RECORDS.fields,
  options: RECORDS.options,
  format: 'JSON',
  limit: 10,
  fileConfig: { format: 'CSV', filenamePrefix: 'stores-' },
};

const FIELD_VALUES = { ...ROWS, field: { name: 'city', source: '' }, term: 'z' };

const FEATURES = {
  catalogId: 'park',
  layerId: 'parks',
  billingContext: 'acme',
  featureFilter: ['ACAD'],
  addressComponentFilter: [{ component: 'state', values: ['23'] }],
  boundingBoxFilter: { west: 5, north: 48, east: 11, south: 45 },
  query: 'zug',
  trackTotalHits: true,
  existedInDateRange: { startDate: '2020-01-01', endDate: '2020-12-31' },
  addressComponentWhitelist: ['state'],
  skipPolygon: true,
  pageSize: 10,
  pageToken: '',
};

const { boundingBoxFilter: _box, ...INSIDE } = FEATURES;

const NAMED = { catalogId: 'park', billingContext: 'acme' };
const PREVIEWED = {
  organisationId: 'acme',
  grant: { ...METRIC, pattern: 'park/visits', from: '2098-01-01', until: '2098-12-31' },
};
/** Empty as if it were absent. */
const REPLACED = { organisationId: 'acme', replacedGrantId: '' };
const EXPLAINED = { organisationId: 'acme' };

/** Valid bodies that together have every field. */
const BODIES: readonly (readonly [operationId: string, body: Body])[] = [
  ['listDataReferences', { billingContext: 'acme' }],
  ['getDataReference', { name: 'shop.stores', billingContext: 'acme' }],
  ['getDataReference', { name: 'shop.stores', dataReferenceName: 'shop.stores' }],
  ['getDataReference', { dataReferenceName: 'shop.stores' }],
  ['listRecords', RECORDS],
  ['listRecords', GROUPS],
  ['searchFieldValues', FIELD_VALUES],
  ['listRecordsStatistics', STATISTICS],
  ['getLayerStats', LAYER_STATS],
  ['createRecordsExport', EXPORT],
  ['listRecordsExports', { billingContext: 'acme' }],
  ['fileDownload', FILE_DOWNLOAD],
  ['getRecordsExport', { id: 'none' }],
  ['deleteRecordsExport', { id: 'none' }],
  ['searchMetricValuesByBody', { ...VALUES, trackTotalHitsBoolean: true }],
  ['searchMetricValuesByBody', { ...VALUES, trackTotalHitsInteger: 5 }],
  ['searchMetricValuesByBody', { ...RELATED, metricId: 'trips', billingContext: 'acme' }],
  ['downloadMetric', DOWNLOAD_METRIC],
  ['searchMetricAggregatesByBody', AGGREGATES],
  ['listRecords', { ...ROWS, options: { near: { longitude: 8, latitude: 47 } } }],
  ['searchMetricAggregatesByBody', { ...UNBOUNDED, circleFilter: CIRCLE }],
  ['searchMetricAggregatesByBody', { ...RELATED, metricId: 'trips', billingContext: 'acme' }],
  ['searchLayerFeaturesByBody', FEATURES],
  ['searchLayerFeaturesByBody', { ...INSIDE, polygonFilter: POLYGON }],
  ['searchLayerFeaturesByBody', { ...INSIDE, circleFilter: CIRCLE }],
  ['signIn', { code: 'none' }],
  ['createOrganisation', { name: 'Globex', id: 'globex' }],
  [
    'createToken',
    { organisationId: 'acme', name: 'reports', scopes: ['catalog'], expiresAfter: '90d' },
  ],
  ['suspendOrganisation', {}],
  ['resumeOrganisation', {}],
  ['rotateToken', { overlap: '24h' }],
  [
    'rollBack',
    { dataset: 'shop.stores', version: 'none', together: true, acceptGrantLosses: true },
  ],
  ['revokeToken', {}],
  [
    'addGrant',
    {
      ...GRANT,
      pattern: 'shop.stores',
      filters: [{ fieldName: 'city', operator: 'in', values: ['zug'] }],
      fields: ['store_id', 'city'],
      showsSmallCells: true,
    },
  ],
  ['addGrant', { ...GRANT, ...METRIC, pattern: 'park/visits', liftsDefaultFilters: true }],
  ['addGrant', { ...GRANT, ...RELATED, pattern: 'park/trips' }],
  [
    'replaceGrant',
    {
      ...DAYS,
      pattern: 'shop.stores',
      filters: [{ fieldName: 'city', operator: 'in', values: ['zug'] }],
      fields: ['store_id', 'city'],
      showsSmallCells: true,
    },
  ],
  ['replaceGrant', { ...METRIC, pattern: 'park/visits', liftsDefaultFilters: true }],
  ['replaceGrant', { ...RELATED, pattern: 'park/trips' }],
  [
    'setLimits',
    {
      requestsPerSecond: 10,
      burst: 50,
      rowsPerDay: 1000,
      rowsPerMonth: 10_000,
      concurrentQueries: 4,
      viewedRowsPerDay: 500,
    },
  ],
  ['streamRecordsCsvByBody', STREAM],
  ['streamRecordsNdjsonByBody', STREAM],
  ['streamRecordsGeojsonByBody', STREAM],
  ['streamRecordsParquetByBody', STREAM],
  ['streamRecordsArrowByBody', STREAM],
  ['streamMetricValuesCsvByBody', STREAMED_VALUES],
  ['streamMetricValuesCsvByBody', { ...RELATED, metricId: 'trips', billingContext: 'acme' }],
  ['streamMetricValuesNdjsonByBody', STREAMED_VALUES],
  ['streamMetricValuesNdjsonByBody', { ...RELATED, metricId: 'trips', billingContext: 'acme' }],
  ['streamMetricValuesParquetByBody', STREAMED_VALUES],
  ['streamMetricValuesParquetByBody', { ...RELATED, metricId: 'trips', billingContext: 'acme' }],
  ['streamMetricValuesArrowByBody', STREAMED_VALUES],
  ['streamMetricValuesArrowByBody', { ...RELATED, metricId: 'trips', billingContext: 'acme' }],
  ['previewListDataReferences', { ...PREVIEWED, billingContext: 'acme' }],
  ['previewListDataReferences', REPLACED],
  ['previewGetDataReference', { ...PREVIEWED, name: 'shop.stores', billingContext: 'acme' }],
  ['previewGetDataReference', { organisationId: 'acme', dataReferenceName: 'shop.stores' }],
  ['previewGetDataReference', { ...REPLACED, name: 'shop.stores' }],
  ['previewListRecords', { organisationId: 'acme', ...RECORDS }],
  ['previewListRecords', { organisationId: 'acme', ...GROUPS }],
  ['previewListRecords', { ...REPLACED, dataReferenceName: 'shop.stores' }],
  ['previewListRecords', { ...PREVIEWED, dataReferenceName: 'shop.stores' }],
  ['checkGrantValues', { grant: PREVIEWED.grant }],
  [
    'searchGrantValues',
    { pattern: 'shop.stores', member: 'filters', name: 'city', query: 'z', pageSize: 5 },
  ],
  ['explainListRecords', { ...EXPLAINED, ...RECORDS }],
  ['explainListRecords', { ...EXPLAINED, ...GROUPS }],
  ['explainSearchFieldValues', { ...EXPLAINED, ...FIELD_VALUES }],
  ['explainListRecordsStatistics', { ...EXPLAINED, ...STATISTICS }],
  ['explainGetLayerStats', { ...EXPLAINED, ...LAYER_STATS }],
  ['explainSearchMetricValues', { ...EXPLAINED, ...VALUES, trackTotalHitsBoolean: true }],
  ['explainSearchMetricAggregates', { ...EXPLAINED, ...AGGREGATES }],
  ['explainSearchMetricAggregates', { ...EXPLAINED, ...UNBOUNDED, circleFilter: CIRCLE }],
  ['explainSearchMetricAggregates', { ...RELATED, ...NAMED, metricId: 'trips' }],
  [
    'explainSearchMetricValues',
    { ...RELATED, ...NAMED, metricId: 'trips', trackTotalHitsInteger: 5 },
  ],
];

/** The refusals that a schema can express. All others are about the meaning of a body. */
const SHAPE = ['INVALID_REQUEST', 'UNKNOWN_REQUEST_FIELD'];

describe.each(BODIES)('a body of %s', (operationId, body) => {
  // A preview and an explanation have the body of another call, with few fields more; streams, that of the one as CSV.
  const tags = /^(preview|explain|stream.*(Ndjson|Geojson|Parquet|Arrow))/.test(operationId)
    ? ['slow']
    : [];
  test('is valid by the document exactly if the service accepts it, in every spelling', {
    tags,
  }, async () => {
    const { errors, post } = await described(operationId, body);
    // Ids and codes do not exist, and a second creation finds the first.
    expect([200, 401, 404, 409]).toContain((await post(body)).status);
    const answers = await Promise.all(
      variants(body).map(async ([change, changed]) => {
        // The metric tells the operators of its values. All else is sent for a dataset or metric that does not exist, so that a
        // body of a valid shape runs no query.
        const isOfValue = change.startsWith('/valueFilter/');
        const answer = await (isOfValue ? post(changed) : post(ofNoData(changed), NO_METRIC));
        return { change, isDescribed: errors(changed) === '', ...answer };
      }),
    );
    expect([200, 401, 404, 409]).toContain(answers[0]?.status);
    expect(
      answers
        // The document refuses a field in both spellings in its text, not in its schema.
        .filter(({ problem }) => problem.reason !== 'DUPLICATE_REQUEST_FIELD')
        .filter(({ isDescribed, problem }) => isDescribed === isOfShape(problem))
        .map(({ change, status, problem: { reason } }) => `${change}: ${status} ${reason}`),
    ).toEqual([]);
  });
});

test('the bodies here cover every operation with a body, and every field of it', async () => {
  const api = await document();
  const known = operationsOf(api).flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content?.['application/json']?.schema;
    const preferred = schema?.anyOf?.[0] ?? schema;
    if (preferred === undefined) return [];
    const { properties = {} } = resolveSchema(api, preferred);
    return [[operationId, Object.keys(properties).sort()]];
  });
  const here = known.map(([operationId]) => [
    operationId,
    [
      ...new Set(
        BODIES.filter(([id]) => id === operationId).flatMap(([, body]) => Object.keys(body)),
      ),
    ].sort(),
  ]);
  expect(here.length).toBeGreaterThan(10);
  expect(Object.fromEntries(here)).toEqual(Object.fromEntries(known));
});

test('a body is required in the document exactly if a request without one is refused', async () => {
  const withBody = operationsOf(await document()).filter(
    // The body of a PUT is required, even if no field of it is.
    ({ method, requestBody }) => requestBody !== undefined && method !== 'PUT',
  );
  const found = await Promise.all(
    withBody.map(async ({ operationId, method, path }) => {
      const answer = await send(fillIn(path), { method, headers: authorization(path) });
      return [operationId, isOfShape(JSON.parse(answer.text))];
    }),
  );
  expect(found).toEqual(
    withBody.map(({ operationId, requestBody }) => [operationId, requestBody?.required]),
  );
});

let read: Promise<ApiDocument> | undefined;

function document(): Promise<ApiDocument> {
  read ??= send('/openapi.json').then(({ text }) => JSON.parse(text));
  return read;
}

/** The operation: the errors of a body by its schema, and the service. */
async function described(operationId: string, { metricId = 'visits' }: Body) {
  const api = await document();
  const operation = operationsOf(api).find((known) => known.operationId === operationId);
  const { path = '', method = '', requestBody } = operation ?? {};
  return {
    errors: schemaErrors(api, requestBody?.content?.['application/json']?.schema),
    post: async (
      body: unknown,
      id = String(metricId),
    ): Promise<{ readonly status: number; readonly problem: Problem }> => {
      const { status, text } = await send(fillIn(path, id), {
        method,
        headers: { ...authorization(path), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status, problem: status === 200 ? {} : JSON.parse(text) };
    },
  };
}

const NO_METRIC = 'none';

function ofNoData(body: unknown): unknown {
  const text = JSON.stringify(body).replaceAll('"shop.stores"', '"shop.none"');
  return JSON.parse(text.replaceAll(/("metric_?[iI]d":)"[^"]*"/g, `$1"${NO_METRIC}"`));
}

function fillIn(path: string, metricId = 'visits'): string {
  return path
    .replace('{catalogId}', 'park')
    .replace('{metricId}', metricId)
    .replace('{layerId}', 'parks')
    .replace('{organisationId}', 'acme')
    .replace('{tokenId}', '0123456789ab');
}

function authorization(path: string): Readonly<Record<string, string>> {
  if (!path.startsWith('/v1/admin/')) return {};
  return { authorization: `Bearer ${data().adminToken}` };
}

type Problem = {
  readonly reason?: string;
  readonly errors?: readonly { readonly pointer: string }[];
};

/** The operator of a filter on a measure and the billing context have their own reasons. */
function isOfShape({ reason = '', errors = [] }: Problem): boolean {
  if (SHAPE.includes(reason) || reason === 'BILLING_CONTEXT_MISSING') return true;
  return (
    reason === 'INVALID_FILTER_VALUE' &&
    errors.some(({ pointer }) => /^\/value_?[fF]ilter\/[0-9]\/operator$/.test(pointer))
  );
}

/** The variants of the body with one change, for each place in it, with a description. */
function variants(body: Body): readonly (readonly [change: string, changed: unknown])[] {
  return [
    ['nothing', body],
    ['all in snake_case', spellAll(body)],
    ['null', null],
    ['a list', [body]],
    ...changesOf(body, ''),
  ];
}

function changesOf(value: unknown, at: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      changesOf(item, `${at}/${index}`).map(
        ([change, changed]) => [change, value.with(index, changed)] as const,
      ),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  // A JSON value that is an object and not a list has members by name.
  const body = value as Body;
  const inside = Object.entries(body).flatMap(([name, member]) => {
    const { [name]: _, ...rest } = body;
    const snake = toSnakeCase(name);
    const place = `${at}/${name}`;
    const spelled =
      snake === name
        ? []
        : [
            [`${place} in snake_case`, { ...rest, [snake]: member }] as const,
            [`${place} in both spellings`, { ...body, [snake]: member }] as const,
            [`${place} null in snake_case`, { ...rest, [snake]: null }] as const,
            [`${place} and null in snake_case`, { ...body, [snake]: null }] as const,
          ];
    return [
      [`${place} left out`, rest] as const,
      [`${place} null`, { ...body, [name]: null }] as const,
      [`${place} a list of a list`, { ...body, [name]: [[]] }] as const,
      ...spelled,
      ...changesOf(member, place).map(
        ([change, changed]) => [change, { ...body, [name]: changed }] as const,
      ),
    ];
  });
  return [...inside, [`${at}/other`, { ...body, other: 1 }]];
}

/** All names in snake_case, except the labels of a request: their names are the caller's. */
function spellAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spellAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      toSnakeCase(name),
      name === 'requestTags' ? member : spellAll(member),
    ]),
  );
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
