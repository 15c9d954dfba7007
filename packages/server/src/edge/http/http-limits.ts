import type { ServerOptions } from 'node:http';

/** The limits for the connections and requests of a client. */
export type HttpLimits = {
  /** The head of a request must arrive within this time; for the first request, since the connection opened. */
  readonly headersTimeoutMs: number;
  /** The whole request must arrive within this time. */
  readonly requestTimeoutMs: number;
  /** An idle connection is closed after this time. */
  readonly keepAliveTimeoutMs: number;
  readonly bodyMaxBytes: number;
};

/**
 * - A head is at most 16 KiB; a client that needs more than 10 s for it wastes a connection.
 * - Load balancers keep connections for 60 s. They must close them first, because otherwise they can send a
 *   request on a connection that was just closed.
 */
export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 72_000,
  bodyMaxBytes: 2 ** 20,
};

/** Node's default interval for timeout checks is 30 s. */
const POLL_EVERY_MS = 1000;

/** The options of Node's server. */
export function nodeServerOptions({
  headersTimeoutMs,
  requestTimeoutMs,
}: HttpLimits): ServerOptions {
  return {
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    connectionsCheckingInterval: POLL_EVERY_MS,
    // `checkHeaders` refuses a request without a host, with a problem document.
    requireHostHeader: false,
  };
}
