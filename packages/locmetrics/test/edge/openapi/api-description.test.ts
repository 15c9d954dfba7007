import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { useTestServer } from '../test-server.ts';
import { type ApiDocument, operationsOf, schemaErrors } from './described-schema.ts';

const { data, post, send } = useTestServer((data) => data.publishFiles(SHOPS));

const NO_TOKEN = { headers: { authorization: '' } };

async function description(): Promise<ApiDocument> {
  return JSON.parse((await send('/openapi.json', NO_TOKEN)).text);
}

/** Every object inside a JSON value, including the value itself. */
function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [{ ...value }, ...inside];
}

test('the document is OpenAPI 3.1 with a title, a version, a server and a scheme of security', async () => {
  const { paths, components, ...rest } = await description();
  expect(Object.keys(paths)).toHaveLength(67);
  expect(Object.keys(components)).toEqual(['securitySchemes', 'schemas', 'responses']);
  expect(rest).toMatchInlineSnapshot(`
    {
      "info": {
        "description": "Location metrics on demand: the records of datasets of places, areas and measures, and the values of metrics as time series. Send \`Authorization: Bearer <token>\` with every request. The examples are requests to the sample of \`npm start\`, and its answers; long lists are cut to two items. Each GET also answers HEAD, with the same status and headers and without a body (RFC 9110, section 9.3.2). HEAD is not listed as an operation, because generated clients would get methods that return nothing.",
        "license": {
          "identifier": "Apache-2.0",
          "name": "Apache-2.0",
        },
        "title": "Locmetrics",
        "version": "0.0.0",
      },
      "openapi": "3.1.0",
      "security": [
        {
          "token": [],
        },
      ],
      "servers": [
        {
          "description": "The service that publishes this document.",
          "url": "/",
        },
      ],
      "tags": [
        {
          "description": "Which organisation your token belongs to, what it may be used for, when it expires, and which limits apply. Start here: \`GET /v1/caller\` works with every token. The other call signs in the explorer with a link.",
          "name": "caller",
          "x-displayName": "Your token",
        },
        {
          "description": "Datasets (also called data references), their records, the distinct values of their fields, and map tiles. The token needs the scope \`catalog\`.",
          "name": "catalog",
          "x-displayName": "Datasets and records",
        },
        {
          "description": "Time series of values for places or areas, and the catalogs, metrics, layers, features, components and dimensions that a request for them can name. The token needs the scope \`metrics\`.",
          "name": "metrics",
          "x-displayName": "Metrics",
        },
        {
          "description": "How many requests an organisation has made, and how many rows and bytes it got, for bills and budgets. The token needs the scope \`usage\`, or \`admin\` for the usage of all organisations.",
          "name": "usage",
          "x-displayName": "Usage",
        },
        {
          "description": "Organisations, tokens, grants, limits, the audit log, versions, and explanations and previews of requests. All of it needs a token with the scope \`admin\`.",
          "name": "admin",
          "x-displayName": "Administration",
        },
      ],
    }
  `);
});

