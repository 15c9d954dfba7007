import { DatabaseSync } from 'node:sqlite';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { SCOPES } from '@locmetrics/core/domain/scope';
import { createTokenText } from '@locmetrics/server/auth/token-text';
import { describe, expect, test } from 'vitest';
import { changeByHand } from '../auth/change-by-hand.ts';
import { runSecondProcess } from '../auth/run-second-process.ts';
import { schemaErrors } from './openapi/described-schema.ts';
import { SHOPS } from './shops.ts';
import { useTestServer } from './test-server.ts';

const { data, send, post, ask, refusal, logText } = useTestServer((to) => to.publishFiles(SHOPS));

const { listDataReferences } = catalogV3.CatalogQuery.method;

type Sent = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

async function admin(
  method: string,
  path: string,
  body?: unknown,
  token = data().adminToken,
): Promise<Sent & { readonly headers: Headers }> {
  const { status, text, headers } = await send(`/v1/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = JSON.parse(text);
  if (status === 200) await expectDescribed(method, path, answer);
  return { status, body: answer, headers };
}

/** Checks that each answer matches the OpenAPI document, with no other member. */
async function expectDescribed(method: string, path: string, answer: unknown): Promise<void> {
  const document = JSON.parse((await send('/openapi.json')).text);
  const { paths } = document;
  const segments = `/v1/admin/${path}`.split('?')[0]?.split('/') ?? [];
  const isHere = (shown: string) => {
    const known = shown.split('/');
    const matches = known.map((one, index) => one.startsWith('{') || one === segments[index]);
    return known.length === segments.length && matches.every(Boolean);
  };
  const shown = Object.keys(paths).find(isHere) ?? '';
  const { schema } = paths[shown][method.toLowerCase()].responses[200].content['application/json'];
  expect(schemaErrors(document, schema)(answer)).toBe('');
}

const ROUTES: readonly (readonly [method: string, path: string, body: unknown])[] = [
  ['GET', 'organisations', undefined],
  ['POST', 'organisations', { name: 'Evil', id: 'evil' }],
  ['POST', 'organisations/acme/suspend', {}],
  ['POST', 'organisations/acme/resume', {}],
  ['GET', 'tokens', undefined],
  ['POST', 'tokens', { organisationId: 'acme', name: 'evil', scopes: ['admin'] }],
  ['POST', 'tokens/000000000000/rotate', {}],
  ['POST', 'tokens/000000000000/revoke', {}],
  ['GET', 'grants', undefined],
  ['POST', 'grants', { organisationId: 'acme', pattern: '*.*' }],
  ['PUT', 'grants/000000000000', { pattern: '*.*' }],
  ['DELETE', 'grants/000000000000', undefined],
  ['GET', 'organisations/acme/limits', undefined],
  ['PUT', 'organisations/acme/limits', { burst: 1, requestsPerSecond: 1 }],
  ['GET', 'audit', undefined],
  ['GET', 'versions', undefined],
  ['GET', 'versions/shop.stores/none/report', undefined],
  ['GET', 'versions/shop.stores/diff', undefined],
  ['POST', 'versions:rollback', { dataset: 'shop.stores' }],
  ['POST', 'preview/listDataReferences', { organisationId: 'acme' }],
  ['POST', 'preview/getDataReference', { organisationId: 'acme', name: 'shop.stores' }],
  ['POST', 'preview/listRecords', { organisationId: 'acme', dataReferenceName: 'shop.stores' }],
  ['POST', 'preview/checkGrantValues', { grant: { pattern: 'shop.stores' } }],
  [
    'POST',
    'preview/searchGrantValues',
    { pattern: 'shop.stores', member: 'filters', name: 'city', query: 'z' },
  ],
  ['POST', 'explain/listRecords', { dataReferenceName: 'shop.stores' }],
  ['POST', 'explain/listRecordsStatistics', { dataReferenceName: 'shop.stores' }],
  [
    'POST',
    'explain/getLayerStats',
    { dataReferenceName: 'shop.stores', observationDate: '2023-01-01' },
  ],
  ['POST', 'explain/searchFieldValues', { dataReferenceName: 'shop.stores', field: 'city' }],
  ['POST', 'explain/searchMetricValues', { catalogId: 'shop', metricId: 'customers' }],
  ['POST', 'explain/searchMetricAggregates', { catalogId: 'shop', metricId: 'customers' }],
  ['GET', 'usage', undefined],
];

/** Every set of scopes without `admin`. The empty set is possible only in the file. */
const LOWER_SCOPES = Array.from({ length: 16 }, (_, bits) =>
  SCOPES.filter((scope, index) => scope !== 'admin' && (bits & (1 << index)) !== 0),
);

const ALL_LOWER_SCOPES = LOWER_SCOPES.at(-1)?.join(',');

describe('the admin interface', () => {
  test('has only the routes that are tested here', async () => {
    const { paths } = JSON.parse((await send('/openapi.json')).text);
    const described = Object.entries<object>(paths)
      .filter(([path]) => path.startsWith('/v1/admin/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
    const tested = ROUTES.map(([method, path]) => {
      const shown = path
        .replace('tokens/000000000000', 'tokens/{tokenId}')
        .replace('grants/000000000000', 'grants/{grantId}')
        .replace('organisations/acme', 'organisations/{organisationId}')
        .replace('shop.stores', '{dataset}')
        .replace('none', '{version}');
      return `${method} /v1/admin/${shown}`;
    });
    expect(described.sort()).toEqual(tested.sort());
  });

  test.each(ROUTES)('%s %s is refused without a token', async (method, path, body) => {
    const { status, text } = await send(`/v1/admin/${path}`, {
      method,
      headers: { authorization: '', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([status, JSON.parse(text).reason]).toEqual([401, 'TOKEN_MISSING']);
  });

  describe.each(LOWER_SCOPES.map((scopes) => scopes.join(',')))('with the scopes %j', (scopes) => {
    // None and all of them are tried in each run, and those between in test:all.
    const tags = scopes === '' || scopes === ALL_LOWER_SCOPES ? [] : ['slow'];
    test('is refused on every route, and changes nothing', { tags }, async () => {
      const { store, directory } = data();
      const { tokenText, tokenId } = store.createToken({ organisationId: 'acme', name: 'lower' });
      changeByHand(directory.control, (file) =>
        file.prepare('UPDATE token SET scopes = ? WHERE id = ?').run(scopes, tokenId),
      );
      const before = store.listAudit({ limit: 1000 });
      for (const [method, path, body] of ROUTES) {
        const { status, body: problem, headers } = await admin(method, path, body, tokenText);
        expect([status, problem['reason'], headers.get('www-authenticate')]).toEqual([
          403,
          'SCOPE_MISSING',
          'Bearer realm="locmetrics", error="insufficient_scope", scope="admin"',
        ]);
      }
      expect(store.listAudit({ limit: 1000 })).toEqual(before);
    });
  });

  test('a token with only the scope admin gives no access to data', async () => {
    const headers = { authorization: `Bearer ${data().adminToken}` };
    expect((await post('listDataReferences', {}, headers)).body.reason).toBe('SCOPE_MISSING');
  });
});

describe('organisations', () => {
  test('are created and listed', async () => {
    const { body } = await admin('POST', 'organisations', { name: 'Globex', id: 'globex' });
    expect(body).toEqual({
      id: 'globex',
      name: 'Globex',
      created: expect.stringMatching(/Z$/),
      suspended: null,
    });
    const { organisations } = (await admin('GET', 'organisations')).body;
    expect(organisations).toContainEqual(body);
  });

  test('are suspended and resumed with the next request, on both edges, and logged', async () => {
    const { store } = data();
    store.createOrganisation({ id: 'initech', name: 'Initech' });
    const { tokenText } = store.createToken({ organisationId: 'initech', name: 'x' });
    const authorization = `Bearer ${tokenText}`;
    const listed = () => post('listDataReferences', {}, { authorization });
    const change = (to: string) => admin('POST', `organisations/initech/${to}`, {});
    expect((await listed()).status).toBe(200);

    const { body } = await change('suspend');
    expect(body).toMatchObject({ id: 'initech', suspended: expect.stringMatching(/Z$/) });
    expect((await change('suspend')).body).toEqual(body);
    const { body: shown } = await admin('GET', 'organisations');
    expect(shown['organisations']).toContainEqual(body);
    const refused = await listed();
    expect(refused.headers.get('www-authenticate')).toBeNull();
    expect(refused.body).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
      reason: 'ORGANISATION_SUSPENDED',
      detail: "The organisation 'initech' is suspended.",
      hint: 'Ask the data owner to resume it. The same token then works again.',
    });
    const overGrpc = await refusal(listDataReferences, {}, { metadata: { authorization } });
    expect(overGrpc).toMatchObject({ reason: 'ORGANISATION_SUSPENDED' });
    expect(logText()).toContain('"tokenRefusal":"suspended"');

    expect((await change('resume')).body).toEqual({ ...body, suspended: null });
    expect((await listed()).status).toBe(200);
    await ask(listDataReferences, {}, { metadata: { authorization } });
    const { entries } = (await admin('GET', 'audit?organisationId=initech')).body;
    const by = { kind: 'token', organisationId: 'acme' };
    expect(entries).toMatchObject([
      { action: 'organisation.resume', subject: 'initech', actor: by },
      { action: 'organisation.suspend', subject: 'initech', actor: by },
      { action: 'token.create' },
      { action: 'organisation.create' },
    ]);
  });

  test('cannot suspend themselves', async () => {
    const { body } = await admin('POST', 'organisations/acme/suspend', {});
    expect(body).toMatchObject({
      status: 409,
      reason: 'OWN_ORGANISATION',
      detail: "The organisation 'acme' is that of the token itself.",
    });
    expect((await admin('GET', 'organisations')).status).toBe(200);
  });

  test('that do not exist cannot be suspended', async () => {
    const { body } = await admin('POST', 'organisations/acmee/suspend', {});
    expect(body).toMatchObject({ reason: 'ORGANISATION_NOT_FOUND', hint: "Did you mean 'acme'?" });
  });

  test.each<[Readonly<Record<string, unknown>>, string, string]>([
    [{}, 'INVALID_REQUEST', '/name'],
    [{ name: ' ' }, 'INVALID_REQUEST', '/name'],
    [{ name: 'X', id: 'a/b' }, 'INVALID_REQUEST', '/id'],
    [{ name: 'X', id: 'acme' }, 'ORGANISATION_EXISTS', '/id'],
    [{ name: 'X', ID: 'x' }, 'UNKNOWN_REQUEST_FIELD', '/ID'],
    [{ name: 7 }, 'INVALID_REQUEST', '/name'],
  ])('are refused with %j', async (given, reason, pointer) => {
    const { body } = await admin('POST', 'organisations', given);
    expect(body).toMatchObject({ reason, errors: [{ pointer }] });
  });

  test('a parameter in the address is refused', async () => {
    const { body } = await admin('GET', 'organisations?token=x');
    expect(body['reason']).toBe('UNKNOWN_REQUEST_FIELD');
  });
});

describe('tokens', () => {
  const create = async (more: Readonly<Record<string, unknown>> = {}): Promise<Sent['body']> =>
    (await admin('POST', 'tokens', { organisationId: 'acme', name: 'made', ...more })).body;

  test('are created, work, are listed without their text, and are revoked at once', async () => {
    const made = await create({ scopes: ['catalog'], expires_after: '1d' });
    const token = String(made['token']);
    const headers = { authorization: `Bearer ${token}` };
    expect((await post('listDataReferences', {}, headers)).status).toBe(200);

    const { tokens } = (await admin('GET', 'tokens?organisation_id=acme')).body;
    expect(JSON.stringify(tokens)).not.toContain(token);
    expect(tokens).toContainEqual(
      expect.objectContaining({ tokenId: made['tokenId'], scopes: ['catalog'], state: 'active' }),
    );

    const { body } = await admin('POST', `tokens/${made['tokenId']}/revoke`);
    expect(body).toEqual({ tokenId: made['tokenId'], revoked: expect.stringMatching(/Z$/) });
    expect((await post('listDataReferences', {}, headers)).body.reason).toBe('TOKEN_INVALID');
    expect(logText()).not.toContain(token);
  });

  test('have the scopes of a customer by default', async () => {
    expect((await create())['scopes']).toEqual(['catalog', 'metrics', 'usage']);
  });

  test.each<[Readonly<Record<string, unknown>>, string, string]>([
    [{ scopes: ['catalog', 'metric'] }, "Did you mean 'metrics'?", '/scopes/1'],
    [{ scopes: [] }, 'Name at least one of catalog, metrics, usage, operate, admin.', '/scopes'],
    [{ expiresAfter: '90' }, 'Write a whole number of ms, s, m, h, d or w', '/expiresAfter'],
    [{ name: '' }, 'Choose a name that is not blank.', '/name'],
  ])('are refused with %j', async (given, hint, pointer) => {
    const body = await create(given);
    expect(body).toMatchObject({
      reason: 'INVALID_REQUEST',
      hint: expect.stringContaining(hint),
      errors: [{ pointer }],
    });
  });

  test('of an organisation that does not exist are refused with the nearest id', async () => {
    const body = await create({ organisationId: 'acmee' });
    expect(body).toMatchObject({
      status: 404,
      reason: 'ORGANISATION_NOT_FOUND',
      hint: "Did you mean 'acme'?",
      errors: [{ pointer: '/organisationId' }],
    });
  });

  test('are named only by their id: the text of a token in an address is refused', async () => {
    const text = createTokenText();
    const { status } = await admin('POST', `tokens/${text}/revoke`, {});
    expect(status).toBe(400);
    expect(logText()).not.toContain(text);
  });

  test('both tokens work on both edges during the overlap, then the old one ends', async () => {
    const old = await create({ name: 'rotated' });
    const { body } = await admin('POST', `tokens/${old['tokenId']}/rotate`, { overlap: '1h' });
    expect(body).toMatchObject({
      token: expect.stringMatching(/^lm_/),
      scopes: old['scopes'],
      expires: null,
      replaced: { tokenId: old['tokenId'], expires: expect.stringMatching(/Z$/) },
    });
    const untilEndMs = Date.parse(Object(body['replaced']).expires) - Date.now();
    expect(untilEndMs).toBeGreaterThan(3_500_000);
    expect(untilEndMs).toBeLessThanOrEqual(3_600_000);
    for (const token of [old['token'], body['token']]) {
      const authorization = `Bearer ${token}`;
      expect((await post('listDataReferences', {}, { authorization })).status).toBe(200);
      const { message } = await ask(listDataReferences, {}, { metadata: { authorization } });
      expect(message.dataReferences.length).toBeGreaterThan(0);
    }
    const again = await admin('POST', `tokens/${old['tokenId']}/rotate`, {});
    expect(again.body).toMatchObject({
      reason: 'TOKEN_ENDED',
      hint: `Rotate ${body['tokenId']} instead.`,
    });
  });

  test('without an overlap the old token ends at once on both edges', async () => {
    const old = await create({ name: 'leaked' });
    await admin('POST', `tokens/${old['tokenId']}/rotate`, { overlap: '0s' });
    const authorization = `Bearer ${old['token']}`;
    expect((await post('listDataReferences', {}, { authorization })).body.reason).toBe(
      'TOKEN_EXPIRED',
    );
    expect((await refusal(listDataReferences, {}, { metadata: { authorization } })).reason).toBe(
      'TOKEN_EXPIRED',
    );
  });
});

describe('grants', () => {
  const add = (more: Readonly<Record<string, unknown>>) =>
    admin('POST', 'grants', { organisationId: 'acme', ...more });

  test('are added in both spellings, listed and removed', async () => {
    const { body } = await add({
      pattern: 'shop.stores',
      filters: [{ field_name: 'city', operator: '==', value: 'Bern' }],
      fields: ['city', 'count'],
      from: '2020-01-01',
      until: '2099-12-31',
      shows_small_cells: true,
    });
    const grant = {
      grantId: expect.stringMatching(/^[0-9a-v]{12}$/),
      organisationId: 'acme',
      pattern: 'shop.stores',
      created: expect.stringMatching(/Z$/),
      from: '2020-01-01',
      until: '2099-12-31',
      filters: [{ fieldName: 'city', operator: '==', value: 'Bern', values: [] }],
      fields: ['city', 'count'],
      observationPeriodFilter: {},
      addressComponentFilter: [],
      dimensionFilter: [],
      featureFilter: [],
      relatedAddressComponentFilter: [],
      relatedFeatureFilter: [],
      showsSmallCells: true,
      liftsDefaultFilters: false,
    };
    expect(body).toEqual({ grant, names: ['shop.stores'] });
    expect((await admin('GET', 'grants?organisationId=acme')).body['grants']).toContainEqual({
      ...grant,
      state: 'fits',
      fits: [{ name: 'shop.stores', isSeen: true, problems: [] }],
    });
    const { grantId } = Object(body['grant']);
    expect((await admin('DELETE', `grants/${grantId}`)).body).toEqual({ grant });
    expect((await admin('DELETE', `grants/${grantId}`)).body['reason']).toBe('GRANT_NOT_FOUND');
  });

  test('of metrics are narrowed with the filters of a request for values', async () => {
    const { body } = await add({
      pattern: 'shop/*',
      addressComponentFilter: [{ component: 'is_open', values: ['true'] }],
      dimensionFilter: [{ dimensionId: 'open', values: ['true'] }],
      observationPeriodFilter: { start: { year: 2024, month: 1, day: 1 } },
      featureFilter: ['1'],
      fields: ['customers', 'is_open'],
    });
    expect(body).toMatchObject({
      names: ['shop/customers'],
      grant: {
        observationPeriodFilter: { start: '2024-01-01' },
        addressComponentFilter: [{ component: 'is_open', values: ['true'] }],
      },
    });
    await admin('DELETE', `grants/${Object(body['grant']).grantId}`);
  });

  test('of unpublished data are added, and match nothing yet', async () => {
    const { body } = await add({ pattern: 'later.*', filters: [] });
    expect(body['names']).toEqual([]);
    await admin('DELETE', `grants/${Object(body['grant']).grantId}`);
  });

  test.each<[Readonly<Record<string, unknown>>, string, string]>([
    [{ pattern: 'shop' }, 'INVALID_GRANT', '/pattern'],
    [{ pattern: 'sh*.stores' }, 'INVALID_GRANT', '/pattern'],
    [{ pattern: '' }, 'INVALID_GRANT', '/pattern'],
    [{ pattern: '*', fields: ['city'] }, 'INVALID_GRANT', '/fields'],
    [{ pattern: 'shop.stores', fields: [] }, 'INVALID_GRANT', '/fields'],
    [{ pattern: 'shop.stores', featureFilter: ['1'] }, 'INVALID_GRANT', '/featureFilter'],
    [{ pattern: 'shop.*', liftsDefaultFilters: true }, 'INVALID_GRANT', '/liftsDefaultFilters'],
    [{ pattern: 'shop.stores', fields: ['citty'] }, 'UNKNOWN_FIELD', '/fields/0'],
    [{ pattern: 'shop/customers', fields: ['custumers'] }, 'UNKNOWN_FIELD', '/fields/0'],
    [{ pattern: 'shop/customers', fields: ['is_open'] }, 'INVALID_GRANT', '/fields'],
    [
      { pattern: 'shop/*', addressComponentFilter: [{ component: 'is_opne', values: ['x'] }] },
      'UNKNOWN_COMPONENT',
      '/addressComponentFilter/0/component',
    ],
    [
      { pattern: 'shop/*', dimensionFilter: [{ dimensionId: 'opne', values: ['x'] }] },
      'UNKNOWN_DIMENSION',
      '/dimensionFilter/0/dimensionId',
    ],
    [
      { pattern: 'shop/*', observationPeriodFilter: { start: '2024-02-01', end: '2024-01-01' } },
      'INVALID_PERIOD',
      '/observationPeriodFilter',
    ],
    [
      { pattern: 'shop.stores', filters: [{ fieldName: 'city', operator: '>', value: 'x' }] },
      'UNSUPPORTED_OPERATOR',
      '/filters/0/operator',
    ],
    [
      { pattern: 'shop.stores', filters: [{ fieldName: 'count', operator: '==', value: 'x' }] },
      'INVALID_FILTER_VALUE',
      '/filters/0/value',
    ],
    [
      {
        pattern: 'shop.stores',
        filters: [{ fieldName: 'count', operator: '==', value: '9223372036854775808' }],
      },
      'INVALID_FILTER_VALUE',
      '/filters/0/value',
    ],
    [{ pattern: 'shop.stores', from: '2024-02-30' }, 'INVALID_PERIOD', '/from'],
    [{ pattern: 'shop.stores', until: '2001-01-01' }, 'INVALID_PERIOD', '/until'],
    [
      { pattern: 'shop.stores', from: '2099-01-02', until: '2099-01-01' },
      'INVALID_PERIOD',
      '/until',
    ],
    [{ pattern: '*' }, 'GRANT_EXISTS', '/pattern'],
    [
      { pattern: 'shop.stores', organisationId: 'nobody' },
      'ORGANISATION_NOT_FOUND',
      '/organisationId',
    ],
    [{ pattern: 'shop.stores', filter: [] }, 'UNKNOWN_REQUEST_FIELD', '/filter'],
  ])('are refused with %j', async (given, reason, pointer) => {
    const { store } = data();
    const before = store.listGrants();
    expect((await add(given)).body).toMatchObject({ reason, errors: [{ pointer }] });
    expect(store.listGrants()).toEqual(before);
  });
});

describe('limits', () => {
  const PATH = 'organisations/acme/limits';

  test('are set as a whole, and apply to the next request', async () => {
    const { body } = await admin('PUT', PATH, {
      requests_per_second: 0.5,
      burst: 3,
      rowsPerDay: 9,
      viewedRowsPerDay: 4,
    });
    const limits = {
      organisationId: 'acme',
      requestsPerSecond: 0.5,
      burst: 3,
      rowsPerDay: 9,
      rowsPerMonth: null,
      concurrentQueries: null,
      viewedRowsPerDay: 4,
    };
    expect(body).toEqual(limits);
    expect((await admin('GET', PATH)).body).toEqual(limits);
    const lookup = data().store.findCaller(data().token);
    expect(lookup).toMatchObject({
      caller: { rights: { limits: { requestsPerSecond: 0.5, burst: 3, rowsPerDay: 9 } } },
    });
    expect((await admin('PUT', PATH, {})).body).toEqual({
      ...limits,
      requestsPerSecond: null,
      burst: null,
      rowsPerDay: null,
      viewedRowsPerDay: null,
    });
  });

  test.each([undefined, '', 'null'])(
    'are not removed by a request without a body, such as %j',
    async (body) => {
      const { body: before } = await admin('PUT', PATH, { rowsPerDay: 9 });
      const sent = await send(`/v1/admin/${PATH}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${data().adminToken}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      });
      expect(sent.status).toBe(400);
      expect(JSON.parse(sent.text)).toMatchObject({
        reason: 'INVALID_REQUEST',
        detail: 'The request has no body.',
        hint: 'Send a JSON object. To clear everything, send the empty object {}.',
      });
      expect((await admin('GET', PATH)).body).toEqual(before);
      expect((await admin('PUT', PATH, {})).body).toMatchObject({ rowsPerDay: null });
    },
  );

  test.each<[Readonly<Record<string, unknown>>, string]>([
    [{ rowsPerDay: -1 }, '/rowsPerDay'],
    [{ rowsPerMonth: 1.5 }, '/rowsPerMonth'],
    [{ requestsPerSecond: 1_000_001 }, '/requestsPerSecond'],
    [{ burst: 1 }, '/burst'],
  ])('are refused with %j', async (given, pointer) => {
    expect((await admin('PUT', PATH, given)).body).toMatchObject({
      reason: 'INVALID_LIMIT',
      errors: [{ pointer }],
    });
  });
});

