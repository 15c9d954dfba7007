import { createServer as createHttpServer } from 'node:http';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { freePort, listenLocally } from '../../locmetrics/test/support/listen-locally.ts';
import type { SearchMetricValuesResponse } from '../src/index.ts';
import {
  createGrpcClient,
  DeadlineError,
  type GrpcClient,
  type GrpcClientOptions,
  ServiceError,
} from '../src/node/grpc/index.ts';
import { useSample } from './open-sample.ts';
import { TEST_AUTHORITY, TEST_CERTIFICATE } from './test-certificate.ts';

let limits: OrganisationLimits = {};
const {
  client: overHttp,
  data,
  server,
} = useSample({
  certificate: TEST_CERTIFICATE,
  limitsOf: () => limits,
});

const VISITS = { catalogId: 'nps', metricId: 'foot_traffic_monthly', featureFilter: ['ACAD'] };

let overTls: GrpcClient;
let plaintext: GrpcClient;
beforeAll(() => {
  const port = server().grpcTlsAddress.split(':')[1];
  overTls = grpc({ url: `https://localhost:${port}`, ca: TEST_AUTHORITY });
  plaintext = grpc({});
});

const TIMERS = ['setTimeout' as const, 'clearTimeout' as const];
afterEach(() => {
  vi.useRealTimers();
});

function grpc(options: Partial<GrpcClientOptions>): GrpcClient {
  return createGrpcClient({
    url: `http://${server().grpcAddress}`,
    token: data().token,
    billingContext: 'demo',
    ...options,
  });
}

test.each([
  ['of a feature', VISITS],
  [
    'with all kinds of filters',
    {
      ...VISITS,
      observationPeriodFilter: { start: '2023-01-01', end: { year: 2023, month: 12, day: 31 } },
      addressComponentFilter: [{ component: 'us_state_2020', values: ['23', '06'] }],
      valueFilter: [
        {
          valueName: 'person_count',
          operator: 'GREATER_THAN_OR_EQUAL_TO',
          numericValue: 8.331,
        } as const,
      ],
      invertSortOrder: true,
      bestEffortQueryWhenNotAllowed: true,
      trackTotalHitsInteger: 5,
      requestTags: { job: 'test' },
    },
  ],
  [
    'of a metric with dimensions and numbers',
    {
      catalogId: 'trips',
      metricId: 'trips_daily',
      dimensionFilter: [{ dimensionId: 'purpose', values: ['work', 'leisure'] }],
      pageSize: 3,
    },
  ],
])('pages of values %s equal those over HTTP, with TLS and without', async (_, request) => {
  const asked = { pageSize: 5, ...request };
  const expected = withoutKinds(await pagesOf(overHttp().metricValues(asked).pages()));
  expect(expected[0]?.valuesList.length).toBeGreaterThan(0);
  for (const client of [overTls, plaintext]) {
    expect(await pagesOf(client.metricValues(asked).pages())).toEqual(expected);
  }
});

/** Page tokens are encrypted, so they differ. */
async function pagesOf<Page extends { readonly nextPageToken: string }>(
  pages: AsyncIterable<Page>,
): Promise<readonly Page[]> {
  const read: Page[] = [];
  for await (const page of pages) read.push({ ...page, nextPageToken: '' });
  return read;
}

/** The kind of an absent value is not on the wire of gRPC, so each of its members is null there. */
function withoutKinds(pages: readonly SearchMetricValuesResponse[]) {
  const text = JSON.stringify(pages, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('category' in value)) return value;
    const isAbsent = Object.values(value).includes(null);
    return isAbsent ? { ...value, number: null, count: null, category: null } : value;
  });
  const read: readonly SearchMetricValuesResponse[] = JSON.parse(text);
  return read;
}

test('rows are read one by one, at once up to a limit, and counted', async () => {
  const values = overTls.metricValues({ ...VISITS, pageSize: 100 });
  const counts: unknown[] = [];
  for await (const { value } of values) counts.push(value.count);
  expect((await values.all()).map(({ value }) => value.count)).toEqual(counts);
  expect(await values.count()).toEqual(await overHttp().metricValues(VISITS).count());
  await expect(values.all({ maxRows: 5 })).rejects.toMatchObject({ name: 'TooManyRowsError' });
});