test('every operation has a unique id, and lists each possible status', async () => {
  const described = operationsOf(await description()).map(
    ({ operationId, responses }) => `${operationId}: ${Object.keys(responses).join(' ')}`,
  );
  expect(described).toMatchInlineSnapshot(`
    [
      "getCaller: 200 400 401 403 406 408 415 429 431 500 503",
      "signIn: 200 400 401 403 406 408 413 415 431 500 503",
      "listDataReferences: 200 400 401 403 406 408 413 415 429 431 500 503",
      "getDataReference: 200 400 401 403 404 406 408 413 415 429 431 500 503",
      "listRecords: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "searchFieldValues: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "listRecordsStatistics: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "getLayerStats: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamRecordsCsv: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamRecordsCsvByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamRecordsNdjson: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamRecordsNdjsonByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamRecordsGeojson: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamRecordsGeojsonByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamRecordsParquet: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamRecordsParquetByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamRecordsArrow: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamRecordsArrowByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamMetricValuesCsv: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamMetricValuesCsvByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamMetricValuesNdjson: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamMetricValuesNdjsonByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamMetricValuesParquet: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamMetricValuesParquetByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "streamMetricValuesArrow: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "streamMetricValuesArrowByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "createRecordsExport: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "getRecordsExport: 200 400 401 403 404 406 408 413 415 429 431 500 503",
      "listRecordsExports: 200 400 401 403 406 408 413 415 429 431 500 503",
      "deleteRecordsExport: 200 400 401 403 404 406 408 413 415 429 431 500 503",
      "fileDownload: 200 400 401 403 404 406 408 409 413 415 429 431 500 503 504",
      "readTile: 200 204 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "describeTiles: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "listCatalogs: 200 400 401 403 406 408 415 429 431 500 503",
      "listMetrics: 200 400 401 403 404 406 408 415 429 431 500 503 504",
      "getMetric: 200 400 401 403 404 406 408 415 429 431 500 503 504",
      "searchMetricReport: 200 400 401 403 404 406 408 415 429 431 500 503 504",
      "searchMetricValues: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "searchMetricValuesByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "searchMetricAggregates: 200 400 401 403 404 406 408 415 429 431 500 503 504",
      "searchMetricAggregatesByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "downloadMetric: 200 400 401 403 404 406 408 409 413 415 429 431 500 503 504",
      "getLayer: 200 400 401 403 404 406 408 415 429 431 500 503",
      "searchLayerFeatures: 200 400 401 403 404 406 408 415 429 431 500 503 504",
      "searchLayerFeaturesByBody: 200 400 401 403 404 406 408 413 415 429 431 500 503 504",
      "listAddressComponents: 200 400 401 403 406 408 415 429 431 500 503",
      "searchAddressComponentValues: 200 400 401 403 404 406 408 415 429 431 500 503 504",
      "searchDimensionValues: 200 400 401 403 404 406 408 415 429 431 500 503 504",
      "readLayerTile: 200 204 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "describeLayerTiles: 200 304 400 401 403 404 406 408 415 429 431 500 503 504",
      "readUsage: 200 400 401 403 406 408 415 429 431 500 503",
      "readUsageOfAll: 200 400 401 403 404 406 408 415 431 500 503",
      "listOrganisations: 200 400 401 403 406 408 415 431 500 503",
      "createOrganisation: 200 400 401 403 406 408 409 413 415 431 500 503",
      "suspendOrganisation: 200 400 401 403 404 406 408 409 413 415 431 500 503",
      "resumeOrganisation: 200 400 401 403 404 406 408 413 415 431 500 503",
      "listTokens: 200 400 401 403 404 406 408 415 431 500 503",
      "createToken: 200 400 401 403 404 406 408 413 415 431 500 503",
      "rotateToken: 200 400 401 403 404 406 408 409 413 415 431 500 503",
      "revokeToken: 200 400 401 403 404 406 408 413 415 431 500 503",
      "listGrants: 200 400 401 403 404 406 408 415 431 500 503",
      "addGrant: 200 400 401 403 404 406 408 409 413 415 431 500 503",
      "replaceGrant: 200 400 401 403 404 406 408 409 413 415 431 500 503",
      "removeGrant: 200 400 401 403 404 406 408 413 415 431 500 503",
      "getLimits: 200 400 401 403 404 406 408 415 431 500 503",
      "setLimits: 200 400 401 403 404 406 408 413 415 431 500 503",
      "listAudit: 200 400 401 403 404 406 408 415 431 500 503",
      "listVersions: 200 400 401 403 404 406 408 415 431 500 503",
      "getReport: 200 400 401 403 404 406 408 415 431 500 503",
      "compareVersions: 200 400 401 403 404 406 408 415 431 500 503",
      "rollBack: 200 400 401 403 404 406 408 409 413 415 431 500 503",
      "explainListRecords: 200 400 401 403 404 406 408 413 415 431 500 503 504",
      "explainSearchFieldValues: 200 400 401 403 404 406 408 413 415 431 500 503 504",
      "explainListRecordsStatistics: 200 400 401 403 404 406 408 413 415 431 500 503 504",
      "explainGetLayerStats: 200 400 401 403 404 406 408 413 415 431 500 503 504",
      "explainSearchMetricValues: 200 400 401 403 404 406 408 413 415 431 500 503 504",
      "explainSearchMetricAggregates: 200 400 401 403 404 406 408 413 415 431 500 503 504",
      "previewListDataReferences: 200 400 401 403 404 406 408 409 413 415 431 500 503 504",
      "previewGetDataReference: 200 400 401 403 404 406 408 409 413 415 431 500 503 504",
      "previewListRecords: 200 400 401 403 404 406 408 409 413 415 431 500 503 504",
      "checkGrantValues: 200 400 401 403 406 408 413 415 431 500 503 504",
      "searchGrantValues: 200 400 401 403 406 408 413 415 431 500 503 504",
    ]
  `);
});

