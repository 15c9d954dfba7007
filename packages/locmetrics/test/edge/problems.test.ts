import { rm, writeFile } from 'node:fs/promises';
import { WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { ERROR_TABLE, type ErrorReason } from '@locmetrics/core/errors/service-error';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { damageRow } from '../auth/damage-row.ts';
import { until } from '../support/until.ts';
import { SHOPS } from './shops.ts';
import { createTestData } from './test-data.ts';
import {
  type Answer,
  openTestServer,
  problemOf,
  REQUEST_ID,
  type ServerOptions,
  useTestServer,
} from './test-server.ts';

const { data, post, send } = useTestServer((to) => to.publishFiles(SHOPS));

const dataReferenceName = 'shop.stores';
const listRecords = (request: Readonly<Record<string, unknown>>) =>
  post('listRecords', { dataReferenceName, ...request });
const filterCity = (filter: Readonly<Record<string, unknown>>) =>
  listRecords({ filters: [{ fieldName: 'city', operator: '==', value: 'x', ...filter }] });

const METRIC = '/v1/catalogs/shop/metrics/customers/values';
const searchValues = (parameters: string, path = METRIC) =>
  send(`${path}?billingContext=acme&${parameters}`);

const admin = (path: string, method = 'GET', body?: unknown) =>
  send(`/v1/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${data().adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const signIn = (headers = {}) =>
  send('/v1/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code: 'none' }),
  });
const addGrant = (pattern: string) => admin('grants', 'POST', { organisationId: 'acme', pattern });

/**
 * The reasons that need more than one request are tested in `connections.test.ts` and `admin.test.ts`. Two exist
 * only over gRPC, because over HTTP no call names a layer and there are no messages. One is never seen by a
 * caller. The reasons of gRPC headers are tested in `grpc-transport.test.ts`, and those of exports in `exports.test.ts`.
 */
type ReasonWithoutRequest =
  | 'CANCELLED'
  | 'COMPRESSION_NOT_NAMED'
  | 'CONTROL_STORE_AWAY'
  | 'CONTROL_STORE_LOCKED'
  | 'DISK_FULL'
  | 'EXPORTS_OFF'
  | 'EXPORT_DESTINATION_UNSUPPORTED'
  | 'EXPORT_ENDED'
  | 'EXPORT_SPACE_EXHAUSTED'
  | 'HEADERS_TOO_LARGE'
  | 'LAYER_NOT_FOUND'
  | 'OUTLINES_NOT_FOUND'
  | 'EXPECTATION_FAILED'
  | 'HOST_NOT_ALLOWED'
  | 'MALFORMED_HTTP'
  | 'METHOD_UNKNOWN'
  | 'MALFORMED_MESSAGE'
  | 'REQUEST_TIMEOUT'
  | 'TOO_MANY_EXPORTS'
  | 'TOO_MANY_GROUPS'
  | 'TOO_MANY_RECORDS'
  | 'UNKNOWN_CALL'
  | 'UNSUPPORTED_COMPRESSION'
  | 'UNSUPPORTED_TRANSFER_CODING';

/** A request for every other reason. */
const REQUESTS: Readonly<
  Record<Exclude<ErrorReason, ReasonWithoutRequest>, () => Promise<Answer>>
> = {
  MALFORMED_JSON: () => post('listRecords', '{"dataReferenceName": '),
  UNKNOWN_REQUEST_FIELD: () => listRecords({ pagesize: 1 }),
  DUPLICATE_REQUEST_FIELD: () => listRecords({ page_size: 1, pageSize: 1 }),
  INVALID_REQUEST: () => listRecords({ pageSize: '1' }),
  INVALID_PAGE_SIZE: () => listRecords({ pageSize: -1 }),
  UNKNOWN_FIELD: () => filterCity({ fieldName: 'citty' }),
  INVALID_FIELD: () => listRecords({ fields: ['city', 'city'] }),
  UNSUPPORTED_OPERATOR: () => filterCity({ operator: '>' }),
  INVALID_FILTER_VALUE: () => filterCity({ fieldName: 'count', value: 'many' }),
  INVALID_AGGREGATION: () => listRecords({ groupBy: [{ fieldName: 'city' }], fields: ['count'] }),
  NOT_ADDITIVE: () => listRecords({ fields: [{ name: 'rating', aggregation: 'SUM' }] }),
  INVALID_FILTER_LOGIC: () => listRecords({ filterLogic: '$0 AND' }),
  BILLING_CONTEXT_MISSING: () => send(METRIC),
  UNKNOWN_COMPONENT: () => searchValues('addressComponentFilter=is_opne:true'),
  UNKNOWN_DIMENSION: () => searchValues('dimensionFilter=opne:true'),
  UNKNOWN_MEASURE: () => searchValues('valueFilter=customer>=1'),
  UNSUPPORTED_FILTER: () => searchValues('addressComponentFilter=note:Bern'),
  INVALID_PERIOD: () => searchValues('observationPeriodFilter=2023-02-29/..'),
  INVALID_BOUNDING_BOX: () =>
    listRecords({ options: { boundingBox: { minLng: 0, minLat: 0, maxLng: 181, maxLat: 1 } } }),
  INVALID_POLYGON: () =>
    listRecords({ options: { polygon: { coordinates: [{ longitude: 0, latitude: 0 }] } } }),
  INVALID_CIRCLE: () =>
    listRecords({ options: { circle: { longitude: 0, latitude: 0, radiusMetres: 0 } } }),
  UNAVAILABLE_OPTION: () =>
    post('listRecords', {
      dataReferenceName: 'shop.codes',
      options: { boundingBox: { minLng: 0, minLat: 0, maxLng: 1, maxLat: 1 } },
    }),
  INVALID_OPTION: () =>
    post('searchFieldValues', {
      dataReferenceName,
      field: 'city',
      options: { orderBy: { fieldName: 'count' } },
    }),
  INVALID_EXPORT: () =>
    post('createRecordsExport', { dataReferenceName, fileConfig: { filenamePrefix: 'a/b' } }),
  EXPORT_NOT_FOUND: () => post('getRecordsExport', { id: 'none' }),
  STATISTICS_UNAVAILABLE: () =>
    send('/v3alpha/catalog/listRecordsStatistics', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dataReferenceName: 'shop.codes' }),
    }),
  INVALID_SEARCH_TERM: () =>
    post('searchFieldValues', { dataReferenceName, field: 'city', term: 'a\0' }),
  INVALID_AS_OF: () => listRecords({ asOf: '2023-02-29' }),
  INVALID_PAGE_TOKEN: () => listRecords({ pageToken: 'AAAA' }),
  TOKEN_MISSING: () => send('/v3/catalog/listRecords', { headers: { authorization: '' } }),
  TOKEN_INVALID: () =>
    send('/v3/catalog/listRecords', { headers: { authorization: 'Bearer lm_wrong' } }),
  TOKEN_EXPIRED: async () => {
    const expired = { organisationId: 'acme', name: 'expired', expiresAfterMs: 1000 };
    const { tokenText, expires = 0 } = data().store.createToken(expired);
    await until(() => Date.now() > expires);
    return post('listDataReferences', {}, { authorization: `Bearer ${tokenText}` });
  },
  SIGN_IN_CODE_INVALID: () => signIn(),
  SIGN_IN_NOT_LOCAL: () => signIn({ 'x-forwarded-for': '127.0.0.1' }),
  ORIGIN_NOT_ALLOWED: () =>
    send('/v1/caller', {
      method: 'OPTIONS',
      headers: { origin: 'https://maps.example', 'access-control-request-method': 'GET' },
    }),
  SCOPE_MISSING: () => send('/v1/admin/organisations'),
  ORGANISATION_SUSPENDED: () => {
    const { store } = data();
    store.createOrganisation({ id: 'paused', name: 'Paused' });
    const { tokenText } = store.createToken({ organisationId: 'paused', name: 'x' });
    store.suspendOrganisation('paused');
    return post('listDataReferences', {}, { authorization: `Bearer ${tokenText}` });
  },
  BILLING_CONTEXT_DENIED: () => listRecords({ billingContext: 'globex' }),
  DATA_REFERENCE_NOT_FOUND: () => listRecords({ dataReferenceName: 'shop.storrs' }),
  CATALOG_NOT_FOUND: () => searchValues('', METRIC.replace('shop', 'shops')),
  FILTER_NOT_ALLOWED: () =>
    askOther(
      {
        grants: [
          {
            ...wholeGrant('some', 'shop/*'),
            lens: { ...WHOLE_LENS, features: ['of no shop'] },
          },
        ],
      },
      `${METRIC}?billingContext=acme&featureFilter=a`,
    ),
  METRIC_NOT_FOUND: () => searchValues('', METRIC.replace('customers', 'customer')),
  VERSION_NOT_FOUND: () => listRecords({ asOf: '2023-12-31' }),
  ORGANISATION_NOT_FOUND: () => admin('organisations/acmee/limits'),
  TOKEN_NOT_FOUND: () => admin('tokens/000000000000/revoke', 'POST', {}),
  GRANT_NOT_FOUND: () => admin('grants/none', 'DELETE'),
  INVALID_GRANT: () => addGrant('shop'),
  INVALID_LIMIT: () => admin('organisations/acme/limits', 'PUT', { rowsPerDay: 0.5 }),
  ORGANISATION_EXISTS: () => admin('organisations', 'POST', { name: 'Acme', id: 'acme' }),
  GRANT_EXISTS: () => addGrant('*'),
  OWN_ORGANISATION: () => admin('organisations/acme/suspend', 'POST', {}),
  SWITCH_REFUSED: () => admin('versions:rollback', 'POST', { dataset: 'shop.stores' }),
  TOKEN_ENDED: () => {
    const { store } = data();
    const { tokenId } = store.createToken({ organisationId: 'acme', name: 'old' });
    store.revokeToken(tokenId);
    return admin(`tokens/${tokenId}/rotate`, 'POST', {});
  },
  CONTROL_STORE_UNUSABLE: askWithoutStore,
  RIGHTS_DAMAGED: askWithDamagedRights,
  ROUTE_NOT_FOUND: () => send('/v3/catalog/listRecord', { method: 'POST' }),
  METHOD_NOT_ALLOWED: () => send('/v3/catalog/listRecords'),
  BODY_TOO_LARGE: () => post('listRecords', ' '.repeat(1024 * 1024 + 1)),
  UNSUPPORTED_MEDIA_TYPE: () => post('listRecords', '{}', { 'content-type': 'text/plain' }),
  NOT_ACCEPTABLE: () =>
    send('/openapi.json', { headers: { 'accept-encoding': 'compress, *;q=0' } }),
  PAGE_TOKEN_EXPIRED: async () => {
    const { body } = await listRecords({ pageSize: 1 });
    const request = { dataReferenceName, pageSize: 1, pageToken: body.nextPageToken };
    return post('listRecords', request, { authorization: `Bearer ${otherToken}` });
  },
  LIMIT_EXCEEDED: () =>
    askOther({ limitsOf: () => ({ rowsPerDay: 0 }) }, `${METRIC}?billingContext=acme`),
  DEADLINE_EXCEEDED: () => askOther({ queryTimeoutMs: 1 }),
  OVERLOADED: () => askOther({ connectionsMax: 0, waitingMax: 0 }),
  USAGE_NOT_RECORDED: askUnrecorded,
  NOT_READY: () => askOther({ isReady: () => false }, '/readyz'),
  INTERNAL: askBroken,
};

let otherToken: string;
const answers = new Map<string, Answer>();

beforeAll(async () => {
  const { store } = data();
  store.createOrganisation({ id: 'initech', name: 'Initech' });
  store.addGrant('initech', wholeGrant('', '*'));
  otherToken = store.createToken({ organisationId: 'initech', name: 'test' }).tokenText;
  for (const [reason, request] of Object.entries(REQUESTS)) answers.set(reason, await request());
});

afterAll(() => answers.clear());

/** Sends a slow request to a server with other options over the same data. */
async function askOther(options: ServerOptions, path = '/v3/catalog/listRecords'): Promise<Answer> {
  const server = await openTestServer(data(), options);
  const values = Array.from({ length: 10_000 }, (_, index) => `city ${index}`);
  const filters = [{ fieldName: 'city', operator: 'in', values }];
  const body = JSON.stringify({ dataReferenceName, filters });
  const headers = { 'content-type': 'application/json' };
  const answer = await server.send(
    path,
    path !== '/v3/catalog/listRecords' ? {} : { method: 'POST', headers, body },
  );
  await server.close();
  return answer;
}

/** A data directory without the files of a current version. */
async function askBroken(): Promise<Answer> {
  const broken = await createTestData();
  await broken.publishFiles(SHOPS);
  await rm(broken.directory.datasetVersions('shop.codes'), { recursive: true });
  const server = await openTestServer(broken);
  const answer = await server.post('listRecords', { dataReferenceName });
  await server.close();
  await broken.remove();
  return answer;
}

/** A data directory without the control store. */
async function askWithoutStore(): Promise<Answer> {
  const bare = await createTestData();
  const server = await openTestServer(bare);
  await rm(bare.directory.control);
  const answer = await server.post('listRecords', { dataReferenceName });
  await server.close();
  await bare.remove();
  return answer;
}

/** A grant whose content has changed on the disk. */
async function askWithDamagedRights(): Promise<Answer> {
  const { store, directory } = data();
  store.createOrganisation({ id: 'unlucky', name: 'Unlucky' });
  const { tokenText } = store.createToken({ organisationId: 'unlucky', name: 'x' });
  store.addGrant('unlucky', wholeGrant('', 'shop/*'));
  damageRow(directory.control, {
    table: 'access_grant',
    organisationId: 'unlucky',
    column: 'pattern',
    value: '*',
  });
  return post('listDataReferences', {}, { authorization: `Bearer ${tokenText}` });
}

/** A data directory with a file in the place of the usage folder. */
async function askUnrecorded(): Promise<Answer> {
  const blocked = await createTestData();
  await blocked.publishFiles(SHOPS);
  await writeFile(blocked.directory.usage.segments, '');
  const server = await openTestServer(blocked);
  const answer = await server.post('listRecords', { dataReferenceName });
  await server.close();
  await blocked.remove();
  return answer;
}

test.each(Object.keys(REQUESTS) as readonly (keyof typeof REQUESTS)[])(
  'the problem %s matches its row of the table of errors',
  (reason) => {
    const { code, httpStatus, title } = ERROR_TABLE[reason];
    const answer = answers.get(reason);
    expect(answer?.body).toMatchObject({
      type: `urn:locmetrics:problem:${reason}`,
      title,
      status: httpStatus,
      code,
      reason,
      hint: expect.stringMatching(/^[^ ].*[.?>`']$/),
      requestId: REQUEST_ID,
    });
    expect(answer?.status).toBe(httpStatus);
    expect(answer?.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer?.headers.get('x-request-id')).toBe(REQUEST_ID);
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test('a problem has a message, a hint and a pointer', () => {
  const said = [...answers].map(([reason, { text }]) => {
    const { detail, hint, errors = [] } = JSON.parse(text);
    const pointers = errors.map(({ pointer }: { pointer: string }) => pointer);
    const shown = detail
      .replace(/ [-0-9]+T00:00:00Z/, ' <midnight>')
      .replace(/ [-0-9]+T[0-9]+:[0-9:.]+Z/, ' <time>')
      // Ids differ in each run.
      .replace(/(these days: |The token )[0-9a-v]{12}/, '$1ID')
      .replace(/[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}/, 'VERSION');
    return [reason, shown, hint, ...pointers];
  });
  expect(said).toMatchInlineSnapshot(`
    [
      [
        "MALFORMED_JSON",
        "The body is not JSON: it is incomplete or has a misplaced character.",
        "Send a JSON object in UTF-8.",
      ],
      [
        "UNKNOWN_REQUEST_FIELD",
        "Unknown field 'pagesize' in the request.",
        "Did you mean 'pageSize'?",
        "/pagesize",
      ],
      [
        "DUPLICATE_REQUEST_FIELD",
        "The field 'pageSize' appears in the request as 'page_size' and as 'pageSize'.",
        "Send it once.",
        "/pageSize",
      ],
      [
        "INVALID_REQUEST",
        "'pageSize' must be a whole number; it is "1".",
        "/openapi.json describes the request.",
        "/pageSize",
      ],
      [
        "INVALID_PAGE_SIZE",
        "The page size -1 is not a whole number of 0 or more.",
        "Send 1 to 10000, or leave it out for 100.",
        "/pageSize",
      ],
      [
        "UNKNOWN_FIELD",
        "Unknown field 'citty' in shop.stores.",
        "Did you mean 'city'?",
        "/filters/0/fieldName",
      ],
      [
        "INVALID_FIELD",
        "The field 'city' is selected twice.",
        "Name each field once.",
        "/fields/1/name",
      ],
      [
        "UNSUPPORTED_OPERATOR",
        "The operator '>' is not supported by the string field 'city'.",
        "Supported: ==, !=, in, not_in, contains, starts_with, ends_with, is_empty, is_not_empty.",
        "/filters/0/operator",
      ],
      [
        "INVALID_FILTER_VALUE",
        "The value 'many' does not fit the integer field 'count'.",
        "Send a whole number such as 1200.",
        "/filters/0/value",
      ],
      [
        "INVALID_AGGREGATION",
        "The field 'count' is neither grouped by nor aggregated.",
        "Add it to groupBy, or give it an aggregation.",
        "/fields/0/name",
      ],
      [
        "NOT_ADDITIVE",
        "SUM of 'rating' would mean nothing: its values cannot be added up (additive: none).",
        "Send MAX, MEDIAN or AVG.",
        "/fields/0/aggregation",
      ],
      [
        "INVALID_FILTER_LOGIC",
        "filterLogic names $0 at position 1, but there is no such filter.",
        "The request has no filters: leave filterLogic out.",
        "/filterLogic",
      ],
      [
        "BILLING_CONTEXT_MISSING",
        "The billingContext is missing.",
        "Send the id of the organisation that the token was issued to.",
        "/billingContext",
      ],
      [
        "UNKNOWN_COMPONENT",
        "The layer 'stores' has no component 'is_opne'.",
        "Did you mean 'is_open'?",
        "/addressComponentFilter/0/component",
      ],
      [
        "UNKNOWN_DIMENSION",
        "The metric 'customers' has no dimension 'opne'.",
        "Did you mean 'open'?",
        "/dimensionFilter/0/dimensionId",
      ],
      [
        "UNKNOWN_MEASURE",
        "The metric 'customers' has no value 'customer'.",
        "Did you mean 'customers'?",
        "/valueFilter/0/valueName",
      ],
      [
        "UNSUPPORTED_FILTER",
        "The component 'note' has the kind free form, which does not support filters.",
        "Filter on a component of another kind; GetLayer returns the kind of each.",
        "/addressComponentFilter/0/component",
      ],
      [
        "INVALID_PERIOD",
        "'2023-02-29' is not a calendar date.",
        "Send a day that exists, such as 2023-01-31.",
        "/observationPeriodFilter/start",
      ],
      [
        "INVALID_BOUNDING_BOX",
        "The degree 181 is not between -180 and 180.",
        "Longitudes are between -180 and 180; a box across the antimeridian has minLng > maxLng.",
        "/options/boundingBox/maxLng",
      ],
      [
        "INVALID_POLYGON",
        "The ring has 1 point.",
        "Send at least 4 points, of which the last repeats the first.",
        "/options/polygon/coordinates",
      ],
      [
        "INVALID_CIRCLE",
        "The radius 0 is not greater than 0 and at most 20015115.",
        "Send the radius in metres: up to half the circumference of the earth, which takes everything.",
        "/options/circle/radiusMetres",
      ],
      [
        "UNAVAILABLE_OPTION",
        "The records of shop.codes have no point, so they cannot be filtered by a bounding box.",
        "Leave boundingBox out; getDataReference lists the available options.",
        "/options/boundingBox",
      ],
      [
        "INVALID_OPTION",
        "The distinct values of 'city' cannot be ordered by 'count'.",
        "One value belongs to many records: order by 'city', or leave orderBy out.",
        "/options/orderBy/fieldName",
      ],
      [
        "INVALID_EXPORT",
        "The prefix 'a/b' is not one of file names.",
        "Use 1 to 100 of A-Z, a-z, 0-9, ., _ and -.",
        "/fileConfig/filenamePrefix",
      ],
      [
        "EXPORT_NOT_FOUND",
        "There is no export 'none'.",
        "listRecordsExports lists those that the token created. An export is removed when it has expired.",
        "/id",
      ],
      [
        "STATISTICS_UNAVAILABLE",
        "The records of shop.codes have no period, so there are no statistics by observation date.",
        "List the records, or group them with groupBy in listRecords.",
        "/dataReferenceName",
      ],
      [
        "INVALID_SEARCH_TERM",
        "The term contains U+0000 or a lone surrogate, which no stored text contains.",
        "Send well-formed Unicode text.",
        "/term",
      ],
      [
        "INVALID_AS_OF",
        "'2023-02-29' is neither a date nor the name of a version.",
        "Send a date YYYY-MM-DD, or the version of an earlier answer.",
        "/asOf",
      ],
      [
        "INVALID_PAGE_TOKEN",
        "The page token was not made by this service.",
        "Send the nextPageToken of the previous page unchanged, or leave it out to start again.",
        "/pageToken",
      ],
      [
        "TOKEN_MISSING",
        "The request has no Authorization header.",
        "Send the header \`Authorization: Bearer <token>\`.",
      ],
      [
        "TOKEN_INVALID",
        "The token is not accepted.",
        "Check that the whole token is sent and nothing else; if so, ask the data owner for a new one.",
      ],
      [
        "TOKEN_EXPIRED",
        "The token expired at <time>.",
        "Ask the data owner for a new one. The time is by the clock of the service.",
      ],
      [
        "SIGN_IN_CODE_INVALID",
        "The sign-in code is not accepted: it was used, has expired, or never existed.",
        "Make a new link on the machine of the service with locmetrics explore, or sign in with a token.",
        "/code",
      ],
      [
        "SIGN_IN_NOT_LOCAL",
        "The request came through a proxy.",
        "A sign-in link works only in a browser on the machine of the service, at its own address. Sign in with a token instead.",
      ],
      [
        "ORIGIN_NOT_ALLOWED",
        "Pages of the origin 'https://maps.example' may not read answers.",
        "The operator of the service allows origins with --cors-origins.",
      ],
      [
        "SCOPE_MISSING",
        "The token does not have the scope 'admin', which is required.",
        "Use a token that has the scope 'admin', or ask the data owner for one.",
      ],
      [
        "ORGANISATION_SUSPENDED",
        "The organisation 'paused' is suspended.",
        "Ask the data owner to resume it. The same token then works again.",
      ],
      [
        "BILLING_CONTEXT_DENIED",
        "The billing context 'globex' is not the organisation of the token.",
        "Send the id of the organisation that the token was issued to.",
      ],
      [
        "DATA_REFERENCE_NOT_FOUND",
        "There is no data reference 'shop.storrs'.",
        "Did you mean 'shop.stores'?",
        "/dataReferenceName",
      ],
      [
        "CATALOG_NOT_FOUND",
        "There is no catalog 'shops'.",
        "Did you mean 'shop'?",
        "/catalogId",
      ],
      [
        "FILTER_NOT_ALLOWED",
        "Your organisation may see only listed values of this filter, and this value is not in the list.",
        "Leave the value out, or send bestEffortQueryWhenNotAllowed to get the part that you may see.",
        "/featureFilter/0",
      ],
      [
        "METRIC_NOT_FOUND",
        "The catalog 'shop' has no metric 'customer'.",
        "Did you mean 'customers'?",
        "/metricId",
      ],
      [
        "VERSION_NOT_FOUND",
        "No version of shop.stores is kept for '2023-12-31'.",
        "Leave asOf out to read the current version.",
        "/asOf",
      ],
      [
        "ORGANISATION_NOT_FOUND",
        "Unknown organisation 'acmee'.",
        "Did you mean 'acme'?",
        "/organisationId",
      ],
      [
        "TOKEN_NOT_FOUND",
        "Unknown token id '000000000000'.",
        "List the tokens to see their ids.",
      ],
      [
        "GRANT_NOT_FOUND",
        "Unknown grant 'none'.",
        "List the grants to see their ids.",
      ],
      [
        "INVALID_GRANT",
        ""shop" is not a pattern.",
        "Write product.dataset or catalog/metric, with a star at the end for any text: ml_visitation.*; or * for everything.",
        "/pattern",
      ],
      [
        "INVALID_LIMIT",
        "rowsPerDay cannot be 0.5.",
        "Choose a whole number of 1 or more, or 0 to remove the limit.",
        "/rowsPerDay",
      ],
      [
        "ORGANISATION_EXISTS",
        "An organisation with the id 'acme' already exists.",
        "Choose another id, or leave it out to have one generated.",
        "/id",
      ],
      [
        "GRANT_EXISTS",
        "The organisation already has a grant of '*' for some of these days: ID.",
        "Replace its terms, or choose other days: a pattern can have only one grant on any day.",
        "/pattern",
      ],
      [
        "OWN_ORGANISATION",
        "The organisation 'acme' is that of the token itself.",
        "Use a token of another organisation, or locmetrics org suspend on the machine of the service.",
        "/organisationId",
      ],
      [
        "SWITCH_REFUSED",
        "No version of shop.stores is kept that was current before VERSION.",
        "Publish the correct data. The setting --versions-kept decides how many older versions are kept.",
      ],
      [
        "TOKEN_ENDED",
        "The token ID is revoked.",
        "A token that has ended cannot be rotated: create a new one.",
      ],
      [
        "CONTROL_STORE_UNUSABLE",
        "The control store cannot be used: its file is missing.",
        "Try again after a second. If the error persists, report it to the operator of the service.",
      ],
      [
        "RIGHTS_DAMAGED",
        "The rights of the organisation 'unlucky' cannot be checked: their stored data are damaged.",
        "Report it to the operator of the service, who can restore them from a backup.",
      ],
      [
        "ROUTE_NOT_FOUND",
        "There is nothing at /v3/catalog/listRecord.",
        "Did you mean '/v3/catalog/listRecords'?",
      ],
      [
        "METHOD_NOT_ALLOWED",
        "/v3/catalog/listRecords does not answer GET.",
        "Send POST.",
      ],
      [
        "BODY_TOO_LARGE",
        "The body is larger than 1 MiB.",
        "Split a long list of values over several requests.",
      ],
      [
        "UNSUPPORTED_MEDIA_TYPE",
        "The body is not declared as JSON.",
        "Send the header Content-Type: application/json.",
      ],
      [
        "NOT_ACCEPTABLE",
        "Accept-Encoding 'compress, *;q=0' accepts no supported encoding.",
        "Leave Accept-Encoding out, or include zstd, br, gzip or identity.",
      ],
      [
        "PAGE_TOKEN_EXPIRED",
        "The page token has expired: the rights of the caller changed.",
        "Send the request without a page token to start again on the current data.",
      ],
      [
        "LIMIT_EXCEEDED",
        "None of the 0 rows a day of your organisation is left. The count restarts at <midnight>.",
        "Wait until then, or ask the data owner for more.",
      ],
      [
        "DEADLINE_EXCEEDED",
        "The query took longer than 1 ms.",
        "Narrow the filters, or ask for fewer records.",
      ],
      [
        "OVERLOADED",
        "Too many queries are waiting for the database.",
        "Try again after a second.",
      ],
      [
        "USAGE_NOT_RECORDED",
        "The usage of the request could not be recorded.",
        "Try again after a second. If the error persists, report it to the operator of the service.",
      ],
      [
        "NOT_READY",
        "Not answering: the engine.",
        "Try again.",
      ],
      [
        "INTERNAL",
        "The service failed to answer.",
        "Try again. If the error persists, report the requestId to the operator of the service.",
      ],
    ]
  `);
});

