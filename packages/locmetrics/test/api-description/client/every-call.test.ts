/**
 * Sends every call with a client made by openapi-typescript and openapi-fetch. The file is type-checked and run
 * in a folder with the installed packages and the generated `api.d.ts`: see run.ts.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const baseUrl = variable('LOCMETRICS_URL');
const organisationId = variable('LOCMETRICS_ORG');

const called = new Set<string>();
const client = open(variable('LOCMETRICS_TOKEN'));
const admin = open(variable('ADMIN_TOKEN'));

const dataReferenceName = 'ml_visitation.places';
const metric = { catalogId: 'nps', metricId: 'foot_traffic_monthly' };

test('datasets are listed and described', async () => {
  const listed = await client.POST('/v3/catalog/listDataReferences', { body: {} });
  assert.deepEqual(
    listed.data?.dataReferences.map(({ name }) => name),
    [
      'cafes.places',
      'cafes.visits',
      'ml_visitation.foot_traffic_month',
      'ml_visitation.neighborhoods',
      'ml_visitation.places',
      'mobility.state_day',
      'mobility.states',
    ],
  );
  const described = await client.POST('/v3/catalog/getDataReference', {
    body: { name: dataReferenceName },
  });
  assert.equal(described.data?.dataReference.fields[0]?.type, 'COLUMN_TYPE_STRING');
});

test('records are filtered, ordered and paged, and counted', async () => {
  const body: components['schemas']['ListRecordsRequest'] = {
    dataReferenceName,
    fields: ['location_name', { name: 'latitude' }],
    filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
    options: {
      boundingBox: { minLng: -124.5, minLat: 32.5, maxLng: -114.1, maxLat: 42 },
      orderBy: { fieldName: 'location_name', direction: 'DESC' },
    },
    typedValues: true,
    pageSize: 2,
  };
  const first = await client.POST('/v3/catalog/listRecords', { body });
  assert.equal(first.data?.totalSize, 9);
  assert.equal(first.data.records[0]?.fields['location_name'], 'Yosemite National Park');
  assert.equal(typeof first.data.records[0]?.fields['latitude'], 'number');
  const { nextPageToken } = first.data;
  const second = await client.POST('/v3/catalog/listRecords', {
    body: { ...body, pageToken: nextPageToken },
  });
  assert.equal(second.data?.records.length, 2);
  const counted = await client.POST('/v3/catalog/listRecords', {
    body: { dataReferenceName, countOnly: true },
  });
  assert.deepEqual(
    [counted.data?.totalSize, counted.data?.costRows, counted.data?.records],
    [63, 63, []],
  );
});

test('all records and all values come in one answer, in every format', async () => {
  const path = { dataReferenceName };
  const paths = [
    '/v3/catalog/{dataReferenceName}/records.csv',
    '/v3/catalog/{dataReferenceName}/records.ndjson',
  ] as const;
  for (const at of paths) {
    const asked = await client.GET(at, { params: { path }, parseAs: 'text' });
    assert.match(asked.data ?? '', /Yosemite National Park/);
    const sent = await client.POST(at, { params: { path }, body: {}, parseAs: 'text' });
    assert.equal(sent.data, asked.data);
  }
  const places = '/v3/catalog/{dataReferenceName}/records.geojson';
  const asked = await client.GET(places, { params: { path } });
  assert.equal(asked.data?.features.length, 63);
  const sent = await client.POST(places, { params: { path }, body: {} });
  assert.deepEqual(sent.data, asked.data);
  const valuePaths = [
    '/v1/catalogs/{catalogId}/metrics/{metricId}/values.csv',
    '/v1/catalogs/{catalogId}/metrics/{metricId}/values.ndjson',
  ] as const;
  const request = { billingContext: organisationId, featureFilter: ['ACAD'] };
  for (const at of valuePaths) {
    const params = { path: metric, query: request };
    const asked = await client.GET(at, { params, parseAs: 'text' });
    assert.match(asked.data ?? '', /Acadia National Park/);
    const sent = await client.POST(at, {
      params: { path: metric },
      body: request,
      parseAs: 'text',
    });
    assert.equal(sent.data, asked.data);
  }
});

test('all records and all values come in a Parquet file', async () => {
  const path = { dataReferenceName };
  const places = '/v3/catalog/{dataReferenceName}/records.parquet';
  const parseAs = 'arrayBuffer';
  const asked = await client.GET(places, { params: { path }, parseAs });
  assert.equal(Buffer.from(asked.data ?? new ArrayBuffer()).toString('latin1', 0, 4), 'PAR1');
  const sent = await client.POST(places, { params: { path }, body: {}, parseAs });
  assert.equal(sent.data?.byteLength, asked.data?.byteLength);
  const values = '/v1/catalogs/{catalogId}/metrics/{metricId}/values.parquet';
  const request = { billingContext: organisationId, featureFilter: ['ACAD'] };
  const params = { path: metric, query: request };
  const askedValues = await client.GET(values, { params, parseAs });
  const body = request;
  const sentValues = await client.POST(values, { params: { path: metric }, body, parseAs });
  assert.ok(askedValues.data !== undefined && askedValues.data.byteLength > 1000);
  assert.equal(sentValues.data?.byteLength, askedValues.data.byteLength);
});

test('all records and all values come as Arrow', async () => {
  const path = { dataReferenceName };
  const places = '/v3/catalog/{dataReferenceName}/records.arrow';
  const parseAs = 'arrayBuffer';
  const asked = await client.GET(places, { params: { path }, parseAs });
  assert.equal(Buffer.from(asked.data ?? new ArrayBuffer()).toString('hex', 0, 4), 'ffffffff');
  const sent = await client.POST(places, { params: { path }, body: {}, parseAs });
  assert.equal(sent.data?.byteLength, asked.data?.byteLength);
  const values = '/v1/catalogs/{catalogId}/metrics/{metricId}/values.arrow';
  const request = { billingContext: organisationId, featureFilter: ['ACAD'] };
  const params = { path: metric, query: request };
  const askedValues = await client.GET(values, { params, parseAs });
  const body = request;
  const sentValues = await client.POST(values, { params: { path: metric }, body, parseAs });
  assert.ok(askedValues.data !== undefined && askedValues.data.byteLength > 1000);
  assert.equal(sentValues.data?.byteLength, askedValues.data.byteLength);
});

test('map tiles are described and read', async () => {
  const described = await client.GET('/v3/catalog/{dataReferenceName}/tiles.json', {
    params: { path: { dataReferenceName } },
  });
  assert.equal(described.data?.maxzoom, 16);
  const tile = await client.GET('/v3/catalog/{dataReferenceName}/tiles/{z}/{x}/{y}.mvt', {
    params: { path: { dataReferenceName, z: '0', x: '0', y: '0' } },
    parseAs: 'arrayBuffer',
  });
  assert.ok(tile.data !== undefined && tile.data.byteLength > 1000);
});

test('the values of a field are searched', async () => {
  const { data } = await client.POST('/v3/catalog/searchFieldValues', {
    body: { dataReferenceName, field: { name: 'region' }, term: 'c', pageSize: 2 },
  });
  assert.deepEqual(data?.values, ['CA', 'CO']);
  assert.equal(data?.totalSize, undefined);
});

test('aggregates of a metric are the same by address and by body', async () => {
  const asked = await client.GET('/v1/catalogs/{catalogId}/metrics/{metricId}/aggregates', {
    params: {
      path: metric,
      query: {
        billingContext: organisationId,
        groupBy: ['feature'],
        aggregate: ['max:person_count'],
        compare: 'MEAN_OF_GROUPS',
        featureFilter: ['ACAD', 'YOSE'],
      },
    },
  });
  assert.equal(asked.data?.rowsList?.length, 2);
  const posted = await client.POST('/v1/catalogs/{catalogId}/metrics/{metricId}/aggregates', {
    params: { path: metric },
    body: {
      billingContext: organisationId,
      groupBy: [{ kind: 'FEATURE' }],
      aggregates: [{ valueName: 'person_count', aggregation: 'MAX' }],
      compare: 'MEAN_OF_GROUPS',
      featureFilter: ['ACAD', 'YOSE'],
    },
  });
  assert.deepEqual(posted.data, asked.data);
});

test('records are counted by date, and the places of a date', async () => {
  const body = {
    dataReferenceName: 'ml_visitation.foot_traffic_month',
    filters: [{ fieldName: 'location_id', operator: 'in', values: ['ACAD', 'YOSE'] }],
  };
  const dates = await client.POST('/v3alpha/catalog/listRecordsStatistics', { body });
  const [first] = dates.data?.statistics ?? [];
  assert.deepEqual([first?.totalRows, first?.uniqueLocationIds], [2, 2]);
  const observationDate = first?.observationDate ?? '';
  const stats = await client.POST('/v3alpha/catalog/getLayerStats', {
    body: { ...body, observationDate, dimensions: ['location_id'] },
  });
  assert.equal(stats.data?.locationCount, 2);
  assert.deepEqual(stats.data?.stats, [{ name: 'location_id', distinctCount: 2 }]);
  const explained = await admin.POST('/v1/admin/explain/listRecordsStatistics', { body });
  assert.equal(explained.data?.queries[0]?.plan, 'groups');
  const explainedStats = await admin.POST('/v1/admin/explain/getLayerStats', {
    body: { ...body, observationDate },
  });
  assert.equal(explainedStats.data?.queries[0]?.plan, 'groups');
});

test('records are exported', async () => {
  const created = await client.POST('/v3/catalog/createRecordsExport', {
    body: { dataReferenceName: 'ml_visitation.places', limit: 1 },
  });
  const id = created.data?.id ?? '';
  const found = await client.POST('/v3/catalog/getRecordsExport', { body: { id } });
  assert.deepEqual([found.data?.id, found.data?.limit], [id, 1]);
  const exports = await client.POST('/v3/catalog/listRecordsExports', { body: {} });
  assert.equal(exports.data?.recordsExports[0]?.id, id);
  const deleted = await client.POST('/v3/catalog/deleteRecordsExport', { body: { id } });
  assert.equal(deleted.response.status, 200);
  const download = await client.POST('/v3alpha/catalog/fileDownload', {
    body: { dataReferenceName: 'ml_visitation.places', format: 'AVRO' },
  });
  assert.equal(download.data?.fileUrls.length, 1);
});

test('the values of a metric are exported', async () => {
  const download = await client.POST('/v1/catalogs/{catalogId}/metrics/{metricId}:download', {
    params: { path: metric },
    body: { billingContext: organisationId, fileName: 'visits-' },
  });
  assert.equal(download.data?.fileUrls.length, 1);
});

test('the values of a metric are the same for query parameters and for a body', async () => {
  const asked = await client.GET('/v1/catalogs/{catalogId}/metrics/{metricId}/values', {
    params: {
      path: metric,
      query: { billingContext: organisationId, featureFilter: ['ACAD'], pageSize: 2 },
    },
  });
  assert.equal(asked.data?.valuesList[0]?.mapFeatureV2.featureId, 'ACAD');
  assert.equal(asked.data.valuesList[0].observationPeriod.start.month, 1);
  const posted = await client.POST('/v1/catalogs/{catalogId}/metrics/{metricId}/values:search', {
    params: { path: metric },
    body: {
      billingContext: organisationId,
      featureFilter: ['ACAD'],
      valueFilter: [
        { valueName: 'person_count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 0 },
      ],
      pageSize: 2,
    },
  });
  assert.deepEqual(posted.data?.valuesList, asked.data.valuesList);
});

test('catalogs, metrics and layers are found, and what can be searched in them', async () => {
  const catalog = { catalogId: 'nps' };
  const catalogs = await client.GET('/v1/catalogs');
  assert.ok(catalogs.data?.catalogsList.some(({ id }) => id === 'nps'));
  const metrics = await client.GET('/v1/catalogs/{catalogId}/metrics', {
    params: { path: catalog, query: { pageSize: 1 } },
  });
  const [found] = metrics.data?.metricsList ?? [];
  assert.deepEqual([found?.id, found?.spec.cadence], ['foot_traffic_monthly', 'MONTHLY']);
  const described = await client.GET('/v1/catalogs/{catalogId}/metrics/{metricId}', {
    params: { path: metric, query: { skipLayers: true } },
  });
  assert.deepEqual(
    [described.data?.metric.layer, described.data?.metric.rowCount],
    [undefined, 33395],
  );
  const report = await client.GET('/v1/catalogs/{catalogId}/metrics/{metricId}/report', {
    params: { path: metric },
  });
  assert.equal(report.data?.report.observationPeriod?.start.year, 1979);
  const layer = await client.GET('/v1/catalogs/{catalogId}/layers/{layerId}', {
    params: { path: { ...catalog, layerId: found?.layerId ?? '' } },
  });
  assert.equal(layer.data?.layer.displayName, 'National parks');
  const path = { ...catalog, layerId: 'nps_parks' };
  const features = await client.GET('/v1/catalogs/{catalogId}/layers/{layerId}/features', {
    params: { path, query: { query: 'acadia', pageSize: 1 } },
  });
  assert.equal(features.data?.featuresList[0]?.featureId, 'ACAD');
  const posted = await client.POST('/v1/catalogs/{catalogId}/layers/{layerId}/features:search', {
    params: { path },
    body: { query: 'acadia', pageSize: 1 },
  });
  assert.deepEqual(posted.data?.featuresList, features.data.featuresList);
  const components = await client.GET('/v1/addressComponents');
  assert.ok(components.data?.addressComponentsList.some(({ kind }) => kind === 'MAP'));
  const states = await client.GET('/v1/catalogs/{catalogId}/addressComponents/{component}/values', {
    params: { path: { ...catalog, component: 'us_state_2020' }, query: { query: 'maine' } },
  });
  assert.equal(states.data?.addressComponentValuesList[0]?.value, '23');
  const ages = await client.GET('/v1/catalogs/{catalogId}/dimensions/{dimensionId}/values', {
    params: { path: { ...catalog, dimensionId: 'age' } },
  });
  assert.deepEqual([ages.response.status, ages.error?.reason], [400, 'UNKNOWN_DIMENSION']);
});

test('tiles of a layer without outlines are refused', async () => {
  const layer = { catalogId: 'nps', layerId: 'nps_parks' };
  const described = await client.GET('/v1/catalogs/{catalogId}/layers/{layerId}/tiles.json', {
    params: { path: layer },
  });
  const tile = await client.GET('/v1/catalogs/{catalogId}/layers/{layerId}/tiles/{z}/{x}/{y}.mvt', {
    params: { path: { ...layer, z: '0', x: '0', y: '0' } },
  });
  const reasons = [described.error?.reason, tile.error?.reason];
  assert.deepEqual(reasons, ['OUTLINES_NOT_FOUND', 'OUTLINES_NOT_FOUND']);
});

test('versions are listed with their reports; one version is neither compared nor switched', async () => {
  const listed = await admin.GET('/v1/admin/versions', {
    params: { query: { dataset: dataReferenceName } },
  });
  const [current] = listed.data?.versions ?? [];
  assert.deepEqual([current?.state, current?.rowCount], ['current', 63]);
  const report = await admin.GET('/v1/admin/versions/{dataset}/{version}/report', {
    params: { path: { dataset: dataReferenceName, version: current?.version ?? '' } },
  });
  assert.equal(report.data?.rows.kept, 63);
  const diff = await admin.GET('/v1/admin/versions/{dataset}/diff', {
    params: { path: { dataset: dataReferenceName } },
  });
  assert.equal(diff.error?.reason, 'VERSION_NOT_FOUND');
  const rollback = await admin.POST('/v1/admin/versions:rollback', {
    body: { dataset: dataReferenceName },
  });
  assert.equal(rollback.error?.reason, 'SWITCH_REFUSED');
});

test('an answer that the caller already has is not sent again', async () => {
  const params = { path: metric, query: { billingContext: organisationId, pageSize: 1 } };
  const path = '/v1/catalogs/{catalogId}/metrics/{metricId}/values';
  const first = await client.GET(path, { params });
  const tag = first.response.headers.get('etag') ?? '';
  const second = await client.GET(path, {
    params: { ...params, header: { 'If-None-Match': tag } },
  });
  assert.equal(second.response.status, 304);
});

test('a token says who it is', async () => {
  const { data } = await client.GET('/v1/caller');
  assert.deepEqual([data?.organisationId, data?.expires], [organisationId, null]);
});

test('a sign-in code that does not exist is refused', async () => {
  const { response, error } = await client.POST('/v1/sign-in', { body: { code: 'none' } });
  assert.deepEqual([response.status, error?.reason], [401, 'SIGN_IN_CODE_INVALID']);
});

test('an answer is previewed as an organisation gets it, with a grant too', async () => {
  const datasets = await admin.POST('/v1/admin/preview/listDataReferences', {
    body: { organisationId },
  });
  assert.ok((datasets.data?.dataReferences.length ?? 0) > 0);
  const dataset = await admin.POST('/v1/admin/preview/getDataReference', {
    body: { organisationId, name: dataReferenceName },
  });
  assert.equal(dataset.data?.dataReference.name, dataReferenceName);
  const grant = { pattern: dataReferenceName, fields: ['location_name'] };
  const records = await admin.POST('/v1/admin/preview/listRecords', {
    body: { organisationId, dataReferenceName, grant, pageSize: 1 },
  });
  assert.deepEqual(Object.keys(records.data?.records[0]?.fields ?? {}), ['location_name']);
  const checked = await admin.POST('/v1/admin/preview/checkGrantValues', {
    body: {
      grant: {
        pattern: dataReferenceName,
        filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
      },
    },
  });
  assert.deepEqual(
    checked.data?.values.map(({ value, rowCount }) => [value, rowCount]),
    [['CA', 9]],
  );
  const searched = await admin.POST('/v1/admin/preview/searchGrantValues', {
    body: { pattern: dataReferenceName, member: 'filters', name: 'region', query: 'CA' },
  });
  assert.ok(searched.data?.values.some(({ value }) => value === 'CA'));
});

test('usage is read, as JSON and as CSV', async () => {
  const own = await client.GET('/v1/usage', {
    params: { query: { groupBy: ['dataset', 'operation'] } },
  });
  assert.ok(typeof own.data === 'object' && own.data.total.requests > 0);
  const csv = await client.GET('/v1/usage', {
    params: { query: { format: 'csv' } },
    parseAs: 'text',
  });
  assert.match(String(csv.data), /^day,requests,rows,bytes\r\n/);
  const all = await admin.GET('/v1/admin/usage', { params: { query: { organisationId } } });
  assert.ok(typeof all.data === 'object');
  assert.equal(all.data.usage[0]?.organisation, organisationId);
});

test('organisations, tokens, grants and limits are managed, and the audit log contains the changes', async () => {
  const created = await admin.POST('/v1/admin/organisations', { body: { name: 'City' } });
  const city = created.data?.id ?? '';
  const listed = await admin.GET('/v1/admin/organisations');
  assert.ok(listed.data?.organisations.some(({ id }) => id === city));

  const address = { params: { path: { organisationId: city } }, body: {} };
  const suspended = await admin.POST('/v1/admin/organisations/{organisationId}/suspend', address);
  assert.equal(typeof suspended.data?.suspended, 'string');
  const resumed = await admin.POST('/v1/admin/organisations/{organisationId}/resume', address);
  assert.equal(resumed.data?.suspended, null);

  const token = await admin.POST('/v1/admin/tokens', {
    body: { organisationId: city, name: 'reports', scopes: ['catalog'], expiresAfter: '90d' },
  });
  const rotated = await admin.POST('/v1/admin/tokens/{tokenId}/rotate', {
    params: { path: { tokenId: token.data?.tokenId ?? '' } },
    body: { overlap: '1h' },
  });
  assert.equal(rotated.data?.replaced.tokenId, token.data?.tokenId);
  const revoked = await admin.POST('/v1/admin/tokens/{tokenId}/revoke', {
    params: { path: { tokenId: rotated.data?.tokenId ?? '' } },
    body: {},
  });
  assert.equal(revoked.data?.tokenId, rotated.data?.tokenId);
  const tokens = await admin.GET('/v1/admin/tokens', {
    params: { query: { organisationId: city } },
  });
  assert.deepEqual(tokens.data?.tokens.map(({ state }) => state).sort(), ['active', 'revoked']);

  const added = await admin.POST('/v1/admin/grants', {
    body: {
      organisationId: city,
      pattern: dataReferenceName,
      filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
      until: '2099-12-31',
    },
  });
  assert.deepEqual(added.data?.names, [dataReferenceName]);
  const grants = await admin.GET('/v1/admin/grants', {
    params: { query: { organisationId: city } },
  });
  assert.equal(grants.data?.grants[0]?.until, '2099-12-31');
  const replaced = await admin.PUT('/v1/admin/grants/{grantId}', {
    params: { path: { grantId: added.data?.grant.grantId ?? '' } },
    body: { pattern: dataReferenceName, until: '2098-12-31' },
  });
  assert.deepEqual(
    [replaced.data?.before.until, replaced.data?.grant.until],
    ['2099-12-31', '2098-12-31'],
  );
  const removed = await admin.DELETE('/v1/admin/grants/{grantId}', {
    params: { path: { grantId: added.data?.grant.grantId ?? '' } },
  });
  assert.equal(removed.data?.grant.pattern, dataReferenceName);

  const path = { organisationId: city };
  const set = await admin.PUT('/v1/admin/organisations/{organisationId}/limits', {
    params: { path },
    body: { rowsPerDay: 1000 },
  });
  const limits = await admin.GET('/v1/admin/organisations/{organisationId}/limits', {
    params: { path },
  });
  assert.deepEqual([set.data?.rowsPerDay, limits.data], [1000, set.data]);

  const audit = await admin.GET('/v1/admin/audit', {
    params: { query: { organisationId: city, pageSize: 1 } },
  });
  assert.equal(audit.data?.entries[0]?.action, 'limits.set');
});

test('requests are explained', async () => {
  const records = await admin.POST('/v1/admin/explain/listRecords', {
    body: { organisationId, dataReferenceName, pageSize: 2 },
  });
  assert.deepEqual(
    records.data?.queries.map(({ plan, store, access, onlyIf }) => [plan, store, access, onlyIf]),
    [['records', 'rows', 'page in the order of the key', []]],
  );
  const values = await admin.POST('/v1/admin/explain/searchFieldValues', {
    body: { dataReferenceName, field: 'city', term: 'spring' },
  });
  assert.equal(values.data?.queries[0]?.store, 'columns');
  const ofMetric = await admin.POST('/v1/admin/explain/searchMetricValues', {
    body: { ...metric, billingContext: organisationId, featureFilter: ['ACAD'] },
  });
  assert.equal(ofMetric.data?.queries[0]?.plan, 'extent');
  const ofAggregates = await admin.POST('/v1/admin/explain/searchMetricAggregates', {
    body: {
      ...metric,
      billingContext: organisationId,
      groupBy: [{ kind: 'FEATURE' }],
      aggregates: [{ valueName: 'person_count', aggregation: 'MAX' }],
    },
  });
  assert.ok(ofAggregates.data?.queries.some(({ plan }) => plan === 'groups'));
});

test('a refusal is typed', async () => {
  const refused = await client.POST('/v3/catalog/listRecords', {
    body: { dataReferenceName, fields: ['citty'] },
  });
  assert.deepEqual(
    [refused.response.status, refused.error?.reason, refused.error?.hint],
    [400, 'UNKNOWN_FIELD', "Did you mean 'city'?"],
  );
});

test('the types refuse a request that the service would refuse', () => {
  type Body = components['schemas']['ListRecordsRequest'];
  // @ts-expect-error the name is missing
  const nameless: Body = { pageSize: 1 };
  // @ts-expect-error the field does not exist
  const unknown: Body = { dataReferenceName, pageSiez: 1 };
  const options: components['schemas']['Options'] = {
    // @ts-expect-error the direction does not exist
    orderBy: { fieldName: '', direction: 'UP' },
  };
  assert.ok([nameless, unknown, options]);
});

after(async () => {
  const document = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual([...called].sort(), described.sort());
});

/** A client that records its calls. */
function open(token: string) {
  const opened = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  opened.use({
    onRequest: ({ schemaPath, request }) => {
      called.add(`${request.method} ${schemaPath}`);
    },
  });
  return opened;
}

function variable(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set.`);
  return value;
}