test('a schema has one type, or one and null, or alternatives', async () => {
  const lists = objectsIn((await description()).components.schemas)
    .map(({ type }) => type)
    .filter((type) => Array.isArray(type));
  expect(lists.length).toBeGreaterThan(0);
  // oapi-codegen refuses others.
  expect(
    lists.filter((types) => types.length !== 2 || !types.some((type) => type === 'null')),
  ).toEqual([]);
});

test('no two names differ only in their case, with those that generators make from operations', async () => {
  const api = await description();
  const made = operationsOf(api).flatMap(({ operationId }) => {
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
    return [`${name}Request`, `${name}Response`];
  });
  const names = [...new Set([...made, ...Object.keys(api.components.schemas)])];
  const cases = Map.groupBy(names, (name) => name.toLowerCase());
  expect([...cases.values()].filter((same) => same.length > 1)).toEqual([]);
});

test('every error is a named response with a problem', async () => {
  const api = await description();
  const { components } = api;
  const references = operationsOf(api).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { $ref }]) => (status < '400' ? [] : [$ref])),
  );
  const named = Object.entries(components.responses);
  expect(new Set(references)).toEqual(
    new Set(named.map(([name]) => `#/components/responses/${name}`)),
  );
  expect(named.map(([, { content }]) => Object.keys(content ?? {}))).toEqual(
    named.map(() => ['application/problem+json']),
  );
});

test('every request and every answer is a named schema', async () => {
  const bodies = operationsOf(await description()).flatMap(({ requestBody, responses }) =>
    [requestBody, responses['200']].flatMap((one) => {
      const schema = one?.content?.['application/json']?.schema;
      return schema === undefined ? [] : (schema.anyOf ?? [schema]);
    }),
  );
  expect(bodies.length).toBeGreaterThan(30);
  expect(bodies.filter(({ $ref }) => $ref === undefined)).toEqual([]);
});

test('generators of clients see each field once, in lowerCamelCase, with its type', async () => {
  const { components } = await description();
  const properties = Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, schema]) => ({ name, field, schema })),
  );
  expect(properties.length).toBeGreaterThan(150);
  // TileJSON has its own names.
  const own = properties.filter(({ name }) => name !== 'TileJson');
  expect(own.filter(({ field }) => !/^[a-z][a-zA-Z0-9]*$/.test(field))).toEqual([]);
  expect(
    properties.filter(({ schema }) => !('type' in schema || '$ref' in schema || 'anyOf' in schema)),
  ).toEqual([]);
});

