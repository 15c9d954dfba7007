import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { authenticate } from '../../auth/authenticate.ts';
import type { ControlStore } from '../../auth/control-store.ts';
import { TokenRefusedError } from '../../auth/token-refused-error.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { ERROR_TABLE, ServiceError } from '../../domain/service-error.ts';
import type { Observe } from '../../observe/observation.ts';
import type { Call, ServiceContext } from '../../service/service-context.ts';
import { watchConnections } from './close-connections.ts';
import { describeApi, isPublicRoute } from './describe-api.ts';
import type { HttpApp } from './http-app.ts';
import { PROBLEM_MEDIA_TYPE, toProblem } from './problem.ts';
import { readJsonBody } from './read-json-body.ts';
import { readSpelling, toWrittenPointers } from './read-spelling.ts';
import { stateOf } from './request-state.ts';
import { routeGetDataReference } from './routes/get-data-reference.ts';
import { routeHealth } from './routes/health.ts';
import { routeListDataReferences } from './routes/list-data-references.ts';
import { routeListRecords } from './routes/list-records.ts';
import { routeSearchFieldValues } from './routes/search-field-values.ts';
import { toServiceError } from './to-service-error.ts';

const BODY_MAX_BYTES = 1024 * 1024;
/** A client that takes longer to send its whole request is cut off. */
const REQUEST_TIMEOUT_MS = 30_000;

export type HttpServer = {
  /** Where it listens, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Stops listening and waits for the requests that are being answered. */
  readonly close: () => Promise<void>;
};

/** Opens the HTTP edge and listens. */
export async function openHttpServer(options: {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly service: ServiceContext;
  readonly store: Pick<ControlStore, 'findCaller'>;
  readonly observe: Observe;
  readonly isReady: () => boolean;
}): Promise<HttpServer> {
  const { observe, store, service } = options;
  const sendProblem = (error: ServiceError, request: FastifyRequest, reply: FastifyReply): void => {
    if (error.reason === 'INTERNAL') {
      observe({ kind: 'request_failed', requestId: request.id, error: error.cause ?? error });
    } else {
      const { code, reason, cause } = error;
      const refusal =
        cause instanceof TokenRefusedError
          ? {
              tokenRefusal: cause.refusal,
              ...(cause.tokenId === undefined ? {} : { tokenId: cause.tokenId }),
            }
          : {};
      observe({ kind: 'request_refused', requestId: request.id, code, reason, ...refusal });
    }
    if (error.code === 'UNAUTHENTICATED') {
      reply.header('www-authenticate', challenge(error));
    }
    if (error.code === 'UNAVAILABLE') reply.header('retry-after', '1');
    const details = toWrittenPointers(error.details, stateOf(request).writtenPointers);
    const path = request.url.split('?')[0] ?? '';
    reply
      .code(error.httpStatus)
      .type(PROBLEM_MEDIA_TYPE)
      .send(JSON.stringify(toProblem(error, { path, requestId: request.id, details })));
  };
  const observeCompleted = (request: FastifyRequest, reply: FastifyReply, status: number): void => {
    const state = stateOf(request);
    if (state.isCompleted) return;
    state.isCompleted = true;
    const { caller, rows } = state;
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
    });
  };
  const app: HttpApp = fastify({
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    requestIdHeader: false,
    genReqId: requestIdOf,
    // What Fastify would log itself is observed in the hooks below.
    logger: false,
    // An address that is not well-formed is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      reply.header('x-content-type-options', 'nosniff');
      sendProblem(toServiceError(error), request, reply);
    },
    ajv: {
      customOptions: {
        // A body is checked as it is: no type is coerced and no unknown field dropped.
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        allowUnionTypes: true,
        verbose: true,
      },
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readJsonBody(Buffer.from(body)));
    } catch (error) {
      done(ServiceError.from(error));
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    const state = stateOf(request);
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      state.gone.abort();
      // Fastify tells nothing of an answer that nobody was there to take.
      observeCompleted(request, reply, ERROR_TABLE.CANCELLED.httpStatus);
    });
    if (isPublicRoute(request.routeOptions.url)) return;
    reply.header('cache-control', 'no-store');
    state.caller = authenticate(request.headers.authorization, store);
  });

  app.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body;
    if (schema === undefined) return;
    // The schemas of bodies are those of the contract, which are plain JSON Schema objects.
    const { body, written } = readSpelling(request.body ?? {}, schema as object);
    stateOf(request).writtenPointers = written;
    request.body = body;
  });

  app.addHook('onResponse', async (request, reply) => {
    observeCompleted(request, reply, reply.statusCode);
  });

  app.setErrorHandler((error, request, reply) => {
    // Fastify types what is thrown as unknown; it is an error of its own, of ours, or a bug.
    sendProblem(toServiceError(error as Parameters<typeof toServiceError>[0]), request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = METHODS.filter((method) => app.hasRoute({ method, url: path }));
    if (methods.length > 0) {
      reply.header('allow', methods.join(', '));
      sendProblem(methodNotAllowed(request.method, path, methods), request, reply);
    } else {
      sendProblem(routeNotFound(path), request, reply);
    }
  });

  await describeApi(app, options.version);
  const context = {
    service,
    callOf: (request: FastifyRequest): Call => {
      const { caller, gone } = stateOf(request);
      if (caller === undefined) throw new Error('A route that needs a caller is public.');
      return { caller, signal: gone.signal };
    },
  };
  routeHealth(app, options.isReady);
  routeListDataReferences(app, context);
  routeGetDataReference(app, context);
  routeListRecords(app, context);
  routeSearchFieldValues(app, context);

  const connections = watchConnections(app.server);
  await app.ready();
  const url = await app.listen({ host: options.host, port: options.port });
  return { url, close: () => connections.closeDuring(() => app.close()) };
}

/** The caller's own id where it is harmless to write into logs and headers, else a new one. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && HARMLESS_ID.test(given) ? given : randomUUID();
}

const HARMLESS_ID = /^[A-Za-z0-9._-]{1,128}$/;
const METHODS = ['GET', 'POST'] as const;

/** RFC 6750: the error is named only when a token was sent. */
function challenge(error: ServiceError): string {
  const realm = 'Bearer realm="locmetrics"';
  return error.reason === 'TOKEN_INVALID' ? `${realm}, error="invalid_token"` : realm;
}

function methodNotAllowed(method: string, path: string, allowed: readonly string[]): ServiceError {
  return new ServiceError('METHOD_NOT_ALLOWED', `${path} does not answer ${method}.`, {
    hint: `Send ${allowed.join(' or ')}.`,
  });
}

function routeNotFound(path: string): ServiceError {
  const nearest = nearestName(path, CATALOG_PATHS);
  return new ServiceError('ROUTE_NOT_FOUND', `There is nothing at ${path.slice(0, 200)}.`, {
    hint:
      nearest === undefined ? '/openapi.json lists the addresses.' : `Did you mean '${nearest}'?`,
  });
}

const CATALOG_PATHS = [
  '/v3/catalog/listDataReferences',
  '/v3/catalog/getDataReference',
  '/v3/catalog/listRecords',
  '/v3/catalog/searchFieldValues',
];
