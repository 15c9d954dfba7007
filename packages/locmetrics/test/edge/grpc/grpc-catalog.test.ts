import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  catalogV1,
  catalogV3,
  catalogV3alpha,
  locmetricsV1,
  mapsV1,
} from '@locmetrics/contract/grpc';
import { SERVICES } from '@locmetrics/server/edge/grpc/open-grpc-server';
import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { type Body, useTestServer } from '../test-server.ts';

/** The catalog interface over gRPC: the same records as over HTTP. */
const { ask, refusal, post, log } = useTestServer((to) => to.publishFiles(SHOPS));
const { listDataReferences, getDataReference, listRecords, searchFieldValues } =
  catalogV3.CatalogQuery.method;

test('the data references are listed as over HTTP', async () => {
  const { message } = await ask(listDataReferences, {});
  const { text } = await post('listDataReferences', {});
  expect(bare(message.dataReferences)).toEqual(bare(JSON.parse(text).dataReferences));
});

test('a data reference describes its fields, its options and its version', async () => {
  const { message, metadata } = await ask(getDataReference, { dataReferenceName: 'shop.stores' });
  const { text } = await post('getDataReference', { name: 'shop.stores' });
  expect(bare(message.dataReference)).toEqual(bare(JSON.parse(text).dataReference));
  expect(message.dataReference?.options).toMatchObject({
    boundingBox: {
      available: true,
      exampleValue: { minLng: -124.5, minLat: 32.5, maxLng: -114.1, maxLat: 42 },
    },
    polygon: { available: true, exampleValue: { coordinates: { length: 4 } } },
    circle: { available: true, exampleValue: { radiusMetres: 5000 } },
    near: { available: true, exampleValue: { latitude: 34.1 } },
    trimToPeriodOfExistence: { exampleValue: catalogV3.TrimToPeriodOfExistence.TRIM },
    orderBy: {
      exampleValue: { fieldName: 'store_id', direction: catalogV3.OrderDirection.DESC },
    },
  });
  expect(metadata).toMatchObject({ 'x-request-id': 'request-1' });
});

type RecordsRequest = MessageInitShape<typeof catalogV3.ListRecordsRequestSchema>;
type ValuesRequest = MessageInitShape<typeof catalogV3.SearchFieldValuesRequestSchema>;

const STORES = { dataReferenceName: 'shop.stores' };
const { IGNORE, TRIM } = catalogV3.TrimToPeriodOfExistence;
const { DESC, ASC } = catalogV3.OrderDirection;
const where = (fieldName: string, operator: string, value: string) => ({
  fieldName,
  operator,
  value,
});