describe('the audit log', () => {
  test('names the token and its organisation, and is paged', async () => {
    await admin('POST', 'organisations', { name: 'Audited', id: 'audited' });
    await admin('PUT', 'organisations/audited/limits', { rowsPerDay: 5 });
    const made = await admin('POST', 'tokens', { organisationId: 'audited', name: 'x' });
    const first = await admin('GET', 'audit?organisationId=audited&pageSize=2');
    const { nextPageToken } = first.body;
    const second = await admin(
      'GET',
      `audit?organisation_id=audited&page_size=2&page_token=${nextPageToken}`,
    );
    const entries = [first, second].flatMap(({ body }) => Object(body['entries']));
    expect(entries.map(({ action }) => action)).toEqual([
      'token.create',
      'limits.set',
      'organisation.create',
    ]);
    expect(second.body['nextPageToken']).toBe('');
    const { tokenId } = data()
      .store.listTokens()
      .find(({ name }) => name === 'admin') ?? { tokenId: '' };
    for (const { actor } of entries) {
      expect(actor).toEqual({ kind: 'token', tokenId, organisationId: 'acme' });
    }
    expect(JSON.stringify(entries)).not.toContain(made.body['token']);
  });

  test.each([
    ['pageSize=-1', 'INVALID_PAGE_SIZE'],
    ['pageToken=x', 'INVALID_PAGE_TOKEN'],
    ['since=yesterday', 'INVALID_PERIOD'],
    ['organisationId=nobody', 'ORGANISATION_NOT_FOUND'],
  ])('is refused with %s', async (query, reason) => {
    expect((await admin('GET', `audit?${query}`)).body['reason']).toBe(reason);
  });
});

