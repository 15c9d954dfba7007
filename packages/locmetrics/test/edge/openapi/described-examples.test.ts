// @module-tag slow

import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { DISTRICT_FILES } from '../map/districts.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { type ApiDocument, operationsOf, schemaErrors } from './described-schema.ts';

/**
 * The examples of the OpenAPI document are answers of the sample. After a change, run
 * `npx vitest run packages/locmetrics/test/edge/openapi/described-examples.test.ts -u` to update them.
 */
const SAMPLE = fileURLToPath(new URL('../../../sample/locmetrics.yaml', import.meta.url));
const EXAMPLES = fileURLToPath(
  new URL('../../../../server/src/edge/http/openapi/examples.json', import.meta.url),
);

/** The metrics of the sample have no dimensions. */
const TRIPS = fileURLToPath(new URL('../../fixtures/trips/locmetrics.yaml', import.meta.url));

/** A dataset with two versions. */
const CITY = `format: 1
datasets:
  city.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string }, name: { type: string } }
`;

let data: TestData;
let server: TestServer;
let tripsData: TestData;
let trips: TestServer;
/** The layers of the sample have no outlines. */
let areasData: TestData;
let areas: TestServer;
beforeAll(async () => {
  areasData = await createTestData({ organisationId: 'demo', name: 'Demo' });
  await areasData.publishFiles(DISTRICT_FILES);
  areas = await openTestServer(areasData);
  tripsData = await createTestData({ organisationId: 'demo', name: 'Demo' });
  await tripsData.publishManifest(TRIPS);
  for (const [index, places] of ['1,City Park\n', '1,Central Park\n2,Zoo\n'].entries()) {
    const files = { 'locmetrics.yaml': CITY, 'places.csv': `id,name\n${places}` };
    await tripsData.publishFiles(files, `2026-01-0${index + 1}T00:00:00.000Z`);
  }
  trips = await openTestServer(tripsData);
  data = await createTestData({ organisationId: 'demo', name: 'Demo' });
  await data.publishManifest(SAMPLE);
  data.store.createOrganisation({ id: 'busy', name: 'Busy' });
  server = await openTestServer(data, {
    limitsOf: (id) => (id === 'busy' ? { requestsPerSecond: 1, burst: 1 } : {}),
  });
});
afterAll(async () => {
  await server.close();
  await data.remove();
  await trips.close();
  await tripsData.remove();
  await areas.close();
  await areasData.remove();
});

const RECORDS = {
  dataReferenceName: 'ml_visitation.places',
  fields: [{ name: 'location_name' }, { name: 'city' }],
  filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
  options: { orderBy: { fieldName: 'location_name', direction: 'ASC' } },
  pageSize: 2,
};

const VALUES = {
  billingContext: 'demo',
  featureFilter: ['ACAD'],
  observationPeriodFilter: { start: '2023-01-01', end: '2023-12-31' },
  pageSize: 1,
};

const STATISTICS = {
  dataReferenceName: 'ml_visitation.foot_traffic_month',
  filters: [{ fieldName: 'observation_start_date', operator: '>=', value: '2023-01-01' }],
};

const LAYER_STATS = {
  dataReferenceName: 'ml_visitation.foot_traffic_month',
  observationDate: '2023-01-01',
  dimensions: ['location_id'],
};

const FALLEN = {
  billingContext: 'demo',
  groupBy: [{ id: 'us_state_2020' }, { kind: 'PERIOD', bucket: 'YEAR' }],
  aggregates: [{ valueName: 'person_count', aggregation: 'SUM' }],
  compare: 'PREVIOUS',
  orderBy: [{ name: 'sum_person_count.percent' }],
  pageSize: 1,
};

const TERMS = {
  pattern: 'ml_visitation.places',
  filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
  until: '2099-12-31',
};

/** One value is misspelt. */
const CHECKED = {
  pattern: 'ml_visitation.places',
  filters: [{ fieldName: 'city', operator: 'in', values: ['Springdale', 'Yosemite Vallee'] }],
};

