import fastifyCors from '@fastify/cors';
import type { HttpApp } from './http-app.ts';

/** What scripts of a page may read besides the body. */
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'RateLimit',
  'RateLimit-Policy',
  'Locmetrics-Rows',
  'Locmetrics-Rows-Policy',
];
const REQUEST_HEADERS = ['Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id'];
/** A browser asks again after it, so that an origin that was taken off the list is soon shut out. */
const PREFLIGHT_KEPT_SECONDS = 600;

/**
 * Tells browsers whose pages may read answers (CORS), errors among them: those of exact origins, such
 * as `https://maps.example`, or of all where one is `*`. It answers their preflights itself, which
 * carry no token. Cookies are nothing to this service, so that `*` gives away nothing: a page has to
 * bring a token of its own.
 */
export async function allowOrigins(app: HttpApp, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const isListed = async (origin: string | undefined) =>
    origin !== undefined && origins.includes(origin);
  await app.register(fastifyCors, {
    // Who is not listed gets none of the headers.
    origin: origins.includes('*') ? '*' : isListed,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_KEPT_SECONDS,
    strictPreflight: false,
  });
}