test('changes of another process apply to the next request', async () => {
  const { store, directory } = data();
  const made = store.createToken({ organisationId: 'acme', name: 'elsewhere' });
  const authorization = `Bearer ${made.tokenText}`;
  expect((await post('listDataReferences', {}, { authorization })).status).toBe(200);
  await runSecondProcess(directory.control, 'revokeToken', made.tokenId);
  expect((await post('listDataReferences', {}, { authorization })).status).toBe(401);
});

test('a control store locked by another process is reported as such, and does not delay other requests', {
  tags: 'slow',
}, async () => {
  const { store, directory } = data();
  const other = new DatabaseSync(directory.control);
  other.exec('BEGIN IMMEDIATE');
  const changing = admin('POST', 'organisations', { name: 'Late' });
  const first = await Promise.race([changing, post('listDataReferences', {})]);
  expect(first.status).toBe(200);
  const { status, body, headers } = await changing;
  other.exec('ROLLBACK');
  other.close();
  expect([status, body['reason'], headers.get('retry-after')]).toEqual([
    503,
    'CONTROL_STORE_LOCKED',
    '1',
  ]);
  expect(store.listOrganisations().map(({ name }) => name)).not.toContain('Late');
});

test('token texts that were never issued are all refused with the same message', async () => {
  const answers = new Set<string>();
  for (let count = 0; count < 200; count += 1) {
    const authorization = `Bearer ${createTokenText()}`;
    const { text } = await post('listDataReferences', {}, { authorization });
    answers.add(text);
  }
  expect([...answers]).toEqual([expect.stringContaining('TOKEN_INVALID')]);
});

test.each(['access_token', 'token'])(
  'a token in the address as %s is not accepted',
  async (name) => {
    const { adminToken } = data();
    const path = `/v1/admin/organisations?${name}=${adminToken}`;
    const { status, body } = await send(path, { headers: { authorization: '' } });
    expect([status, body.reason]).toEqual([401, 'TOKEN_MISSING']);
    expect(logText()).not.toContain(adminToken);
  },
);
