import { join } from 'node:path';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { openHttpServer } from '../../src/edge/http/open-http-server.ts';
import { openLog } from '../../src/observe/open-log.ts';
import { openDuckdbEngine } from '../../src/storage/duckdb/open-duckdb-engine.ts';
import type { TestData } from './test-data.ts';

/** The id of every request that names none, so that answers are the same in every run. */
export const REQUEST_ID = 'request-1';

export type TestServer = {
  readonly url: string;
  /** Sends a request with the token of the test data unless `headers` say otherwise. */
  readonly send: (path: string, init?: RequestInit) => Promise<Answer>;
  /** Posts a body to a call of the catalog interface; a text or bytes are sent as they are. */
  readonly post: (operation: string, body: unknown, headers?: HeadersInit) => Promise<Answer>;
  /** The lines of the log so far, parsed. */
  readonly log: () => readonly Readonly<Record<string, unknown>>[];
  readonly logText: () => string;
  readonly close: () => Promise<void>;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, where it is JSON. */
  readonly body: Body;
};

/** Members of the answers that tests look at on their own. */
export type Body = {
  readonly records: readonly { readonly fields: Readonly<Record<string, unknown>> }[];
  readonly values: readonly string[];
  readonly nextPageToken: string;
  readonly totalSize: number;
  readonly version: string;
  readonly reason: string;
  readonly requestId: string;
};

/** The HTTP edge over the test data, composed as `serve` does it, on a free port of loopback. */
export async function openTestServer(
  data: TestData,
  options: {
    readonly queryTimeoutMs?: number;
    readonly connectionsMax?: number;
    readonly waitingMax?: number;
    readonly isReady?: () => boolean;
  } = {},
): Promise<TestServer> {
  const { directory, store, token } = data;
  const lines: string[] = [];
  const engine = await openDuckdbEngine({
    directoryOf: ({ dataset, version }) => directory.version(dataset.name, version),
    temporaryDirectory: join(directory.temporary, 'serve-test'),
    memoryLimitBytes: 2 ** 30,
    threads: 2,
    connectionsMax: options.connectionsMax ?? 4,
    waitingMax: options.waitingMax ?? 1000,
  });
  const server = await openHttpServer({
    host: '127.0.0.1',
    port: 0,
    version: '0.0.0',
    service: {
      catalog: openCatalog(directory),
      engine,
      pageTokenKey: store.secret('page-token'),
      queryTimeoutMs: options.queryTimeoutMs ?? 30_000,
    },
    store,
    observe: openLog({ write: (line) => lines.push(line) }),
    isReady: options.isReady ?? (() => true),
  });
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    if (!headers.has('x-request-id')) headers.set('x-request-id', REQUEST_ID);
    const response = await fetch(`${server.url}${path}`, { ...init, headers });
    return readAnswer(response);
  };
  return {
    url: server.url,
    send,
    post: (operation, body, headers) =>
      send(`/v3/catalog/${operation}`, {
        method: 'POST',
        headers: new Headers({ 'content-type': 'application/json', ...toRecord(headers) }),
        body:
          typeof body === 'string' || body instanceof Uint8Array
            ? // Node types the bytes of a Buffer as shared with other threads, which these are not.
              (body as BodyInit)
            : JSON.stringify(body),
      }),
    log: () => lines.map((line) => JSON.parse(line)),
    logText: () => lines.join(''),
    close: async () => {
      await server.close();
      await engine.close();
    },
  };
}

/** The problem of an answer with what HTTP says beside it, as one value for a snapshot. */
export async function problemOf(sent: Promise<Answer>): Promise<unknown> {
  const { status, headers, body } = await sent;
  return {
    http: `${status} ${headers.get('content-type')}`,
    'x-request-id': headers.get('x-request-id'),
    ...body,
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    // A test reads only the members that the answer it asked for has.
    body: (isJson ? JSON.parse(text) : {}) as Body,
  };
}

function toRecord(headers: HeadersInit | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(new Headers(headers).entries());
}
