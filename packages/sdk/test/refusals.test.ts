import type { RequestListener } from 'node:http';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { expect, test } from 'vitest';
import { serveLocally } from '../../locmetrics/test/support/listen-locally.ts';
import { type ClientOptions, createClient, ServiceError } from '../src/index.ts';
import { useSample } from './open-sample.ts';

const { client, data } = useSample();

const PLACES = 'ml_visitation.places';

test('a refusal is an error with its reason, hint, places and request id', async () => {
  const records = client().records(PLACES, {
    filters: [{ fieldName: 'citty', operator: '==', value: 'x' }],
  });
  const error = await records.all().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    name: 'ServiceError',
    status: 400,
    code: 'INVALID_ARGUMENT',
    reason: 'UNKNOWN_FIELD',
    message: "Unknown field 'citty' in ml_visitation.places. Did you mean 'city'?",
    hint: "Did you mean 'city'?",
    errors: [{ pointer: '/filters/0/fieldName' }],
    requestId: expect.stringMatching(/.{10}/),
  });
});

test('a missing id is refused before anything is sent', async () => {
  await expect(client().getMetric({ catalogId: 'nps', metricId: '' })).rejects.toThrow(
    'The request has no metricId. Give a non-empty string.',
  );
});

test.each([
  ['', "The url of the client is ''. Give the full URL of the service,"],
  ['data.example.org', "The url of the client is 'data.example.org'."],
  ['ftp://data.example.org', "The url of the client is 'ftp://data.example.org'."],
])('a client of the address %j is refused at once', (url, message) => {
  expect(() => createClient({ url, token: 'x' })).toThrow(message);
});

test.each([
  ['', 'The token of the client is empty.'],
  ['secret\n', /^The token of the client has a space, a line break or another character/],
])('a client with the token %j is refused without showing it', (token, message) => {
  expect(() => createClient({ url: 'http://localhost', token })).toThrow(message);
  expect(() => createClient({ url: 'http://localhost', token })).not.toThrow(/secret/);
});

test('an address may end with a slash and begin with a path', async () => {
  await serve(
    (request, response) => response.end(`{"catalogsList":[{"id":"${request.url}"}]}`),
    async (to, url) => {
      expect(await to.listCatalogs()).toEqual([{ id: '/v1/catalogs' }]);
      const behind = createClient({ url: `${url}/data/`, token: 'any' });
      expect(await behind.listCatalogs()).toEqual([{ id: '/data/v1/catalogs' }]);
    },
  );
});

test('a cancelled request throws the reason of its signal', async () => {
  const reason = new Error('No longer needed');
  await expect(client().listCatalogs({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a wait for a retry can be cancelled', async () => {
  const controller = new AbortController();
  const reason = new Error('No longer needed');
  await serve(
    (_, response) => {
      response.writeHead(503, { 'retry-after': '20' }).end(problem('UNAVAILABLE', 'OVERLOADED'));
      response.on('close', () => setImmediate(() => controller.abort(reason)));
    },
    async (to) => {
      await expect(to.listCatalogs({ signal: controller.signal })).rejects.toBe(reason);
    },
  );
});

test.each([
  ['an overloaded service', 503, problem('UNAVAILABLE', 'OVERLOADED'), 3],
  ['a limit of requests', 429, problem('RESOURCE_EXHAUSTED', 'LIMIT_EXCEEDED'), 3],
  ['a busy server without a body', 503, '', 3],
  ['a wrong request', 400, problem('INVALID_ARGUMENT', 'UNKNOWN_FIELD'), 1],
  ['a failed service', 500, problem('INTERNAL', 'INTERNAL'), 1],
  ['a page of a proxy', 502, '<html>', 1],
  ['a page instead of an answer', 200, '<html>', 1],
])('%s is asked as often as that can help', async (_, status, body, times) => {
  let asked = 0;
  await serve(
    (__, response) => {
      asked += 1;
      response.writeHead(status, { 'retry-after': '0' }).end(body);
    },
    async (to) => {
      await expect(to.listCatalogs()).rejects.toThrow();
      expect(asked).toBe(times);
    },
  );
});

test('a limit that does not pass with time is not asked again', async () => {
  let asked = 0;
  await serve(
    (_, response) => {
      asked += 1;
      response.writeHead(429).end(problem('RESOURCE_EXHAUSTED', 'TOO_MANY_GROUPS'));
    },
    async (to) => {
      await expect(to.listCatalogs()).rejects.toMatchObject({ reason: 'TOO_MANY_GROUPS' });
      expect(asked).toBe(1);
    },
  );
});

test('a long wait, such as that for the rows of the next day, is left to the caller', async () => {
  let asked = 0;
  await serve(
    (_, response) => {
      asked += 1;
      response.writeHead(429, { 'retry-after': '3600' });
      response.end(problem('RESOURCE_EXHAUSTED', 'LIMIT_EXCEEDED'));
    },
    async (to) => {
      await expect(to.listCatalogs()).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
      expect(asked).toBe(1);
    },
  );
});

test('a connection that breaks is tried again, and an answer ends the tries', async () => {
  let asked = 0;
  await serve(
    (request, response) => {
      asked += 1;
      if (asked < 3) request.socket.destroy();
      else response.end('{"catalogsList":[{"id":"nps"}]}');
    },
    async (to) => {
      expect(await to.listCatalogs()).toEqual([{ id: 'nps' }]);
      expect(asked).toBe(3);
    },
  );
});

test('without an answer the error says where the request went and why it failed', async () => {
  await serve(
    (request) => request.socket.destroy(),
    async (to) => {
      await expect(to.listCatalogs()).rejects.toMatchObject({
        name: 'ConnectionError',
        message: expect.stringMatching(/^GET http:.*\/v1\/catalogs got no answer: .+\.$/),
        cause: expect.anything(),
      });
    },
    { retries: 0 },
  );
});

test('an expired page token has an error of its own', async () => {
  const pages = client().records(PLACES, { pageSize: 10 }).pages()[Symbol.asyncIterator]();
  await pages.next();
  // A change of the rights of the caller.
  data().store.addGrant('demo', wholeGrant('', PLACES));

  const error = await pages.next().catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ name: 'PageTokenExpiredError', reason: 'PAGE_TOKEN_EXPIRED' });
});

function problem(code: string, reason: string): string {
  return JSON.stringify({ status: 0, code, reason, detail: 'It failed.', requestId: 'id' });
}

/** Runs a test with a client of a server that answers like this. */
async function serve(
  answer: RequestListener,
  run: (to: ReturnType<typeof createClient>, url: string) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> {
  const { url } = await serveLocally(answer);
  await run(createClient({ url, token: 'any', ...options }), url);
}
