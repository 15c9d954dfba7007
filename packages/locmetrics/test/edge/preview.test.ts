import { wholeGrant } from '@locmetrics/core/domain/grant';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import { expect, test } from 'vitest';
import { whereIn } from '../conformance/filter-clause.ts';
import type { TestData } from './test-data.ts';
import { type Answer, useTestServer } from './test-server.ts';
import { VISITS } from './visits.ts';

const ORGANISATIONS = ['whole', 'narrow', 'ended', 'misfit', 'nothing', 'suspended'] as const;
const tokens = new Map<string, string>();
const { data, send } = useTestServer(publish, {
  limitsOf: (id) => (id === 'whole' ? { rowsPerDay: 1 } : {}),
});

async function publish(to: TestData): Promise<void> {
  await to.publishFiles(VISITS);
  const { store } = to;
  for (const id of ORGANISATIONS) {
    store.createOrganisation({ id, name: id });
    tokens.set(id, store.createToken({ organisationId: id, name: 'x' }).tokenText);
  }
  store.addGrant('whole', wholeGrant('', '*'));
  store.addGrant('narrow', NARROW);
  store.addGrant('misfit', { ...NARROW, filters: [whereIn('gone', 'in', ['x'])] });
  store.addGrant('suspended', wholeGrant('', '*'));
  store.suspendOrganisation('suspended');
  const earlier = openControlStore(to.directory.control, { clock: () => 0 });
  earlier.addGrant('ended', { ...wholeGrant('', '*'), ends: 1_000 });
  earlier.close();
}

/** The places of one city, without their size. */
const NARROW = {
  ...wholeGrant('', 'park.places'),
  filters: [whereIn('city', 'in', ['Sunny'])],
  fields: ['id', 'name', 'city'],
};
const NARROW_BODY = {
  pattern: 'park.places',
  filters: [{ fieldName: 'city', operator: 'in', values: ['Sunny'] }],
  fields: ['id', 'name', 'city'],
};

type Body = Readonly<Record<string, unknown>>;

