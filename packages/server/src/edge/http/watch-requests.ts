import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_TABLE } from '../../domain/service-error.ts';
import type { Observe } from '../../observe/observation.ts';
import type { HttpApp } from './http-app.ts';
import { stateOf } from './request-state.ts';

/** Has the end of each request observed, and learns when a caller goes away before it. */
export function watchRequests(app: HttpApp, observe: Observe): void {
  const observeEnd = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const state = stateOf(request);
    if (state.isCompleted) return;
    state.isCompleted = true;
    const { caller, rows, clientAddress, cut } = state;
    observe({
      kind: 'request_completed',
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status,
      durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      ...(caller === undefined
        ? {}
        : { organisationId: caller.organisationId, tokenId: caller.tokenId }),
      ...(rows === undefined ? {} : { rows }),
      ...(clientAddress === undefined ? {} : { clientAddress }),
      ...(cut === undefined ? {} : { cut }),
    });
  };
  app.addHook('onRequest', async (request, reply) => {
    // A connection that is closed has no address any more, and a proxy can pass on what is none.
    if (isIP(request.ip) !== 0) stateOf(request).clientAddress = request.ip;
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      stateOf(request).gone.abort();
      // Fastify tells nothing of an answer that nobody was there to take.
      observeEnd(request, reply, ERROR_TABLE.CANCELLED.httpStatus);
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    observeEnd(request, reply, reply.statusCode);
  });
}