test.each([
  ['an unknown metric', { catalogId: 'nps', metricId: 'foot_trafic_monthly' }],
  [
    'an unknown component',
    { ...VISITS, addressComponentFilter: [{ component: 'us_stat_2020', values: ['23'] }] },
  ],
  ['another organisation', { ...VISITS, billingContext: 'other' }],
  ['a negative page size', { ...VISITS, pageSize: -1 }],
])('a refusal of %s has the reason, hint and places of HTTP', async (_, request) => {
  const refused = await failureOf(overHttp().searchMetricValues({ ...request, requestTags: {} }));
  const error = await failureOf(overTls.searchMetricValues(request));
  for (const one of [refused, error]) expect(one).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    ...comparable(refused),
    status: undefined,
    requestId: expect.stringMatching(/.{10}/),
  });
});

function failureOf(sent: Promise<unknown>): Promise<unknown> {
  return sent.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function comparable(error: unknown) {
  if (!(error instanceof ServiceError)) throw new Error('The error is of another kind.');
  const { name, message, code, reason, detail, hint, errors } = error;
  return { name, message, code, reason, detail, hint, errors };
}

test('a reached limit is named, and is left to the caller', async () => {
  limits = { rowsPerDay: 1 };
  try {
    const refused = await failureOf(overHttp({ retries: 0 }).searchMetricValues(VISITS));
    const error = await failureOf(overTls.searchMetricValues(VISITS));
    expect(error).toMatchObject({ ...comparable(refused), limit: 'rowsPerDay' });
    expect(error).toMatchObject({ retryAfterMs: expect.any(Number) });
  } finally {
    limits = {};
  }
});

test.each([1_000.5, 1e12])(
  'a deadline of %d ms is long enough for the service',
  async (deadlineMs) => {
    const answer = await plaintext.searchMetricValues(VISITS, { deadlineMs });
    expect(answer.valuesList.length).toBeGreaterThan(0);
  },
);

test.each([0, -1, Number.NaN])('a deadline of %d ms is refused', async (deadlineMs) => {
  await expect(plaintext.searchMetricValues(VISITS, { deadlineMs })).rejects.toThrow(
    `deadlineMs is ${deadlineMs}. Give a number of milliseconds above 0.`,
  );
});

test('an expired page token has an error of its own', async () => {
  const pages = plaintext
    .metricValues({ ...VISITS, pageSize: 5 })
    .pages()
    [Symbol.asyncIterator]();
  await pages.next();
  // A change of the rights of the caller.
  data().store.addGrant('demo', wholeGrant('', 'ml_visitation.places'));

  await expect(pages.next()).rejects.toMatchObject({
    name: 'PageTokenExpiredError',
    reason: 'PAGE_TOKEN_EXPIRED',
  });
});

test('without the authority the certificate of the service is not trusted', async () => {
  const port = server().grpcTlsAddress.split(':')[1];
  const client = grpc({ url: `https://localhost:${port}`, retries: 0 });
  await expect(client.searchMetricValues(VISITS)).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringMatching(/^gRPC at https:\/\/localhost:\d+ got no answer: .*certificate/),
  });
});

test.each([
  [{ ca: 'x' }, /^The client has a ca, but its url 'http:.*' is in plaintext\. Begin/],
  [{ url: 'localhost:8443' }, "The url of the client is 'localhost:8443'."],
  [{ token: '' }, 'The token of the client is empty.'],
])('a client with %j is refused at once', (options, message) => {
  expect(() => grpc(options)).toThrow(message);
});

test.each([
  [{ metricId: '' }, 'The request has no metricId.'],
  [
    { observationPeriodFilter: { start: '2023-6-1' } },
    "The start of observationPeriodFilter is '2023-6-1'. Write a day as YYYY-MM-DD.",
  ],
  [{ trackTotalHitsBoolean: true, trackTotalHitsInteger: 5 }, 'Give one of them.'],
])('a request with %j is refused before it is sent', async (part, message) => {
  await expect(plaintext.searchMetricValues({ ...VISITS, ...part })).rejects.toThrow(message);
});