const GRANT = { organisationId: 'somewhere', ...TERMS };

/** In the examples; the export that is created has another id. */
const EXPORT_ID = '4v2k0d8r1m5t9a7c3f6h0j2p4q';

/** Each operation with the query and the body of its example, in the order of sending. */
const CALLS: readonly (readonly [operationId: string, query: string, body?: unknown])[] = [
  ['getCaller', ''],
  ['signIn', '', { code: '0123456789ABCDEFGHIJKLMNOPQRST' }],
  ['listDataReferences', '', {}],
  ['getDataReference', '', { name: 'ml_visitation.places' }],
  ['listRecords', '', RECORDS],
  [
    'searchFieldValues',
    '',
    { dataReferenceName: 'ml_visitation.places', field: { name: 'city' }, term: 'spring' },
  ],
  ['listRecordsStatistics', '', STATISTICS],
  ['getLayerStats', '', LAYER_STATS],
  [
    'createRecordsExport',
    '',
    {
      dataReferenceName: 'ml_visitation.places',
      filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
      fields: ['location_id', 'location_name'],
      fileConfig: { filenamePrefix: 'places-' },
    },
  ],
  ['getRecordsExport', '', { id: EXPORT_ID }],
  ['listRecordsExports', '', {}],
  ['deleteRecordsExport', '', { id: EXPORT_ID }],
  ['fileDownload', '', { dataReferenceName: 'ml_visitation.places', format: 'PARQUET' }],
  ['describeTiles', ''],
  ['listCatalogs', ''],
  ['listMetrics', '?pageSize=1'],
  ['getMetric', '?skipLayers=true'],
  ['searchMetricReport', ''],
  ['getLayer', ''],
  ['describeLayerTiles', '?metric=visits'],
  ['searchLayerFeatures', '?query=acadia&pageSize=1'],
  ['searchLayerFeaturesByBody', '', { featureFilter: ['ACAD'], addressComponentWhitelist: [] }],
  ['listAddressComponents', ''],
  ['searchAddressComponentValues', '?query=maine'],
  ['searchDimensionValues', ''],
  ['searchMetricValues', '?billingContext=demo&featureFilter=ACAD&pageSize=1'],
  ['searchMetricValuesByBody', '', VALUES],
  [
    'searchMetricAggregates',
    '?billingContext=demo&groupBy=us_state_2020&aggregate=sum:person_count&rankBy=sum_person_count&pageSize=1',
  ],
  ['searchMetricAggregatesByBody', '', FALLEN],
  ['downloadMetric', '', { billingContext: 'demo', fileName: 'visits-', expiryInHours: 24 }],
  ['readUsage', '?groupBy=operation'],
  ['readUsageOfAll', ''],
  ['createOrganisation', '', { name: 'City of Somewhere', id: 'somewhere' }],
  ['listOrganisations', ''],
  ['suspendOrganisation', '', {}],
  ['resumeOrganisation', '', {}],
  ['createToken', '', { organisationId: 'somewhere', name: 'reports', expiresAfter: '90d' }],
  ['rotateToken', '', { overlap: '24h' }],
  ['listTokens', '?organisationId=somewhere'],
  ['revokeToken', '', {}],
  ['addGrant', '', GRANT],
  ['listGrants', '?organisationId=somewhere'],
  [
    'replaceGrant',
    '',
    { ...TERMS, filters: [{ fieldName: 'region', operator: 'in', values: ['CA', 'NV'] }] },
  ],
  ['removeGrant', ''],
  ['setLimits', '', { requestsPerSecond: 10, burst: 50, rowsPerMonth: 5_000_000 }],
  ['getLimits', ''],
  ['listAudit', '?organisationId=somewhere&pageSize=2'],
  ['listVersions', '?dataset=city.places'],
  ['getReport', ''],
  ['compareVersions', ''],
  ['rollBack', '', { dataset: 'city.places' }],
  ['previewListDataReferences', '', { organisationId: 'somewhere', grant: TERMS }],
  [
    'previewGetDataReference',
    '',
    { organisationId: 'somewhere', name: 'ml_visitation.places', grant: TERMS },
  ],
  ['previewListRecords', '', { organisationId: 'somewhere', ...RECORDS, grant: TERMS }],
  ['checkGrantValues', '', { grant: CHECKED }],
  [
    'searchGrantValues',
    '',
    { pattern: 'ml_visitation.places', member: 'filters', name: 'city', query: 'spring' },
  ],
  ['explainListRecords', '', RECORDS],
  [
    'explainSearchFieldValues',
    '',
    { dataReferenceName: 'ml_visitation.places', field: { name: 'city' }, term: 'spring' },
  ],
  ['explainListRecordsStatistics', '', STATISTICS],
  ['explainGetLayerStats', '', LAYER_STATS],
  [
    'explainSearchMetricValues',
    '',
    { catalogId: 'nps', metricId: 'foot_traffic_monthly', ...VALUES },
  ],
  [
    'explainSearchMetricAggregates',
    '',
    { catalogId: 'nps', metricId: 'foot_traffic_monthly', ...FALLEN },
  ],
];