test('a service that is overloaded or not ready says when to retry', () => {
  expect(answers.get('OVERLOADED')?.headers.get('retry-after')).toBe('1');
  expect(answers.get('NOT_READY')?.headers.get('retry-after')).toBe('1');
  expect(answers.get('DEADLINE_EXCEEDED')?.headers.get('retry-after')).toBeNull();
});

test('an internal error reveals no internals', () => {
  const text = answers.get('INTERNAL')?.text ?? '';
  expect(text).not.toMatch(/shop\.codes|missing|\/tmp|at .*\.ts/);
});

test('the refusal of a wrong method lists the right ones', async () => {
  const { headers } = await send('/v3/catalog/listRecords', { method: 'DELETE' });
  expect(headers.get('allow')).toBe('POST');
  expect((await send('/livez', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
});

test('for an unknown address without a near one, the hint says where addresses are listed', async () => {
  expect(await problemOf(send('/metrics/x'))).toMatchObject({
    reason: 'ROUTE_NOT_FOUND',
    instance: '/metrics/x',
    hint: '/openapi.json lists the paths.',
  });
});

test('a malformed address is unknown', async () => {
  expect(await problemOf(send('/v3/%zz'))).toMatchInlineSnapshot(`
    {
      "code": "NOT_FOUND",
      "detail": "The path of the URL is malformed.",
      "hint": "/openapi.json lists the paths.",
      "http": "404 application/problem+json; charset=utf-8",
      "instance": "/v3/%zz",
      "reason": "ROUTE_NOT_FOUND",
      "requestId": "request-1",
      "status": 404,
      "title": "No such path",
      "type": "urn:locmetrics:problem:ROUTE_NOT_FOUND",
      "x-request-id": "request-1",
    }
  `);
});

test('the query string is not repeated in a refusal', async () => {
  const { text } = await send('/v3/nothing?secret=1');
  expect(JSON.parse(text)).toMatchObject({ instance: '/v3/nothing' });
  expect(text).not.toContain('secret');
});

test('a page token of another request is refused', async () => {
  const { body } = await listRecords({ pageSize: 1 });
  expect(
    await problemOf(listRecords({ pageSize: 1, pageToken: body.nextPageToken, fields: ['city'] })),
  ).toMatchObject({
    reason: 'INVALID_PAGE_TOKEN',
    detail: 'The page token belongs to another request.',
  });
});

test('a page token of another call is refused', async () => {
  const { body } = await listRecords({ pageSize: 1 });
  expect(
    await problemOf(
      post('searchFieldValues', {
        dataReferenceName,
        field: 'city',
        pageSize: 1,
        pageToken: body.nextPageToken,
      }),
    ),
  ).toMatchObject({ reason: 'INVALID_PAGE_TOKEN' });
});

test('a page token with one character changed is refused', async () => {
  const { body } = await listRecords({ pageSize: 1 });
  const [first = ''] = body.nextPageToken;
  const forged = `${first === 'A' ? 'B' : 'A'}${body.nextPageToken.slice(1)}`;
  expect(await problemOf(listRecords({ pageSize: 1, pageToken: forged }))).toMatchObject({
    reason: 'INVALID_PAGE_TOKEN',
    detail: 'The page token was not made by this service.',
  });
});

test.each(['A'.repeat(8193), '!', 'ÄÖÜ', ' ', '__proto__'])(
  'the page token %.20s is refused',
  async (pageToken) => {
    expect(await problemOf(listRecords({ pageToken }))).toMatchObject({
      status: 400,
      errors: [{ pointer: '/pageToken' }],
    });
  },
);

test('the page size may change between pages', async () => {
  const { body } = await listRecords({ pageSize: 1 });
  const next = await listRecords({ pageSize: 2, pageToken: body.nextPageToken });
  expect(next.body.records).toHaveLength(2);
});