test('a cancelled request throws the reason of its signal, before and while it is answered', async () => {
  const reason = new Error('No longer needed');
  const signal = AbortSignal.abort(reason);
  await expect(plaintext.searchMetricValues(VISITS, { signal })).rejects.toBe(reason);
  const controller = new AbortController();
  await serve(
    () => controller.abort(reason),
    async (client) => {
      const sent = client.searchMetricValues(VISITS, { signal: controller.signal });
      await expect(sent).rejects.toBe(reason);
    },
  );
});

test('a request without an answer ends at its deadline', async () => {
  vi.useFakeTimers({ toFake: TIMERS });
  let asked = 0;
  await serve(
    () => {
      asked += 1;
      vi.advanceTimersByTime(50);
    },
    async (client) => {
      const error = await failureOf(client.searchMetricValues(VISITS, { deadlineMs: 50 }));
      expect(error).toBeInstanceOf(DeadlineError);
      expect(error).toMatchObject({
        deadlineMs: 50,
        message: expect.stringMatching(/^No answer arrived within 50 ms\./),
      });
      expect(asked).toBe(1);
    },
  );
});

test('a retry that would begin after the deadline is not waited for', async () => {
  // No time passes, so a wait would not end.
  vi.useFakeTimers({ toFake: TIMERS });
  await serve(
    (stream) => endWith(stream, 14),
    async (client) => {
      const error = await failureOf(client.searchMetricValues(VISITS, { deadlineMs: 100 }));
      expect(error).toBeInstanceOf(DeadlineError);
      expect(error).toMatchObject({ cause: { name: 'ConnectionError' } });
    },
  );
});

test.each([
  ['UNAVAILABLE', 14, 3, 'ConnectionError'],
  ['RESOURCE_EXHAUSTED', 8, 1, 'UnexpectedAnswerError'],
  ['INTERNAL', 13, 1, 'UnexpectedAnswerError'],
])('%s is asked as often as that can help', async (_, code, times, name) => {
  let asked = 0;
  await serve(
    (stream) => {
      asked += 1;
      endWith(stream, code);
    },
    async (client) => {
      await expect(client.searchMetricValues(VISITS)).rejects.toMatchObject({ name });
      expect(asked).toBe(times);
    },
  );
});

test('without a server the error says where the request went and why it failed', async () => {
  const port = await freePort();
  const client = grpc({ url: `http://127.0.0.1:${port}`, retries: 1 });
  await expect(client.searchMetricValues(VISITS)).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringMatching(/^gRPC at http:\/\/127.0.0.1:\d+ got no answer: .*ECONNREFUSED/),
    cause: expect.anything(),
  });
});

test('a connection that breaks is tried again, and an answer ends the tries', async () => {
  let asked = 0;
  await serve(
    (stream) => {
      asked += 1;
      stream.session?.destroy();
    },
    async (client) => {
      await expect(client.searchMetricValues(VISITS)).rejects.toMatchObject({
        name: 'ConnectionError',
      });
      expect(asked).toBe(3);
    },
  );
});

test('another server than that of gRPC is told', async () => {
  const page = createHttpServer((_, response) => response.writeHead(404).end('<html>'));
  const { address } = await listenLocally(page);
  for (const url of [`http://${address}`, `https://${address}`]) {
    await expect(grpc({ url }).searchMetricValues(VISITS)).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining(`gRPC at ${url} got no answer: `),
    });
  }
  await serve(
    (stream) =>
      stream.respond({ ':status': 404, 'content-type': 'text/html' }, { endStream: true }),
    async (client) => {
      await expect(client.searchMetricValues(VISITS)).rejects.toMatchObject({
        name: 'UnexpectedAnswerError',
        message: expect.stringContaining('HTTP 404'),
      });
    },
  );
});

function endWith(stream: ServerHttp2Stream, code: number): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': code };
  stream.respond({ ...headers, 'grpc-message': 'It failed' }, { endStream: true });
}

/** Runs a test with a client of a server that answers like this. */
async function serve(
  answer: (stream: ServerHttp2Stream) => void,
  run: (client: GrpcClient) => Promise<void>,
): Promise<void> {
  const other = createServer();
  other.on('stream', (stream) => {
    // A cancelled request is no failure of the server.
    stream.on('error', () => {});
    answer(stream);
  });
  const { address } = await listenLocally(other);
  await run(grpc({ url: `http://${address}` }));
}