test('every example of an answer is the answer of the sample to the example of the request', async () => {
  const answers = await askAll();
  const problems = await refuseAll();
  const text = JSON.stringify({ answers, problems }, null, 2);
  await expect(`${text}\n`).toMatchFileSnapshot(EXAMPLES);
});

test('every operation has valid examples of its answer and its body', async () => {
  const api = await document();
  // A map tile is not JSON.
  const inJson = operationsOf(api).filter(
    ({ responses }) => responses['200']?.content?.['application/json'] !== undefined,
  );
  const wrong = inJson.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, responses['200']]
      .filter((described) => described !== undefined)
      .map(({ content }) => content?.['application/json'])
      .map((media) => [operationId, schemaErrors(api, media?.schema)(media?.example)])
      .filter(([, errors]) => errors !== ''),
  );
  // Spectral crashes on an example whose members have the names of those of a media type.
  expect(wrong).toEqual([['compareVersions', 'data must be object']]);
  expect(CALLS.map(([operationId]) => operationId).sort()).toEqual(
    inJson.map(({ operationId }) => operationId).sort(),
  );
});

/** The sample has no dimension, no outlines, and one version of each dataset, whose id cannot be known before. */
const HAS_NO_EXAMPLE = [
  'searchDimensionValues',
  'readLayerTile',
  'describeLayerTiles',
  'getReport',
  'compareVersions',
];

test('the sample accepts every example of a parameter', async () => {
  const readings = operationsOf(await document()).filter(({ method }) => method === 'GET');
  const refused = new Set<string>();
  let tried = 0;
  for (const { operationId, path, parameters = [] } of readings) {
    let address = path;
    const required = new URLSearchParams();
    for (const { name, in: place, example } of parameters) {
      if (example === undefined) continue;
      if (place === 'path') address = address.replace(`{${name}}`, String(example));
      else required.set(name, String(example));
    }
    const optional = parameters.flatMap(({ name, schema }) =>
      (schema.examples ?? []).map((example) => [name, [example].flat().map(String)] as const),
    );
    for (const [name, values] of [['', []] as const, ...optional]) {
      const query = new URLSearchParams(required);
      for (const value of values) query.append(name, value);
      const target = `${address}?${query}`;
      // A whole result has hundreds of thousands of records; the request is checked in the same way without them.
      const method = /\/(records|values)\.\w+$/.test(path) ? 'HEAD' : 'GET';
      const { status } = await send(target, { method });
      tried += 1;
      if (status < 300) continue;
      const { text } = await send(target, { method: 'GET' });
      const of = HAS_NO_EXAMPLE.includes(operationId) ? '' : ` ${name}`;
      refused.add(`${operationId}${of}: ${JSON.parse(text).reason}`);
    }
  }
  expect(tried).toBeGreaterThan(50);
  expect([...refused]).toEqual([
    'searchDimensionValues: UNKNOWN_DIMENSION',
    'readLayerTile: OUTLINES_NOT_FOUND',
    'describeLayerTiles: OUTLINES_NOT_FOUND',
    'getReport: VERSION_NOT_FOUND',
    'compareVersions: VERSION_NOT_FOUND',
  ]);
});