/** Requests whose JSON is also the JSON of the message. */
const SAME_IN_BOTH: Readonly<Record<string, RecordsRequest>> = {
  'all that is included by default': STORES,
  'selected fields': { ...STORES, fields: [{ name: 'count' }, { name: 'store_id' }] },
  'a field with its source': {
    ...STORES,
    fields: [{ name: 'city', source: 'feature.city.value' }],
  },
  'a filter': { ...STORES, filters: [where('count', '<=', '0')] },
  'a filter with values': {
    ...STORES,
    filters: [{ fieldName: 'store_id', operator: 'in', values: ['S1', 'S4'] }],
  },
  'filters combined by logic': {
    ...STORES,
    filters: [where('count', '<=', '0'), where('city', 'contains', 'z')],
    filterLogic: 'NOT $0 OR $1',
  },
  'groups with aggregates': {
    ...STORES,
    fields: [{ name: 'city' }, { name: 'count', aggregation: 2, alias: 'mean' }],
    groupBy: [{ fieldName: 'city' }],
    groupFilters: [where('mean', '>', '-5')],
    recordCount: true,
    options: { orderBy: { fieldName: 'mean', direction: DESC } },
  },
  'groups by month with a quantile': {
    ...STORES,
    fields: [{ name: 'count', aggregation: 102, quantile: 0.25 }],
    groupBy: [{ fieldName: 'opened', bucket: 3 }],
  },
  'a text without regard to case': { ...STORES, filters: [where('city', 'contains', 'Z')] },
  'a box': {
    ...STORES,
    options: { boundingBox: { minLng: 8, minLat: 47, maxLng: 9, maxLat: 48 } },
  },
  'a polygon': {
    ...STORES,
    options: { polygon: triangleOf(8, 47, 9, 48) },
  },
  'a circle': {
    ...STORES,
    options: { circle: { longitude: 8.5, latitude: 47.4, radiusMetres: 5000 } },
  },
  'the nearest first': { ...STORES, options: { near: { longitude: 8.5, latitude: 47.4 } } },
  'a box that begins at zero': {
    ...STORES,
    options: { boundingBox: { minLng: 0, minLat: 0, maxLng: 8, maxLat: 90 } },
  },
  'places that exist': { ...STORES, options: { trimToPeriodOfExistence: TRIM } },
  'places that ever existed': { ...STORES, options: { trimToPeriodOfExistence: IGNORE } },
  'an order': { ...STORES, options: { orderBy: { fieldName: 'count', direction: DESC } } },
  'an order that is ascending': {
    ...STORES,
    options: { orderBy: { fieldName: 'rating', direction: ASC } },
  },
  'an order by several keys': {
    ...STORES,
    options: {
      orderBy: { fieldName: 'city', direction: DESC },
      thenBy: [{ fieldName: 'rating' }, { fieldName: 'count', direction: DESC }],
    },
  },
  'groups in an order by several keys': {
    ...STORES,
    groupBy: [{ fieldName: 'city' }],
    options: {
      orderBy: { fieldName: 'record_count', direction: DESC },
      thenBy: [{ fieldName: 'city', direction: DESC }],
    },
  },
  'an order without a direction': { ...STORES, options: { orderBy: { fieldName: 'rating' } } },
  'a page': { ...STORES, pageSize: 2, options: { orderBy: { fieldName: 'city' } } },
  'only the count': { ...STORES, countOnly: true },
  'what was current on a day': { ...STORES, asOf: '2024-01-01' },
  'a billing context': { ...STORES, billingContext: 'acme' },
  'codes with a leading zero': { dataReferenceName: 'shop.codes' },
};

test.each(Object.keys(SAME_IN_BOTH))('the records of %s equal those over HTTP', async (name) => {
  const request = SAME_IN_BOTH[name] ?? {};
  const [{ message }, { body, text }] = await Promise.all([
    ask(listRecords, request),
    post('listRecords', request),
  ]);
  expect({
    records: message.records.map(({ fields }) => ({ fields })),
    fieldDefinitions: bare(message.fieldDefinitions),
    nextPageToken: message.nextPageToken,
    totalSize: Number(message.totalSize),
    version: message.version,
    ...(message.costRows === undefined ? {} : { costRows: Number(message.costRows) }),
  }).toEqual({ ...body, fieldDefinitions: bare(JSON.parse(text).fieldDefinitions) });
});

test.each<[string, ValuesRequest]>([
  ['all values', { ...STORES, field: { name: 'city' } }],
  ['a term', { ...STORES, field: { name: 'city' }, term: 'z' }],
  ['numbers', { ...STORES, field: { name: 'count' }, pageSize: 1 }],
  [
    'a filter',
    { ...STORES, field: { name: 'store_id' }, filters: [where('is_open', '==', 'true')] },
  ],
  [
    'every place',
    { ...STORES, field: { name: 'city' }, options: { trimToPeriodOfExistence: IGNORE } },
  ],
])('the distinct values of %s equal those over HTTP', async (_, request) => {
  const { message } = await ask(searchFieldValues, request);
  const { body } = await post('searchFieldValues', request);
  expect(body.version).toBe(message.version);
  expect([message.values, message.nextPageToken, message.totalSize]).toEqual([
    body.values,
    body.nextPageToken,
    0n,
  ]);
  expect(message.fieldDefinition?.name).toBe(request.field?.name);
});

