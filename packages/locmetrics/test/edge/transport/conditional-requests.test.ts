import { wholeGrant } from '@locmetrics/core/domain/grant';
import { describe, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import {
  type Answer,
  openTestServer,
  type ServerOptions,
  type TestRequest,
  useTestServer,
} from '../test-server.ts';

const { data, send } = useTestServer((to) => to.publishFiles(SHOPS, '2024-01-01T10:00:00.000Z'));

const VALUES = '/v1/catalogs/shop/metrics/customers/values';
const PATH = `${VALUES}?billingContext=acme&trackTotalHits=true`;

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  send(path, { headers, method });
const tagOf = async (sent: Promise<Answer>): Promise<string> =>
  (await sent).headers.get('etag') ?? '';
const tag = (path = PATH) => tagOf(ask(path));

/** Sends a request to a server with other options over the same data. */
async function askOther(options: ServerOptions, path: string, request: TestRequest) {
  const server = await openTestServer(data(), options);
  const answer = await server.send(path, request);
  await server.close();
  return answer;
}

describe('an answer', () => {
  test('has a strong ETag, Cache-Control and Vary', async () => {
    const { headers } = await ask(PATH);
    expect(headers.get('etag')).toMatch(/^"[A-Za-z0-9_-]{22}-(zstd|br|gzip|identity)"$/);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Accept, Authorization, Accept-Encoding');
  });

  test.each([
    ['the tag', (known: string) => known],
    ['a weak tag', (known: string) => `W/${known}`],
    ['a list with the tag', (known: string) => `"a,b", W/"c",${known} , "d"`],
    ['a star', () => '*'],
  ])('with a matching ETag (%s) is not sent again', async (_, write) => {
    const known = await tag();
    const { status, headers, text } = await ask(PATH, { 'if-none-match': write(known) });
    expect([status, text]).toEqual([304, '']);
    expect(Object.fromEntries(headers)).toMatchObject({
      etag: known,
      'cache-control': 'private, no-cache',
      vary: 'Accept, Authorization, Accept-Encoding',
      'x-request-id': 'request-1',
    });
    expect(headers.has('content-length')).toBe(false);
    expect(headers.has('content-type')).toBe(false);
  });

  test.each([
    ['another tag', () => '"another"'],
    ['a part of the tag', (known: string) => `${known.slice(0, -2)}"`],
    ['the tag without quotes', (known: string) => known.slice(1, -1)],
    ['empty', () => ''],
  ])('is sent if If-None-Match is %s', async (_, write) => {
    const { status, body } = await ask(PATH, { 'if-none-match': write(await tag()) });
    expect([status, body.totalSize]).toEqual([200, 3]);
  });

  test('is answered with 304 without a query and without the queue', async () => {
    const full = { connectionsMax: 0, waitingMax: 0 };
    const known = await tag();
    const held = await askOther(full, PATH, { headers: { 'if-none-match': known } });
    expect([held.status, held.headers.get('etag')]).toEqual([304, known]);
    const refused = await askOther(full, PATH, {});
    expect([refused.status, refused.body.reason]).toEqual([503, 'OVERLOADED']);
    expect(refused.headers.get('etag')).toBeNull();
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  test('of HEAD has the ETag of GET, and can be a 304 too', async () => {
    const known = await tag();
    expect(await tagOf(ask(PATH, {}, 'HEAD'))).toBe(known);
    expect((await ask(PATH, { 'if-none-match': known }, 'HEAD')).status).toBe(304);
  });

  test('of POST has no ETag, and is always sent', async () => {
    const { status, headers } = await send(`${VALUES}:search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      body: JSON.stringify({ billingContext: 'acme' }),
    });
    expect([status, headers.get('etag')]).toEqual([200, null]);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('the ETag', () => {
  test('is the same while the answer is the same', async () => {
    expect(await tag()).toBe(await tag());
    expect(await tag(PATH.replace('billingContext', 'billing_context'))).toBe(await tag());
  });

  test('is the same for all tokens with the same rights', async () => {
    const { tokenText } = data().store.createToken({ organisationId: 'acme', name: 'other' });
    expect(await tagOf(ask(PATH, { authorization: `Bearer ${tokenText}` }))).toBe(await tag());
  });

  test('is different for every other answer', async () => {
    const paths = [
      PATH,
      `${PATH}&pageSize=1`,
      `${PATH}&pageSize=2`,
      `${PATH}&countOnly=true`,
      `${PATH}&invertSortOrder=true`,
      `${PATH}&featureFilter=S1&featureFilter=S2`,
      // The answer contains the filters as they were sent.
      `${PATH}&featureFilter=S2&featureFilter=S1`,
      `${PATH}&addressComponentFilter=city:zug&addressComponentFilter=is_open:true`,
      `${PATH}&addressComponentFilter=is_open:true&addressComponentFilter=city:zug`,
      `${PATH}&observationPeriodFilter=2023-01-01/..`,
      `${PATH}&asOf=2024-01-01`,
      PATH.replace('=true', '=false'),
    ];
    const tags = await Promise.all(paths.map(tag));
    expect(new Set(tags).size).toBe(paths.length);
    expect(tags).not.toContain('');
  });

  test('is different on each page', async () => {
    const first = await ask(`${PATH}&pageSize=1`);
    const next = `${PATH}&pageSize=1&pageToken=${first.body.nextPageToken}`;
    expect(await tag(next)).not.toBe(first.headers.get('etag'));
    expect(await tag(next)).toBe(await tag(next));
  });

  test('is different in each coding', async () => {
    const codings = ['zstd', 'br', 'gzip', 'identity'];
    const tags = await Promise.all(
      codings.map((coding) => tagOf(ask(PATH, { 'accept-encoding': coding }, 'HEAD'))),
    );
    expect(tags.map((one) => one.replace(/^"[^-]*.*-|"$/g, ''))).toEqual(codings);
  });

  test('of one gzip body is the same however it is asked for', async () => {
    const wordings = ['gzip', 'gzip, identity;q=0', 'x-gzip', 'identity;q=0.1, gzip', 'GZIP;q=0.9'];
    const answers = await Promise.all(
      wordings.map((accepted) => ask('/openapi.json', { 'accept-encoding': accepted })),
    );
    expect(new Set(answers.map(({ headers }) => headers.get('content-encoding')))).toEqual(
      new Set(['gzip']),
    );
    const [one = '', ...others] = new Set(answers.map(({ headers }) => headers.get('etag') ?? ''));
    expect([one, others]).toEqual([expect.stringMatching(/-gzip"$/), []]);
    for (const accepted of wordings) {
      const headers = { 'accept-encoding': accepted, 'if-none-match': one };
      expect((await ask('/openapi.json', headers)).status).toBe(304);
    }
  });

  test('names the coding of the body, and each is only held by who accepts it', async () => {
    const small = `${PATH}&countOnly=true`;
    for (const [accepted, coding] of [
      ['gzip', 'identity'],
      ['gzip, identity;q=0', 'gzip'],
      ['identity', 'identity'],
    ]) {
      const { headers } = await ask(small, { 'accept-encoding': accepted ?? '' });
      expect([headers.get('content-encoding') ?? 'identity', headers.get('etag')]).toEqual([
        coding,
        expect.stringMatching(new RegExp(`-${coding}"$`)),
      ]);
    }
    const plain = await tagOf(ask(small, { 'accept-encoding': 'identity' }));
    const held = { 'if-none-match': plain };
    const statusOf = async (accepted: string) =>
      (await ask(small, { ...held, 'accept-encoding': accepted })).status;
    expect(await Promise.all(['gzip', 'gzip, identity;q=0', 'br;q=1'].map(statusOf))).toEqual([
      304, 200, 304,
    ]);
  });

  test('is different if a small answer is compressed because identity is excluded', async () => {
    const path = `${PATH}&countOnly=true`;
    const tags = await Promise.all(
      ['gzip', 'gzip, identity;q=0'].map((accepted) =>
        tagOf(ask(path, { 'accept-encoding': accepted }, 'HEAD')),
      ),
    );
    expect(new Set(tags).size).toBe(2);
  });

  test('is different in another release', async () => {
    const { headers } = await askOther({ version: '0.0.1' }, PATH, {});
    expect(headers.get('etag')).toMatch(/^"/);
    expect(headers.get('etag')).not.toBe(await tag());
  });

  test('is different after a publish, but stays the same for an older version', async () => {
    const path = `${PATH}&pageSize=1`;
    const before = await ask(path);
    const next = `${path}&pageToken=${before.body.nextPageToken}`;
    const asOf = `${path}&asOf=${before.body.version}`;
    const [nextTag, asOfTag] = [await tag(next), await tag(asOf)];
    const stores = `${SHOPS['stores.csv']}S5,Genf,7,1,true,2020-01-01,,2023-01-01,2023-01-31,,\n`;
    await data().publishFiles({ ...SHOPS, 'stores.csv': stores }, '2024-01-02T10:00:00.000Z');
    const changed = await ask(path, { 'if-none-match': before.headers.get('etag') ?? '' });
    expect([changed.status, changed.body.totalSize]).toEqual([200, 4]);
    for (const [address, known] of [
      [next, nextTag],
      [asOf, asOfTag],
    ] as const) {
      expect((await ask(address, { 'if-none-match': known })).status).toBe(304);
    }
  });
});

describe('a request with If-None-Match: *', () => {
  test.each([
    ['an unknown parameter', `${PATH}&x=1`, 'UNKNOWN_REQUEST_FIELD'],
    ['no billing context', VALUES, 'BILLING_CONTEXT_MISSING'],
    ['a foreign billing context', `${VALUES}?billingContext=globex`, 'BILLING_CONTEXT_DENIED'],
    ['an unknown metric', PATH.replace('customers', 'x'), 'METRIC_NOT_FOUND'],
    ['an unknown component', `${PATH}&addressComponentFilter=x:1`, 'UNKNOWN_COMPONENT'],
    ['a wrong period', `${PATH}&observationPeriodFilter=2023-02-29/..`, 'INVALID_PERIOD'],
    ['a wrong page size', `${PATH}&pageSize=-1`, 'INVALID_PAGE_SIZE'],
    ['a forged page token', `${PATH}&pageToken=AAAA`, 'INVALID_PAGE_TOKEN'],
  ])('is still refused for %s', async (_, path, reason) => {
    const { body, headers } = await ask(path, { 'if-none-match': '*' });
    expect(body.reason).toBe(reason);
    expect(headers.get('etag')).toBeNull();
  });

  test('is still refused for an expired page token', async () => {
    const { store } = data();
    const { body } = await ask(`${PATH}&pageSize=1`);
    store.createOrganisation({ id: 'initech', name: 'Initech' });
    store.addGrant('initech', wholeGrant('', '*'));
    const other = store.createToken({ organisationId: 'initech', name: 'test' }).tokenText;
    const path = `${PATH}&pageSize=1&pageToken=${body.nextPageToken}`;
    const answer = await ask(path.replace('acme', 'initech'), {
      authorization: `Bearer ${other}`,
      'if-none-match': '*',
    });
    expect(answer.body.reason).toBe('PAGE_TOKEN_EXPIRED');
  });

  test('still needs a token', async () => {
    const { body } = await ask(PATH, { authorization: '', 'if-none-match': '*' });
    expect(body.reason).toBe('TOKEN_MISSING');
  });
});

test('the OpenAPI document has an ETag too, without a token', async () => {
  const { headers } = await ask('/openapi.json', { authorization: '' });
  const known = headers.get('etag') ?? '';
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('vary')).toBe('Accept-Encoding');
  const held = await ask('/openapi.json', { authorization: '', 'if-none-match': known });
  expect([held.status, held.text]).toEqual([304, '']);
});