test('every example of a problem is valid', async () => {
  const api = await document();
  const examples = Object.entries(api.components.responses).flatMap(([name, { content }]) => {
    const { schema, example } = content?.['application/problem+json'] ?? {};
    return example === undefined ? [] : [[name, schemaErrors(api, schema)(example)]];
  });
  expect(examples.length).toBeGreaterThan(8);
  expect(examples.filter(([, errors]) => errors !== '')).toEqual([]);
});

async function document(): Promise<ApiDocument> {
  return JSON.parse((await server.send('/openapi.json')).text);
}

/** Sends all calls. Returns their bodies and answers, without the values that differ in each run. */
async function askAll(): Promise<Readonly<Record<string, unknown>>> {
  const operations = operationsOf(await document());
  const examples: Record<string, unknown> = {};
  let [tokenId, grantId, version, exportId] = ['', '', '', ''];
  for (const [operationId, query, body] of CALLS) {
    const { path = '', method = '' } =
      operations.find((known) => known.operationId === operationId) ?? {};
    const isOfVersions = path.startsWith('/v1/admin/versions');
    const isOfTrips = path.includes('{dimensionId}') || isOfVersions;
    const isOfAreas = path.includes('{layerId}/tiles');
    const address = path
      .replace('{dimensionId}', 'purpose')
      .replace('{dataset}', 'city.places')
      .replace('{version}', version)
      .replace('{dataReferenceName}', 'ml_visitation.neighborhoods')
      .replace('{catalogId}', isOfAreas ? 'city' : isOfTrips ? 'trips' : 'nps')
      .replace('{metricId}', 'foot_traffic_monthly')
      .replace('{layerId}', isOfAreas ? 'districts' : 'nps_parks')
      .replace('{component}', 'us_state_2020')
      .replace('{organisationId}', 'somewhere')
      .replace('{tokenId}', tokenId)
      .replace('{grantId}', grantId);
    // The code of the example was never made.
    const sent =
      operationId === 'signIn'
        ? { code: data.store.createSignInLink({ organisationId: 'demo' }).code }
        : isOfExport(body)
          ? { id: exportId }
          : body;
    const answer = await send(
      `${address}${query}`,
      { method, body: sent },
      isOfAreas ? areas : isOfTrips ? trips : server,
    );
    expect([operationId, answer.status]).toEqual([operationId, 200]);
    const answered = JSON.parse(answer.text);
    // Tokens of the same millisecond are listed in any order.
    if (operationId === 'createToken') await untilNextMillisecond();
    if (operationId === 'createRecordsExport') {
      exportId = answered.id;
      await untilExported(exportId);
    }
    tokenId = answered.tokenId ?? tokenId;
    grantId = answered.grant?.grantId ?? grantId;
    version = answered.versions?.[0]?.version ?? version;
    examples[operationId] = {
      ...(body === undefined ? {} : { body }),
      answer: settle(answered),
    };
  }
  return examples;
}

/** Waits without requests, whose number is an example too. */
async function untilExported(id: string): Promise<void> {
  const store = openExportStore(data.directory.exports.store);
  await until(() => store.find(id)?.state === 'completed');
  store.close();
}

async function untilNextMillisecond(): Promise<void> {
  const now = Date.now();
  await until(() => Date.now() > now);
}

function isOfExport(body: unknown): boolean {
  return isDeepStrictEqual(body, { id: EXPORT_ID });
}

