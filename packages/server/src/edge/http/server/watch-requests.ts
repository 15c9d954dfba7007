import { isIP } from 'node:net';
import { releaseBuffer } from '@locmetrics/core/encoding/buffer-pool';
import { ERROR_TABLE } from '@locmetrics/core/errors/service-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureOf } from '../../../observe/failure-of.ts';
import type { Observe } from '../../../observe/observation.ts';
import { requestCompleted } from '../../../observe/request-completed.ts';
import { runInScope } from '../../../observe/request-scope.ts';
import type { StartTrace } from '../../../observe/trace.ts';
import { readUserAgent } from '../../../observe/user-agent.ts';
import type { HttpApp } from '../http-app.ts';
import { stateOf } from '../request/request-state.ts';

export type RequestWatcher = {
  /** Observes the start of a request, and its end. */
  readonly start: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Observes what the hooks see of all requests. */
  readonly watch: (app: HttpApp) => void;
};

/** Observes the start and the end of each request, and detects callers that disconnect before the end. */
export function requestWatcher({
  observe,
  startTrace,
}: {
  readonly observe: Observe;
  readonly startTrace: StartTrace;
}): RequestWatcher {
  const observeEnd = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const state = stateOf(request);
    if (state.isCompleted) return;
    state.isCompleted = true;
    state.trace.end({ 'http.response.status_code': status }, failureOf(status));
    observe(
      requestCompleted({
        ...state,
        method: request.method,
        route: routeOf(request),
        status,
        durationMs: reply.elapsedTime,
        userAgent: readUserAgent(request.headers['user-agent']),
      }),
    );
  };
  const start = (request: FastifyRequest, reply: FastifyReply): void => {
    const { method, headers } = request;
    const route = routeOf(request);
    observe({ kind: 'request_began', protocol: 'http', method });
    // A closed connection has no address, and a proxy can send an invalid one.
    if (isIP(request.ip) !== 0) stateOf(request).clientAddress = request.ip;
    // Health checks are not traced.
    if (request.routeOptions.config.access !== 'public') {
      stateOf(request).trace = startTrace({
        name: `${method} ${route}`,
        facts: {
          'http.request.method': method,
          'http.route': route,
          'url.scheme': request.protocol,
          'locmetrics.request_id': request.id,
        },
        traceparent: textOf(headers['traceparent']),
        tracestate: textOf(headers['tracestate']),
      });
    }
    reply.raw.once('close', () => {
      const isSent = reply.raw.writableFinished;
      const { gone, metered, answer, interruptedBy = 'CANCELLED' } = stateOf(request);
      if (!isSent) gone.abort();
      // By then the system has taken all bytes. The buffer of an answer that is cut off becomes garbage.
      else if (answer !== undefined) releaseBuffer(answer);
      metered?.end();
      // Fastify reports nothing if the caller disconnected before the answer.
      observeEnd(request, reply, isSent ? reply.statusCode : ERROR_TABLE[interruptedBy].httpStatus);
    });
  };
  return {
    start,
    watch: (app) => {
      app.addHook('preHandler', (request, _reply, done) => {
        runInScope(stateOf(request), done);
      });
      app.addHook('onSend', (request, _reply, payload, done) => {
        // Pages of rows are bytes already; other answers are texts until here. Only a streamed one is neither.
        const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
        if (Buffer.isBuffer(bytes)) stateOf(request).bytes = bytes.length;
        done(null, bytes);
      });
      app.addHook('onResponse', (request, reply, done) => {
        observeEnd(request, reply, reply.statusCode);
        done();
      });
    },
  };
}

/** The route instead of the address, because an address can contain text from a caller. */
function routeOf(request: FastifyRequest): string {
  // The pattern that Fastify needs between a parameter and a colon tells nothing.
  return request.routeOptions.url?.replace('([^/]+)::', '::') ?? 'unknown';
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