function post(path: string, body: Body, token: string): Promise<Answer> {
  return send(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const own = (operation: string, organisationId: string, body: Body) =>
  post(`/v3/catalog/${operation}`, body, tokens.get(organisationId) ?? '');

const preview = (operation: string, organisationId: string, body: Body) =>
  post(`/v1/admin/preview/${operation}`, { organisationId, ...body }, data().adminToken);

/** The status and what the answer says, without what names the request or its sender. */
function saidBy({ status, text }: Answer): unknown {
  const { instance, hint, nextPageToken, ...body } = JSON.parse(text);
  const advice = body.reason === 'ORGANISATION_SUSPENDED' ? undefined : hint;
  return { status, advice, hasMore: Boolean(nextPageToken), ...body };
}

const PLACES = { dataReferenceName: 'park.places' };
const REQUESTS: readonly (readonly [operation: string, body: Body])[] = [
  ['listDataReferences', {}],
  ['getDataReference', { name: 'park.places' }],
  ['getDataReference', {}],
  ['listRecords', PLACES],
  ['listRecords', { ...PLACES, pageSize: 1, typedValues: true }],
  ['listRecords', { ...PLACES, pageSize: -1 }],
  ['listRecords', { ...PLACES, countOnly: true }],
  ['listRecords', { ...PLACES, filters: [{ fieldName: 'size', operator: '>=', value: '0' }] }],
  ['listRecords', { ...PLACES, filters: [{ fieldName: 'city', operator: '!=', value: 'x' }] }],
];
const CASES = ORGANISATIONS.filter((id) => id !== 'whole').flatMap((id) =>
  REQUESTS.map(([operation, body]) => ({ id, operation, body })),
);

test.each(CASES)(
  '$id gets what is previewed: $operation $body',
  async ({ id, operation, body }) => {
    const answers = await Promise.all([own(operation, id, body), preview(operation, id, body)]);
    const [expected, previewed] = answers.map(saidBy);
    expect(previewed).toEqual(expected);
  },
);

test('the narrow organisation sees other rows and fields than everybody', async () => {
  const { text } = await preview('listRecords', 'narrow', PLACES);
  const { records } = JSON.parse(text);
  expect(records.length).toBeGreaterThan(0);
  for (const { fields } of records) {
    expect(fields).toEqual({ id: expect.any(String), name: expect.any(String), city: 'Sunny' });
  }
  const whole = JSON.parse((await preview('listRecords', 'whole', PLACES)).text);
  expect(whole.totalSize).toBeGreaterThan(records.length);
});

test('a grant is previewed in place of the one that it replaces', async () => {
  const { store, adminToken } = data();
  store.createOrganisation({ id: 'edited', name: 'Edited' });
  const { grantId } = store.addGrant('edited', NARROW).grant;
  const wider = { ...NARROW_BODY, fields: undefined };
  const asked = { ...PLACES, grant: wider };
  const refused = await preview('listRecords', 'edited', asked);
  expect(JSON.parse(refused.text).reason).toBe('GRANT_EXISTS');
  const replaced = { ...asked, replacedGrantId: grantId };
  const previewed = JSON.parse((await preview('listRecords', 'edited', replaced)).text);
  expect(Object.keys(previewed.records[0].fields)).toContain('size');
  const without = { ...PLACES, replacedGrantId: grantId };
  expect((await preview('listRecords', 'edited', without)).status).toBe(404);
  const unknown = { ...PLACES, replacedGrantId: 'nothing' };
  const { text } = await preview('listRecords', 'edited', unknown);
  expect(JSON.parse(text)).toMatchObject({ reason: 'GRANT_NOT_FOUND' });

  const { status, text: answer } = await send(`/v1/admin/grants/${grantId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(wider),
  });
  expect([status, JSON.parse(answer)]).toMatchObject([
    200,
    {
      grant: { grantId, organisationId: 'edited', fields: null },
      before: { grantId, fields: ['id', 'name', 'city'] },
      names: ['park.places'],
    },
  ]);
});

test('a suspended organisation is refused as its tokens are', async () => {
  const { status, text } = await preview('listRecords', 'suspended', PLACES);
  expect([status, JSON.parse(text)]).toMatchObject([
    403,
    {
      reason: 'ORGANISATION_SUSPENDED',
      detail: "The organisation 'suspended' is suspended.",
      hint: 'Its tokens are refused in this way. Resume it to see what they get.',
    },
  ]);
});

test('the pages of a preview follow each other, and are those of the organisation', async () => {
  const first = await preview('listRecords', 'whole', { ...PLACES, pageSize: 1 });
  const { nextPageToken, records } = JSON.parse(first.text);
  const next = { ...PLACES, pageSize: 1, pageToken: nextPageToken };
  const second = JSON.parse((await preview('listRecords', 'whole', next)).text);
  expect(second.records).not.toEqual(records);
  expect(JSON.parse((await own('listRecords', 'whole', next)).text)).toMatchObject({
    records: second.records,
  });
});

test('nothing is charged to the organisation, and its limits do not apply', async () => {
  const usage = async () => {
    const answer = await send('/v1/usage', {
      headers: { authorization: `Bearer ${tokens.get('nothing')}` },
    });
    return JSON.parse(answer.text).total;
  };
  const before = await usage();
  await preview('listRecords', 'nothing', { ...PLACES, grant: { pattern: '*' } });
  expect(await usage()).toEqual(before);
  for (let time = 0; time < 3; time += 1) {
    expect((await preview('listRecords', 'whole', PLACES)).status).toBe(200);
  }
  expect(data().store.listAudit({ limit: 1 })[0]?.action).not.toContain('preview');
});

test('a preview with a grant is what the organisation gets once the grant is added', async () => {
  const { store } = data();
  store.createOrganisation({ id: 'later', name: 'Later' });
  store.addGrant('later', wholeGrant('', 'park.*'));
  tokens.set('later', store.createToken({ organisationId: 'later', name: 'x' }).tokenText);
  const asked = REQUESTS.map(([operation, body]) =>
    preview(operation, 'later', { ...body, grant: NARROW_BODY }),
  );
  const previewed = (await Promise.all(asked)).map(saidBy);
  expect(store.listGrants({ organisationId: 'later' })).toHaveLength(1);
  const before = await Promise.all(REQUESTS.map(([one, body]) => own(one, 'later', body)));
  expect(previewed).not.toEqual(before.map(saidBy));
  store.addGrant('later', NARROW);
  const after = await Promise.all(REQUESTS.map(([one, body]) => own(one, 'later', body)));
  expect(previewed).toEqual(after.map(saidBy));
});

test('a grant that begins later is previewed as if it held', async () => {
  const grant = { ...NARROW_BODY, from: '2098-01-01', until: '2098-12-31' };
  const { text } = await preview('listRecords', 'nothing', { ...PLACES, grant });
  expect(JSON.parse(text).records[0].fields.city).toBe('Sunny');
});

test.each([
  [
    'an unknown organisation',
    { organisationId: 'narow' },
    404,
    'ORGANISATION_NOT_FOUND',
    '/organisationId',
  ],
  [
    'a grant of an unknown field',
    { grant: { ...NARROW_BODY, fields: ['nmae'] } },
    400,
    'UNKNOWN_FIELD',
    '/grant/fields/0',
  ],
  [
    'a grant of a malformed pattern',
    { grant: { pattern: 'a*b' } },
    400,
    'INVALID_GRANT',
    '/grant/pattern',
  ],
  [
    'a grant that the organisation has',
    { grant: NARROW_BODY },
    409,
    'GRANT_EXISTS',
    '/grant/pattern',
  ],
  [
    'a grant of a day that does not exist',
    { grant: { pattern: 'x.*', from: '2099-02-30' } },
    400,
    'INVALID_PERIOD',
    '/grant/from',
  ],
  [
    'a grant that has ended',
    { grant: { pattern: 'x.*', until: '2000-01-01' } },
    400,
    'INVALID_PERIOD',
    '/grant/until',
  ],
  [
    'a foreign billing context',
    { billingContext: 'acme' },
    403,
    'BILLING_CONTEXT_DENIED',
    undefined,
  ],
] as const)('%s is refused, with its place', async (_, body, status, reason, pointer) => {
  const answer = await preview('listDataReferences', 'narrow', body);
  const { errors = [], ...problem } = JSON.parse(answer.text);
  expect([answer.status, problem.reason, errors[0]?.pointer]).toEqual([status, reason, pointer]);
});

test('a page has at most 100 rows', async () => {
  const rows = Array.from({ length: 150 }, (_, index) => `${index}\n`).join('');
  await data().publishFiles(
    {
      'locmetrics.yaml':
        'format: 1\ndatasets:\n  many.rows:\n    files: many.csv\n    key: [id]\n    fields: { id: { type: integer } }\n',
      'many.csv': `id\n${rows}`,
    },
    '2024-01-02T00:00:00.000Z',
  );
  const body = { dataReferenceName: 'many.rows' };
  for (const [pageSize, size] of [
    [undefined, 100],
    [0, 100],
    [7, 7],
    [10_000, 100],
  ]) {
    const { text } = await preview('listRecords', 'whole', { ...body, pageSize });
    expect(JSON.parse(text)).toMatchObject({ totalSize: 150 });
    expect(JSON.parse(text).records).toHaveLength(size ?? 0);
  }
});

test('a token without the scope admin may not preview', async () => {
  const body = { organisationId: 'narrow' };
  const answer = await post('/v1/admin/preview/listDataReferences', body, data().token);
  expect([answer.status, answer.body.reason]).toEqual([403, 'SCOPE_MISSING']);
});