test('countOnly counts distinct values and returns none', async () => {
  const request = { ...STORES, field: { name: 'store_id' }, countOnly: true };
  const { message } = await ask(searchFieldValues, request);
  expect([message.values, message.totalSize, message.nextPageToken]).toEqual([[], 3n, '']);
  expect(message.costRows).toBe(3n);
  const values = await ask(searchFieldValues, { ...request, countOnly: false });
  expect(values.message.costRows).toBeUndefined();
  const records = await ask(listRecords, { ...STORES, countOnly: true });
  expect(records.message.costRows).toBe(records.message.totalSize);
  expect((await ask(listRecords, STORES)).message.costRows).toBeUndefined();
});

test('a page token of HTTP works over gRPC, and one of gRPC over HTTP', async () => {
  const request = { ...STORES, pageSize: 1 };
  const first: Body = (await post('listRecords', request)).body;
  const second = await ask(listRecords, { ...request, pageToken: first.nextPageToken });
  const pageToken = second.message.nextPageToken;
  const third: Body = (await post('listRecords', { ...request, pageToken })).body;
  expect([
    ...first.records.map(({ fields }) => fields['store_id']),
    ...second.message.records.map(({ fields }) => fields['store_id']),
    ...third.records.map(({ fields }) => fields['store_id']),
  ]).toEqual(['S1', 'S3', 'S4']);
  expect(third.nextPageToken).toBe('');
});

/** Requests with the same refusal on both edges. The field is the pointer with the names of the .proto files. */
const REFUSED: Readonly<Record<string, RecordsRequest>> = {
  'citty: nearest name': { ...STORES, filters: [where('citty', '==', 'x')] },
  'unknown dataset': { dataReferenceName: 'shop.storrs' },
  'no dataset': {},
  'a box upside down': {
    ...STORES,
    options: { boundingBox: { minLng: 0, minLat: 2, maxLng: 1, maxLat: 1 } },
  },
  'a polygon that is not closed': {
    ...STORES,
    options: { polygon: { coordinates: triangleOf(8, 47, 9, 48).coordinates.slice(1) } },
  },
  'an order and a distance': {
    ...STORES,
    options: {
      near: { longitude: 8.5, latitude: 47.4 },
      orderBy: { fieldName: 'city', direction: catalogV3.OrderDirection.ASC },
    },
  },
  'a circle with a negative radius': {
    ...STORES,
    options: { circle: { longitude: 8.5, latitude: 47.4, radiusMetres: -1 } },
  },
  'negative page size': { ...STORES, pageSize: -1 },
  'two of a field': { ...STORES, fields: [{ name: 'city' }, { name: 'city' }] },
  'another source': { ...STORES, fields: [{ name: 'city', source: 'x' }] },
  'a value that is no number': { ...STORES, filters: [where('count', '==', 'many')] },
  'a foreign billing context': { ...STORES, billingContext: 'globex' },
  'a page token that is none': { ...STORES, pageToken: 'AAAA' },
  'a day that is none': { ...STORES, asOf: '2023-02-29' },
  'an order by an unknown field': { ...STORES, options: { orderBy: { fieldName: 'x' } } },
  'a further key that is unknown': {
    ...STORES,
    options: { orderBy: { fieldName: 'city' }, thenBy: [{ fieldName: 'x' }] },
  },
  'a further key without a first one': { ...STORES, options: { thenBy: [{ fieldName: 'city' }] } },
  'a further key and a distance': {
    ...STORES,
    options: { near: { longitude: 8.5, latitude: 47.4 }, thenBy: [{ fieldName: 'city' }] },
  },
};

