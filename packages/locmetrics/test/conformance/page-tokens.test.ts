import { expect, test } from 'vitest';
import { createCaller } from '../support/test-caller.ts';
import type { EngineUnderTest } from './engines/engine-under-test.ts';
import { ENGINES } from './engines/engines.ts';
import {
  askService,
  openService,
  type RecordsQuestion,
  useService,
  type ValuesQuestion,
} from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const fields = { id: 'integer', name: 'string', latitude: 'float', longitude: 'float' } as const;
const point = { latitude: 'latitude', longitude: 'longitude' };

/** A version of four records whose names begin with the prefix. */
function places(publishedTime: string, prefix: string, name = 'conformance.places') {
  const rows = [1, 2, 3, 4].map((id) => ({
    id: BigInt(id),
    name: `${prefix} ${id}`,
    latitude: id,
    longitude: id,
  }));
  return defineTable({ name, fields, point, publishedTime, rows });
}

const OLD = places('2024-01-01T12:00:00.000Z', 'old');
const NEW = places('2024-02-01T12:00:00.000Z', 'new');
const TWIN = places('2024-01-01T12:00:00.000Z', 'twin', 'conformance.twin');

describeOn(ENGINES)('page tokens, $name engine', (engine) => {
  const service = useService(engine, OLD, TWIN);
  const firstPage = async (question: RecordsQuestion = {}) =>
    (await service.listRecords({ pageSize: 2, ...question })).nextPageToken;
  const next = (pageToken: string, question: RecordsQuestion = {}) =>
    service.listRecords({ pageSize: 2, ...question, pageToken });

  test('a token is URL-safe', async () => {
    expect(await firstPage()).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test('a token does not show the value that its page ended on', async () => {
    const orderBy = { fieldName: 'name', descending: false };
    const token = await firstPage({ fields: ['id'], orderBy });
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('old 2');
    expect((await next(token, { fields: ['id'], orderBy })).rows).toEqual([[3n], [4n]]);
  });

  test('a token of another request is refused', async () => {
    const pageToken = await firstPage();
    expect(await next(pageToken)).toMatchObject({ nextPageToken: '' });
    expect(await refusalOf(next(pageToken, { fields: ['id'] }))).toMatchInlineSnapshot(`
      "INVALID_PAGE_TOKEN at /pageToken
      The page token belongs to another request.
      Only the page size may change between pages: repeat the request that returned the token."
    `);
  });

  test.each<[string, RecordsQuestion, RecordsQuestion]>([
    [
      'not in and not_in',
      { filters: [whereIn('id', 'not in', ['9'])] },
      { filters: [whereIn('id', 'not_in', ['9'])] },
    ],
    [
      'a number and its text',
      { filters: [where('id', '<', 9)] },
      { filters: [where('id', '<', '9')] },
    ],
    ['another order of the fields', { fields: ['id', 'name'] }, { fields: ['name', 'id'] }],
  ])('%s are the same request', async (_, first, second) => {
    expect((await next(await firstPage(first), second)).rows).toHaveLength(2);
  });

  test.each<[string, RecordsQuestion]>([
    ['other fields', { fields: ['id'] }],
    ['a filter more', { filters: [where('name', 'is_not_empty')] }],
    ['a box', { box: { minLng: 0, minLat: 0, maxLng: 10, maxLat: 10 } }],
    ['another trim', { trim: 'ignore' }],
    ['an order', { orderBy: { fieldName: 'id', descending: false } }],
    [
      'an order by two keys',
      {
        orderBy: { fieldName: 'name', descending: false },
        thenBy: [{ fieldName: 'id', descending: false }],
      },
    ],
    ['asOf', { asOf: OLD.version.version }],
    ['countOnly', { countOnly: true }],
    ['another dataset', { dataset: 'conformance.twin' }],
  ])('a request with %s is another request', async (_, question) => {
    const refusal = await refusalOf(next(await firstPage(), question));
    expect(refusal).toContain('The page token belongs to another request.');
  });

  test.each<[string, RecordsQuestion, RecordsQuestion]>([
    [
      'value',
      { filters: [where('name', 'contains', 'old')] },
      { filters: [where('name', 'contains', 'ol')] },
    ],
    [
      'operator',
      { filters: [where('name', 'contains', 'old')] },
      { filters: [where('name', 'starts_with', 'old')] },
    ],
    [
      'field',
      { filters: [where('id', 'is_not_empty')] },
      { filters: [where('name', 'is_not_empty')] },
    ],
    [
      'direction',
      { orderBy: { fieldName: 'id', descending: false } },
      { orderBy: { fieldName: 'id', descending: true } },
    ],
    ...(
      [
        ['key more', [{ fieldName: 'latitude', descending: true }], []],
        [
          'direction of the second key',
          [{ fieldName: 'latitude', descending: true }],
          [{ fieldName: 'latitude', descending: false }],
        ],
        [
          'second key',
          [{ fieldName: 'latitude', descending: true }],
          [{ fieldName: 'longitude', descending: true }],
        ],
      ] as const
    ).map(([what, began, goesOn]): [string, RecordsQuestion, RecordsQuestion] => {
      const orderBy = { fieldName: 'id', descending: false };
      return [what, { orderBy, thenBy: began }, { orderBy, thenBy: goesOn }];
    }),
    [
      'edge of the box',
      { box: { minLng: 0, minLat: 0, maxLng: 10, maxLat: 10 } },
      { box: { minLng: 0, minLat: 0, maxLng: 10, maxLat: 11 } },
    ],
  ])('a request with another %s is another request', async (_, began, goesOn) => {
    const refusal = await refusalOf(next(await firstPage(began), goesOn));
    expect(refusal).toContain('The page token belongs to another request.');
  });

  test('a token of the other operation is refused', async () => {
    const ofRecords = await firstPage();
    const search = (question: Partial<ValuesQuestion>) =>
      service.searchFieldValues({ field: 'name', pageSize: 2, ...question });
    const ofValues = (await search({})).nextPageToken;
    expect(await search({ pageToken: ofValues })).toMatchObject({ values: ['old 3', 'old 4'] });
    const refusals = [
      search({ pageToken: ofRecords }),
      next(ofValues),
      search({ pageToken: ofValues, field: 'id' }),
      search({ pageToken: ofValues, term: 'o' }),
    ].map(refusalOf);
    expect(await Promise.all(refusals)).toEqual(
      refusals.map(() => expect.stringContaining('The page token belongs to another request.')),
    );
  });

  test('a token that this service did not make is refused', async () => {
    expect(await refusalOf(next('AAAA'))).toMatchInlineSnapshot(`
      "INVALID_PAGE_TOKEN at /pageToken
      The page token was not made by this service.
      Send the nextPageToken of the previous page unchanged, or leave it out to start again."
    `);
  });

  test('a token with any character changed is refused', async () => {
    const pageToken = await firstPage();
    const refusals = [...pageToken].map((character, index) => {
      const other = character === 'A' ? 'B' : 'A';
      return refusalOf(next(pageToken.slice(0, index) + other + pageToken.slice(index + 1)));
    });
    expect(new Set(await Promise.all(refusals))).toEqual(
      new Set([expect.stringMatching(/^INVALID_PAGE_TOKEN at \/pageToken\n.*not made by this/)]),
    );
  });

  test('a truncated or extended token is refused', async () => {
    const pageToken = await firstPage();
    const changed = [
      pageToken.slice(0, -1),
      pageToken.slice(1),
      pageToken.slice(0, 22),
      pageToken.slice(0, 10),
      `${pageToken}A`,
      `${pageToken}=`,
      ` ${pageToken}`,
      `${pageToken}${pageToken}`,
      'x'.repeat(100_000),
    ];
    const refusals = await Promise.all(changed.map((text) => refusalOf(next(text))));
    expect(refusals).toEqual(
      changed.map(() => expect.stringContaining('The page token was not made by this service.')),
    );
  });

  test('a token signed with another key is refused', async () => {
    const context = { ...service.context(), pageTokenKey: () => new Uint8Array(32).fill(8) };
    const other = askService(context, OLD.version.dataset.name);
    const { nextPageToken } = await other.listRecords({ pageSize: 2 });
    expect(await refusalOf(next(nextPageToken))).toContain('not made by this service');
  });

  test('a token of a key that was replaced is expired, and what is no token at all is not', async () => {
    const other = askService(
      {
        ...service.context(),
        pageTokenKey: () => new Uint8Array(32).fill(8),
        wasPageTokenKeyReplaced: () => true,
      },
      OLD.version.dataset.name,
    );
    const ask = (pageToken: string) => other.listRecords({ pageSize: 2, pageToken });
    expect(await refusalOf(ask(await firstPage()))).toContain('its key was replaced');
    expect(await refusalOf(ask('anything'))).toContain('not made by this service');
  });

  test('a page token works with another access token of the same organisation', async () => {
    const caller = createCaller({ organisationId: 'organisation', tokenId: 'successor' });
    expect((await next(await firstPage(), { caller })).rows).toHaveLength(2);
  });

  test('a page token does not work with other rights', async () => {
    const caller = createCaller({ organisationId: 'other', tokenId: 'token' });
    expect(await refusalOf(next(await firstPage(), { caller }))).toMatchInlineSnapshot(`
      "PAGE_TOKEN_EXPIRED
      The page token has expired: the rights of the caller changed.
      Send the request without a page token to start again on the current data."
    `);
  });

  test('an invalid page size is refused with a token too', async () => {
    const pageToken = await firstPage();
    expect(await refusalOf(next(pageToken, { pageSize: -1 }))).toContain('INVALID_PAGE_SIZE');
  });
});

describeOn(ENGINES)('pages and versions, $name engine', (engine) => {
  test('pages stay on the version of the first page while another becomes current', async () => {
    await using service = await openDisposable(engine);
    const first = await service.listRecords({ fields: ['name'], pageSize: 3 });
    await service.publish(NEW);
    const rest = await service.listRecords({
      fields: ['name'],
      pageSize: 3,
      pageToken: first.nextPageToken,
    });
    const again = await service.listRecords({ fields: ['name'], pageSize: 3 });
    expect([first, rest, again].map(({ rows, version }) => [rows.flat(), version])).toEqual([
      [['old 1', 'old 2', 'old 3'], OLD.version.version],
      [['old 4'], OLD.version.version],
      [['new 1', 'new 2', 'new 3'], NEW.version.version],
    ]);
  });

  test('pages of values stay on their version, and pages of asOf too', async () => {
    await using service = await openDisposable(engine);
    const began = { field: 'name', pageSize: 2 } as const;
    const { nextPageToken: values } = await service.searchFieldValues(began);
    const onDay = { asOf: '2024-06-30', fields: ['name'], pageSize: 2 } as const;
    const { nextPageToken: records } = await service.listRecords(onDay);
    await service.publish(NEW);
    expect(await service.searchFieldValues({ ...began, pageToken: values })).toMatchObject({
      values: ['old 3', 'old 4'],
    });
    expect(await service.listRecords({ ...onDay, pageToken: records })).toMatchObject({
      rows: [['old 3'], ['old 4']],
    });
    expect(await service.listRecords(onDay)).toMatchObject({ rows: [['new 1'], ['new 2']] });
  });

  test('a token has expired if its version is no longer kept', async () => {
    await using service = await openDisposable(engine);
    const { nextPageToken: pageToken } = await service.listRecords({ pageSize: 3 });
    const values = await service.searchFieldValues({ field: 'id', pageSize: 3 });
    await service.publish(NEW);
    service.forget(OLD.version);
    expect(await refusalOf(service.listRecords({ pageToken }))).toMatchInlineSnapshot(`
      "PAGE_TOKEN_EXPIRED
      The page token has expired: the data version on which its pages began is gone.
      Send the request without a page token to start again on the current data."
    `);
    expect(
      await refusalOf(service.searchFieldValues({ field: 'id', pageToken: values.nextPageToken })),
    ).toMatchInlineSnapshot(`
      "PAGE_TOKEN_EXPIRED
      The page token has expired: the data version on which its pages began is gone.
      Send the request without a page token to start again on the current data."
    `);
  });

  test('a token has expired if its data vanish while the catalog lists them', async () => {
    await using reader = await openDisposable(engine);
    await using service = await openDisposable(engine);
    const { nextPageToken: pageToken } = await reader.listRecords({ pageSize: 3 });
    await service.publish(NEW);
    await service.removeData(OLD.version);
    expect(await refusalOf(service.listRecords({ pageToken }))).toMatchInlineSnapshot(`
      "PAGE_TOKEN_EXPIRED
      The page token has expired: the data version on which its pages began is gone.
      Send the request without a page token to start again on the current data."
    `);
    expect(await refusalOf(service.listRecords({ asOf: OLD.version.version }))).toContain(
      'VERSION_NOT_FOUND',
    );
  });
});

async function openDisposable(engine: EngineUnderTest) {
  const service = await openService(engine, [OLD]);
  return { ...service, [Symbol.asyncDispose]: service.close };
}