/** The problem of each status that a request alone can cause. */
async function refuseAll(): Promise<Readonly<Record<string, unknown>>> {
  const list = '/v3/catalog/listRecords';
  const post = (body: unknown, headers = {}) => send(list, { method: 'POST', body, headers });
  const { tokenText } = data.store.createToken({ organisationId: 'busy', name: 'busy' });
  const busy = { authorization: `Bearer ${tokenText}` };
  await post({}, busy);
  const refused = [
    await post({ ...RECORDS, filters: [{ fieldName: 'citty', operator: '==', value: 'x' }] }),
    await post(RECORDS, { authorization: '' }),
    await send(list.replace('v3/catalog/listRecords', 'v1/admin/organisations'), {
      method: 'GET',
      headers: { authorization: `Bearer ${data.token}` },
    }),
    await post({ ...RECORDS, dataReferenceName: 'ml_visitation.place' }),
    await post(RECORDS, { 'accept-encoding': 'identity;q=0, compress' }),
    await send('/v1/admin/organisations', {
      method: 'POST',
      body: { name: 'City of Somewhere', id: 'somewhere' },
    }),
    await post({ ...RECORDS, pageToken: 'x'.repeat(1024 * 1024) }),
    await post(RECORDS, { 'content-type': 'text/plain' }),
    await post(RECORDS, busy),
    await post(RECORDS, { 'x-large': 'x'.repeat(16 * 1024) }),
  ];
  const problems = refused.map(({ status, text }) => [status, settle(JSON.parse(text))] as const);
  expect(problems.map(([status]) => status)).toEqual([
    400, 401, 403, 404, 406, 409, 413, 415, 429, 431,
  ]);
  return Object.fromEntries(problems);
}

function send(
  path: string,
  request: { readonly method: string; readonly body?: unknown; readonly headers?: object },
  to = server,
) {
  const { adminToken, token: ownToken } =
    to === trips ? tripsData : to === areas ? areasData : data;
  const token = path.startsWith('/v1/admin/') ? adminToken : ownToken;
  const { body, method, headers } = request;
  return to.send(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-request-id': REQUEST_ID,
      ...headers,
    },
  });
}

const REQUEST_ID = '6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43';
const LIST_MAX = 2;

/** Replaces the values that differ in each run, and shortens lists. */
function settle(value: unknown, name = ''): unknown {
  if (name === 'bounds') return value;
  if (Array.isArray(value)) return value.slice(0, LIST_MAX).map((item) => settle(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, settle(member, key)]),
    );
  }
  if (name === 'bytes') return 45678;
  if (name === 'durationMs') return 120;
  if (name === 'rowsPerSecond') return 108342;
  if (typeof value !== 'string' || value === '') return value;
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}T/.test(value)) return '2026-01-31T10:20:30.400Z';
  if (/^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}$/.test(value)) return '20260101T000000000Z-0123456789ab';
  if (/^lm_[0-9A-Za-z]{36}$/.test(value)) return `lm_${'0'.repeat(36)}`;
  if (['tokenId', 'grantId', 'subject', 'replacedBy'].includes(name)) return '0123456789ab';
  if (/^[0-9a-v]{26}$/.test(value)) return EXPORT_ID;
  if (name === 'requestId') return REQUEST_ID;
  if (name === 'nextPageToken' && !/^[0-9]+$/.test(value)) return 'q83vEjRWeJCrze8SNFZ4kA';
  if (name === 'from' && /^[0-9-]{10}$/.test(value)) return '2026-01-01';
  if (['to', 'day'].includes(name) && /^[0-9-]{10}$/.test(value)) return '2026-01-31';
  return value
    .replace(/in [0-9]+ ms/, 'in 930 ms')
    .replace(/\/[0-9a-v]{26}\//, `/${EXPORT_ID}/`)
    .replace(/expires=.*$/, 'expires=1769941230&signature=q83vEjRWeJCrze8SNFZ4kA')
    .replace(/^http:\/\/127\.0\.0\.1:[0-9]+/, 'https://data.example.org');
}