test('every enum has values of one type, and declares it', async () => {
  const enums = objectsIn(await description()).filter((one) => Array.isArray(one['enum']));
  const wrong = enums.filter(({ type, enum: values }) =>
    [values].flat().some((value) => typeof value !== (type === 'integer' ? 'number' : type)),
  );
  expect(enums.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test('every required parameter has an example, unless the sample has no value of it', async () => {
  const parameters = operationsOf(await description()).flatMap(
    ({ parameters: known = [] }) => known,
  );
  expect(parameters.length).toBeGreaterThan(30);
  const without = parameters.filter(({ required, example }) => required && example === undefined);
  expect([...new Set(without.map(({ name }) => name))]).toEqual([
    'dimensionId',
    'tokenId',
    'grantId',
    'version',
  ]);
  expect(parameters.filter(({ description: text = '' }) => text === '')).toEqual([]);
});

test('each GET answers HEAD with the same status, type and tag', async () => {
  const operations = operationsOf(await description()).filter(({ method }) => method === 'GET');
  const differing: string[] = [];
  for (const { operationId, path } of operations) {
    const isAdmin = path.startsWith('/v1/admin/');
    const headers = { authorization: `Bearer ${isAdmin ? data().adminToken : data().token}` };
    const [get, head] = [
      await send(path, { headers }),
      await send(path, { headers, method: 'HEAD' }),
    ].map((answer) => [
      answer.status,
      ...['content-type', 'etag'].map((name) => answer.headers.get(name)),
    ]);
    if (!isDeepStrictEqual(get, head)) differing.push(`${operationId}: ${get} ${head}`);
  }
  expect(operations.length).toBeGreaterThan(20);
  expect(differing).toEqual([]);
});

test('the billing context is the only required query parameter, as in the service', async () => {
  const operations = operationsOf(await description()).filter(({ method }) => method === 'GET');
  const required = operations.flatMap(({ operationId, parameters = [] }) =>
    parameters
      .filter((known) => known.in === 'query' && known.required)
      .map(({ name }) => `${operationId} ${name}`),
  );
  const refused = await Promise.all(
    operations.map(async ({ operationId, path }) => {
      const headers = path.startsWith('/v1/admin/')
        ? { authorization: `Bearer ${data().adminToken}` }
        : {};
      const { status, text } = await send(fillIn(path), { headers });
      return status === 400 ? `${operationId} ${JSON.parse(text).errors[0].pointer.slice(1)}` : '';
    }),
  );
  expect(required).toEqual([
    'streamMetricValuesCsv billingContext',
    'streamMetricValuesNdjson billingContext',
    'streamMetricValuesParquet billingContext',
    'streamMetricValuesArrow billingContext',
    'searchMetricValues billingContext',
    'searchMetricAggregates billingContext',
  ]);
  expect(refused.filter((pointer) => pointer !== '')).toEqual(required);
});

/** The path with parts that no route refuses by their form. */
function fillIn(path: string): string {
  return path.replace('{organisationId}', 'acme').replace('{z}/{x}/{y}', '0/0/0');
}

test('every reference in the document has a target', async () => {
  const document = await description();
  const references = objectsIn(document).flatMap(({ $ref }) =>
    typeof $ref === 'string' ? [$ref] : [],
  );
  const lost = references.filter((reference) => {
    const keys = reference.split('/').slice(1);
    return keys.reduce<unknown>((at, key) => Object(at)[key], document) === undefined;
  });
  expect(references.length).toBeGreaterThan(300);
  expect(lost).toEqual([]);
});

test('every schema is valid JSON Schema 2020-12', async () => {
  const api = await description();
  const parameters = operationsOf(api).flatMap(({ parameters: known = [] }) => known);
  const { components } = api;
  const schemas = [...Object.values(components.schemas), ...parameters.map(({ schema }) => schema)];
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  expect(schemas.length).toBeGreaterThan(100);
  expect(schemas.filter((schema) => ajv.validateSchema(schema) !== true)).toEqual([]);
});

test('the listed parameters of an address are all that it accepts', async () => {
  const names = operationsOf(await description()).map(({ operationId, parameters = [] }) => [
    operationId,
    parameters
      .filter((parameter) => parameter.in !== 'path')
      .map(({ name }) => name)
      .sort()
      .join(' '),
  ]);
  expect(Object.fromEntries(names.filter(([, list]) => list !== ''))).toEqual({
    listCatalogs: 'billingContext',
    listMetrics: 'availabilityFilter billingContext layerFilter pageSize pageToken',
    getMetric:
      'billingContext skipDimensions skipLayers skipLens skipObservationPeriod skipSubscriptionStatus',
    searchMetricAggregates:
      'addressComponentFilter aggregate asOf billingContext circle compare dimensionFilter featureFilter groupBy observationPeriodFilter orderBy pageSize pageToken polygon rankBy relatedAddressComponentFilter relatedFeatureFilter valueFilter',
    searchMetricReport: 'billingContext',
    getLayer: 'billingContext',
    readLayerTile: 'If-None-Match billingContext dimensionFilter metric period',
    describeLayerTiles: 'If-None-Match billingContext dimensionFilter metric period',
    searchLayerFeatures:
      'addressComponentFilter addressComponentWhitelist billingContext boundingBoxFilter circle existedInDateRange featureFilter pageSize pageToken polygon query skipPolygon trackTotalHits',
    listAddressComponents: 'billingContext',
    searchAddressComponentValues: 'billingContext freeFormTarget pageSize pageToken query valueIds',
    searchDimensionValues: 'billingContext pageSize pageToken query',
    searchMetricValues:
      'If-None-Match addressComponentFilter addressComponentWhitelist asOf bestEffortQueryWhenNotAllowed billingContext countOnly dimensionFilter featureFilter invertSortOrder observationPeriodFilter pageSize pageToken relatedAddressComponentFilter relatedFeatureFilter skipGeo trackTotalHits valueFilter',
    streamMetricValuesCsv:
      'If-None-Match addressComponentFilter addressComponentWhitelist asOf bestEffortQueryWhenNotAllowed billingContext dimensionFilter featureFilter invertSortOrder observationPeriodFilter relatedAddressComponentFilter relatedFeatureFilter skipGeo trackTotalHits valueFilter',
    streamMetricValuesNdjson:
      'If-None-Match addressComponentFilter addressComponentWhitelist asOf bestEffortQueryWhenNotAllowed billingContext dimensionFilter featureFilter invertSortOrder observationPeriodFilter relatedAddressComponentFilter relatedFeatureFilter skipGeo trackTotalHits valueFilter',
    streamMetricValuesParquet:
      'If-None-Match addressComponentFilter addressComponentWhitelist asOf bestEffortQueryWhenNotAllowed billingContext dimensionFilter featureFilter invertSortOrder observationPeriodFilter relatedAddressComponentFilter relatedFeatureFilter skipGeo trackTotalHits valueFilter',
    streamMetricValuesArrow:
      'If-None-Match addressComponentFilter addressComponentWhitelist asOf bestEffortQueryWhenNotAllowed billingContext dimensionFilter featureFilter invertSortOrder observationPeriodFilter relatedAddressComponentFilter relatedFeatureFilter skipGeo trackTotalHits valueFilter',
    streamRecordsCsv:
      'If-None-Match asOf billingContext boundingBox circle fields filterLogic filters near orderBy polygon trackTotalHits trimToPeriodOfExistence',
    streamRecordsGeojson:
      'If-None-Match asOf billingContext boundingBox circle fields filterLogic filters near orderBy polygon trackTotalHits trimToPeriodOfExistence',
    streamRecordsNdjson:
      'If-None-Match asOf billingContext boundingBox circle fields filterLogic filters near orderBy polygon trackTotalHits trimToPeriodOfExistence',
    streamRecordsParquet:
      'If-None-Match asOf billingContext boundingBox circle fields filterLogic filters near orderBy polygon trackTotalHits trimToPeriodOfExistence',
    streamRecordsArrow:
      'If-None-Match asOf billingContext boundingBox circle fields filterLogic filters near orderBy polygon trackTotalHits trimToPeriodOfExistence',
    describeTiles:
      'If-None-Match aggregate asOf billingContext cells circle fields filterLogic filters polygon',
    readTile:
      'If-None-Match aggregate asOf billingContext cells circle fields filterLogic filters polygon',
    readUsage: 'format from groupBy pageSize pageToken to',
    readUsageOfAll: 'format from groupBy organisationId pageSize pageToken to',
    listTokens: 'organisationId',
    listGrants: 'organisationId',
    listAudit: 'organisationId pageSize pageToken since',
    listVersions: 'dataset',
    compareVersions: 'from to',
  });
});

test.each([
  ['listDataReferences', {}],
  ['getDataReference', { name: 'shop.stores' }],
  ['listRecords', { dataReferenceName: 'shop.stores' }],
  ['listRecords', { dataReferenceName: 'shop.stores', typedValues: true }],
  ['searchFieldValues', { dataReferenceName: 'shop.stores', field: 'city' }],
  ['searchFieldValues', { dataReferenceName: 'shop.stores', field: 'city', countOnly: true }],
])('the answer of %s to %j matches the document, with no other member', async (call, request) => {
  const api = await description();
  const operation = operationsOf(api).find(({ operationId }) => operationId === call);
  const errors = schemaErrors(
    api,
    operation?.responses['200']?.content?.['application/json']?.schema,
  );
  expect(errors(JSON.parse((await post(call, request)).text))).toBe('');
  expect(errors({ other: 1 })).not.toBe('');
});

test('a problem matches the document', async () => {
  const api = await description();
  const errors = schemaErrors(api, api.components.schemas['Problem']);
  expect(errors(JSON.parse((await post('listRecords', {})).text))).toBe('');
});
