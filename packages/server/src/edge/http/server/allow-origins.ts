import fastifyCors from '@fastify/cors';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../http-app.ts';

/** The headers that scripts of a page may read. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'RateLimit',
  'RateLimit-Policy',
  'Content-Disposition',
  'Next-Page-Token',
  'Total-Size',
  'Data-Version',
  'Link',
  'Locmetrics-Rows',
  'Locmetrics-Rows-Policy',
];
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'X-Request-Id',
  'traceparent',
  'tracestate',
];
/** A browser repeats the preflight after this time, so that a removed origin soon loses access. */
const PREFLIGHT_KEPT_SECONDS = 600;

/** Whether a browser asks what a page of another origin may do. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  const isAsked = headers['access-control-request-method'] !== undefined;
  return method === 'OPTIONS' && isAsked && headers.origin !== undefined;
}

/** Refuses a preflight that `allowOrigins` has not answered. Call it after that. */
export function refusePreflights(app: HttpApp): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isPreflight(request)) return done();
    const origin = String(request.headers.origin).slice(0, 200);
    throw new ServiceError(
      'ORIGIN_NOT_ALLOWED',
      `Pages of the origin '${origin}' may not read answers.`,
      { hint: 'The operator of the service allows origins with --cors-origins.' },
    );
  });
}

/**
 * Allows pages of other origins to read answers, including errors (CORS): exact origins such as
 * `https://maps.example`, or all with `*`. It answers preflights itself, because they have no token. The
 * service uses no cookies, so `*` exposes nothing: a page needs a token of its own.
 */
export async function allowOrigins(app: HttpApp, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const isListed = async (origin: string | undefined) =>
    origin !== undefined && origins.includes(origin);
  await app.register(fastifyCors, {
    // Other origins get none of the headers.
    origin: origins.includes('*') ? '*' : isListed,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_KEPT_SECONDS,
    strictPreflight: false,
  });
}
