import type { ServerOptions } from 'node:http';

/** What a client may take of the service with its connections and requests. */
export type HttpLimits = {
  /** The head of a request arrives within this, and so does the first one of a connection. */
  readonly headersTimeoutMs: number;
  /** The whole request arrives within this. */
  readonly requestTimeoutMs: number;
  /** A connection without a request is closed after this. */
  readonly keepAliveTimeoutMs: number;
  readonly bodyMaxBytes: number;
};

/**
 * - A head is at most 16 KiB: who needs more than 10 s for it holds a connection for nothing.
 * - Load balancers keep connections for 60 s and send into one that was just closed, if they are not
 *   the ones who close it first.
 */
export const HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 72_000,
  bodyMaxBytes: 2 ** 20,
};

/** Node looks for requests that are late every 30 s by default. */
const LOOK_EVERY_MS = 1000;

/** What Node's server is to be created with. */
export function nodeServerOptions({
  headersTimeoutMs,
  requestTimeoutMs,
}: HttpLimits): ServerOptions {
  return {
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    connectionsCheckingInterval: LOOK_EVERY_MS,
    // A request without one is refused by us, with a problem.
    requireHostHeader: false,
  };
}
