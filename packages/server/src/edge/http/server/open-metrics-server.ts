import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as passTime } from 'node:timers/promises';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { createServer } from '@locmetrics/core/network/node-http';
import { METRICS_MEDIA_TYPE } from '../../../observe/metric-totals.ts';
import type { Observe } from '../../../observe/observation.ts';
import { readRequestId } from '../../../observe/request-id.ts';
import { observeError } from '../../../service/queries/observe-error.ts';
import { boundAddress } from '../../listening/listen.ts';
import { challengeOf } from '../answer/challenge.ts';
import { PROBLEM_MEDIA_TYPE, toProblem } from '../answer/to-problem.ts';
import { checkHeaders } from '../request/check-headers.ts';
import { ADDRESSES_ALONE, type HostNames, hostCheck } from '../request/check-host.ts';
import { passExpectations } from './await-continue.ts';
import { connectionRefuser } from './refuse-connections.ts';

/** A scrape request is a few lines, so it arrives quickly. */
const REQUEST_TIMEOUT_MS = 5000;
const CONNECTIONS_MAX = 100;

/** Running requests get this long when the listener is closed. */
const CLOSE_TIMEOUT_MS = 1000;

export type MetricsServer = {
  /** The address of the listener, for example `http://127.0.0.1:9464`. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/**
 * Opens the listener for monitoring: `/metrics`, `/livez` and `/readyz`. Its requests are neither counted
 * in the metrics nor logged, unless they fail.
 */
export async function openMetricsServer({
  host,
  port,
  collect,
  checkReady,
  build = {},
  authorize = () => {},
  hosts = ADDRESSES_ALONE,
  observe,
}: {
  readonly host: string;
  readonly port: number;
  /** The text of a scrape. */
  readonly collect: () => Promise<string>;
  /** Throws a ServiceError that names what is not ready. */
  readonly checkReady: () => Promise<void>;
  /** Shown by `/readyz`: the version, commit and day of the build. */
  readonly build?: object;
  /** Throws a ServiceError for an `Authorization` without access to metrics. Default: no check. */
  readonly authorize?: (authorization: string | undefined) => void;
  /** Default: addresses and `localhost`. */
  readonly hosts?: HostNames;
  readonly observe: Observe;
}): Promise<MetricsServer> {
  const checkHost = hostCheck(hosts);
  let collecting: Promise<string> | undefined;
  const pages: Readonly<Record<string, (request: IncomingMessage) => Promise<Page>>> = {
    '/metrics': async ({ headers }) => {
      authorize(headers.authorization);
      // Concurrent requests share one scrape, because it asks every worker.
      collecting ??= collect().finally(() => {
        collecting = undefined;
      });
      return { type: METRICS_MEDIA_TYPE, text: await collecting };
    },
    '/livez': async () => ({ type: JSON_TYPE, text: '{"status":"live"}' }),
    '/readyz': async () => {
      await checkReady();
      return { type: JSON_TYPE, text: JSON.stringify({ status: 'ready', ...build }) };
    },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = readRequestId(request.headers['x-request-id']);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const send = (status: number, { type, text }: Page): void => {
      response.writeHead(status, {
        'content-type': type,
        'content-length': Buffer.byteLength(text),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
      });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    try {
      checkHeaders(request);
      checkHost(request);
      const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
      if (page === undefined) throw nothingThere(path);
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD');
        throw wrongMethod(request.method ?? '', path);
      }
      send(200, await page(request));
    } catch (thrown) {
      const error = ServiceError.from(thrown);
      observeError(observe, error, requestId, { isAlone: true });
      const challenge = challengeOf(error);
      if (challenge !== undefined) response.setHeader('www-authenticate', challenge);
      const problem = toProblem(error, { path, requestId, details: error.details });
      send(error.httpStatus, { type: PROBLEM_MEDIA_TYPE, text: JSON.stringify(problem) });
    }
  };

  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      // `checkHeaders` refuses it, with a problem document.
      requireHostHeader: false,
    },
    (request, response) => void answer(request, response),
  );
  server.maxConnections = CONNECTIONS_MAX;
  const refuser = connectionRefuser(observe);
  refuser.watch(server);
  server.on('clientError', refuser.refuse);
  passExpectations(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  // A failed accept is ignored: later ones may succeed, and the service listeners report the failure.
  server.on('error', () => {});
  return {
    url: `http://${boundAddress(server)}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeIdleConnections();
      // The timer does not keep the process alive.
      await Promise.race([closed, passTime(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

type Page = { readonly type: string; readonly text: string };

const JSON_TYPE = 'application/json; charset=utf-8';

function nothingThere(path: string): ServiceError {
  return new ServiceError('ROUTE_NOT_FOUND', `There is nothing at ${path.slice(0, 200)}.`, {
    hint: 'This listener has /metrics, /livez and /readyz; the interface has another listener.',
  });
}

function wrongMethod(method: string, path: string): ServiceError {
  return new ServiceError('METHOD_NOT_ALLOWED', `${path} does not answer ${method}.`, {
    hint: 'Send GET or HEAD.',
  });
}