test.each(Object.keys(REFUSED))('%s is refused as over HTTP', async (name) => {
  const request = REFUSED[name] ?? {};
  const refused = await refusal(listRecords, request);
  const { body, text } = await post('listRecords', {
    dataReferenceName: '',
    ...request,
  });
  const { code, detail, hint, errors = [] } = JSON.parse(text);
  expect([refused.code, refused.reason]).toEqual([code, body.reason]);
  expect(refused.message).toBe(`${detail} ${hint}`);
  expect(refused.violations ?? []).toHaveLength(errors.length);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('a degree of %d is refused', async (minLng) => {
  const boundingBox = { minLng, minLat: 0, maxLng: 1, maxLat: 1 };
  const refused = await refusal(listRecords, { ...STORES, options: { boundingBox } });
  expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'INVALID_BOUNDING_BOX' });
});

test.each<[string, ValuesRequest]>([
  ['no field', STORES],
  ['a term too long', { ...STORES, field: { name: 'city' }, term: 'x'.repeat(1001) }],
])('distinct values of %s are refused', async (_, request) => {
  const refused = await refusal(searchFieldValues, request);
  expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'INVALID_REQUEST' });
});

test.each<[string, RecordsRequest]>([
  ['1000 fields', { ...STORES, fields: Array(1001).fill({ name: 'city' }) }],
  ['100 filters', { ...STORES, filters: Array(101).fill(where('city', '==', 'x')) }],
])('more than %s are refused', async (_, request) => {
  const refused = await refusal(listRecords, request);
  expect(refused).toMatchObject({ code: 'INVALID_ARGUMENT', reason: 'INVALID_REQUEST' });
});

test('a call is one log line, like a request over HTTP', async () => {
  const { bytes } = await ask(listRecords, STORES, { metadata: { 'x-request-id': 'logged' } });
  expect(log().filter(({ requestId }) => requestId === 'logged')).toEqual([
    {
      level: 30,
      clientAddress: '127.0.0.1',
      time: expect.any(String),
      kind: 'request_completed',
      requestId: 'logged',
      method: 'POST',
      route: '/unacast.catalog.v3.CatalogQuery/ListRecords',
      status: 'OK',
      durationMs: expect.any(Number),
      organisationId: 'acme',
      tokenId: expect.stringMatching(/^[0-9a-v]{12}$/),
      rows: 3,
      bytes,
      userAgent: expect.stringMatching(/^grpc-node-js\//),
    },
  ]);
});

test('every call of the services is served', () => {
  const { QueryService, CatalogService, FileDownloadService } = catalogV1;
  const services = [
    ...[QueryService, CatalogService, FileDownloadService, mapsV1.MapService],
    ...[
      catalogV3.CatalogQuery,
      catalogV3.Export,
      catalogV3alpha.CatalogQuery,
      locmetricsV1.Aggregates,
    ],
  ];
  const names = services.flatMap(({ methods }) => methods.map(({ name }) => name));
  expect(names).toHaveLength(24);
  const served = SERVICES.flatMap(({ calls }) => calls);
  expect(served.map(({ method }) => method.name).sort()).toEqual(names.sort());
});

/**
 * The common form of a message and its JSON. The JSON also has empty texts, and the examples of options as text; the
 * message has empty lists.
 */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  const isOption = 'available' in value;
  const isTime = (name: string) => ['hour', 'minute', 'second'].includes(name);
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name]) => name !== '$typeName' && !isTime(name) && !(isOption && name === 'exampleValue'),
      )
      .filter(([, member]) => member !== '' && member !== false && !isEmptyList(member))
      .map(([name, member]) => [name, bare(member)]),
  );
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The south-west half of a box. */
function triangleOf(west: number, south: number, east: number, north: number) {
  const first = { longitude: west, latitude: south };
  const others = [
    { longitude: east, latitude: south },
    { longitude: west, latitude: north },
  ];
  return { coordinates: [first, ...others, first] };
}
