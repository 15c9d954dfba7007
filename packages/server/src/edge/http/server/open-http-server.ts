import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { isInNetworks } from '@locmetrics/core/network/is-in-networks';
import { maxHeaderSize } from '@locmetrics/core/network/node-http';
import type { VersionOperations } from '@locmetrics/data-directory/versions/version-operations';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { ControlStore, ManagementOperations } from '../../../auth/control-store.ts';
import type { Observe } from '../../../observe/observation.ts';
import { readRequestId } from '../../../observe/request-id.ts';
import { type StartTrace, startNoTrace } from '../../../observe/trace.ts';
import { POLL_AT_EACH_USE, type PollFirst } from '../../../service/queries/poll-once-per-tick.ts';
import { TAKING_LIMITS, type TakingLimits } from '../../../service/queries/unsent-answer.ts';
import type { ServiceContext } from '../../../service/service-context.ts';
import type { ConnectionRoom } from '../../listening/connection-room.ts';
import { STOP_GRACE_MS } from '../../listening/open-connections.ts';
import type { ConnectionServer } from '../../listening/take-connections.ts';
import type { CertificateSource } from '../../listening/tls/certificate-source.ts';
import { admitRequest, authenticateRequest, checkSameRights } from '../../pipeline.ts';
import { compressAnswers } from '../answer/compress-answers.ts';
import { cutSlowAnswers } from '../answer/cut-slow-answers.ts';
import { problemSender } from '../answer/send-problem.ts';
import { toServiceError } from '../answer/to-service-error.ts';
import type { HttpApp } from '../http-app.ts';
import { HTTP_LIMITS, type HttpLimits, nodeServerOptions } from '../http-limits.ts';
import { collectRoutes } from '../openapi/collect-routes.ts';
import { composeDocument } from '../openapi/compose-document.ts';
import type { RouteDescription } from '../openapi/route-description.ts';
import { answerMediaTypes, checkAccept } from '../request/check-accept.ts';
import { checkHeaders } from '../request/check-headers.ts';
import { ADDRESSES_ALONE, type HostNames, hostCheck } from '../request/check-host.ts';
import { checkMediaType } from '../request/check-media-type.ts';
import { compileOnFirstUse } from '../request/compile-on-first-use.ts';
import { chooseCoding } from '../request/content-coding.ts';
import { isViewing } from '../request/is-viewing.ts';
import { pathPrefixes, withoutBasePath } from '../request/path-prefixes.ts';
import { readBodies } from '../request/read-bodies.ts';
import { stateOf } from '../request/request-state.ts';
import { expectAccess, type RouteAccess } from '../route-access.ts';
import { ALL_ROUTES } from '../routes/all-routes.ts';
import { EXPORT_FILE_PATH, routeExportFiles } from '../routes/export-files.ts';
import { routeHealth } from '../routes/health.ts';
import type { RouteContext } from '../routes/route-context.ts';
import { allowOrigins, refusePreflights } from './allow-origins.ts';
import { awaitContinue } from './await-continue.ts';
import { describeApi } from './describe-api.ts';
import { redirectDocs } from './redirect-docs.ts';
import { addressRefuser, answerOptions } from './refuse-addresses.ts';
import { connectionRefuser } from './refuse-connections.ts';
import { serveConnections } from './serve-connections.ts';
import { serveDocs } from './serve-docs.ts';
import { type BuiltPages, servePages } from './serve-pages.ts';
import { requestWatcher } from './watch-requests.ts';

/** Opens the HTTP edge; it serves the connections that are passed to it. */
export async function openHttpServer(options: {
  readonly version: string;
  /** Shown by `/readyz`: the version, commit and day of the build. */
  readonly build?: object;
  readonly service: ServiceContext;
  readonly store: Pick<ControlStore, 'findCaller'> & ManagementOperations;
  readonly versions: VersionOperations;
  /** Default: each use of the store and the catalog is a poll. */
  readonly pollFirst?: PollFirst;
  readonly observe: Observe;
  /** Default: no traces. */
  readonly startTrace?: StartTrace;
  /** Throws a ServiceError that names what is not ready. */
  readonly checkReady: () => Promise<void>;
  /** Shown by /readyz. Default: none. */
  readonly countDamagedRights?: () => Promise<number>;
  readonly certificate?: CertificateSource;
  /** Default: any number of connections. */
  readonly room?: ConnectionRoom;
  readonly limits?: HttpLimits;
  readonly taking?: TakingLimits;
  /** Origins whose pages may read answers: exact origins, or `*` for all; default: none. */
  readonly corsOrigins?: readonly string[];
  /** Default: no page is served. */
  readonly pages?: BuiltPages | undefined;
  /** The folder of the built documentation; default: it is not served. */
  readonly docs?: string | undefined;
  /**
   * Addresses and networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-` headers are trusted. Default: none,
   * because any other client could send a forged header.
   */
  readonly trustedProxies?: readonly string[];
  /** Default: addresses and `localhost`. */
  readonly hosts?: HostNames;
  /** The path below which a proxy offers the service, such as `/metrics-data`. Default: none. */
  readonly basePath?: string;
}): Promise<ConnectionServer> {
  const { observe, store, service, startTrace = startNoTrace } = options;
  const { limits = HTTP_LIMITS, pollFirst = POLL_AT_EACH_USE } = options;
  const { trustedProxies = [], basePath = '', taking = TAKING_LIMITS } = options;
  const checkHost = hostCheck(options.hosts ?? ADDRESSES_ALONE);
  const isTrustedProxy = isInNetworks(trustedProxies);
  const prefixes = pathPrefixes({ basePath, isTrustedProxy });
  const sendProblem = problemSender(observe);
  const watcher = requestWatcher({ observe, startTrace });
  const refuser = connectionRefuser(observe);
  /** The address of the caller, and the headers of each answer. */
  const start = (request: FastifyRequest, reply: FastifyReply): void => {
    stateOf(request).pathPrefix = prefixes.prefixOf(request);
    setGeneralHeaders(request, reply);
    watcher.start(request, reply);
  };
  const app: HttpApp = fastify({
    trustProxy: trustedProxies.length === 0 ? false : isTrustedProxy,
    rewriteUrl: ({ url = '' }: IncomingMessage) => withoutBasePath(url, basePath),
    http: nodeServerOptions(limits),
    bodyLimit: limits.bodyMaxBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // An overlong id in an address is reported as unknown by the operation.
    routerOptions: { maxParamLength: maxHeaderSize },
    // Otherwise Fastify loads compilers of its own, before it is given ours.
    schemaController: {
      compilersFactory: { buildValidator: givenBelow, buildSerializer: givenBelow },
    },
    requestIdHeader: false,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']),
    // The log of Fastify is off, because its events are observed.
    logger: false,
    clientErrorHandler: refuser.refuse,
    // A malformed address is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      start(request, reply);
      sendProblem(toServiceError(error, limits), request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  refuser.watch(app.server);
  app.setValidatorCompiler(compileOnFirstUse);
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));

  // Set before the first plugin, because its routes use the handler that exists then.
  app.setErrorHandler((error, request, reply) => {
    // Fastify types the error as unknown; it is an error of Fastify, a ServiceError, or a bug.
    const thrown = error as Parameters<typeof toServiceError>[0];
    sendProblem(toServiceError(thrown, limits), request, reply);
  });

  // Hooks call `done`: a promise for each would cost every request more than most of them do.
  app.addHook('onRequest', (request, reply, done) => {
    start(request, reply);
    checkHeaders(request.raw);
    checkHost(request.raw);
    prefixes.check(request);
    done();
  });
  watcher.watch(app);
  answerOptions(app);
  await allowOrigins(app, options.corsOrigins ?? []);
  refusePreflights(app);
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { caller } = stateOf(request);
    if (caller !== undefined) {
      const fields = service.meter.headers(caller, isViewing(request.headers));
      for (const [name, value] of fields) reply.header(name, value);
    }
    done();
  });
  compressAnswers(app, service.answers);
  cutSlowAnswers(app, { answers: service.answers, limits: taking });
  awaitContinue(app);
  readBodies(app);
  const addresses = addressRefuser(app);

  /** The steps before the body is received, in their order; a promise if they take time. */
  const enter = (
    request: FastifyRequest,
    reply: FastifyReply,
    access: Exclude<RouteAccess, 'public'> | undefined,
  ): undefined | Promise<undefined> => {
    const exchange = stateOf(request);
    const { headers } = request;
    const scope = access === 'any' ? undefined : access;
    authenticateRequest(exchange, { header: headers.authorization, scope }, store);
    const checkOthers = (): undefined => {
      checkAccept(headers.accept, mediaTypesOf(request));
      checkMediaType(headers);
      exchange.accepted = chooseCoding(headers);
      if (addresses.isRefused(request)) addresses.refuse(request, reply);
    };
    // Limits do not apply to the admin interface.
    const admitting =
      access === 'admin' ? undefined : admitRequest(exchange, service.meter, isViewing(headers));
    return admitting === undefined ? checkOthers() : admitting.then(checkOthers);
  };

  app.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config;
    if (access === 'public') {
      if (request.routeOptions.url !== EXPORT_FILE_PATH) sendWholeFiles(request.headers);
      stateOf(request).accepted = chooseCoding(request.headers);
      return done();
    }
    reply.header('cache-control', 'no-store');
    pollFirst(() => {
      let entering: ReturnType<typeof enter>;
      try {
        entering = enter(request, reply, access);
      } catch (error) {
        // What the steps throw are errors.
        return done(error as Error);
      }
      if (entering === undefined) done();
      else entering.then(() => done(), done);
    });
  });

  const routes = collectRoutes(app);
  expectAccess(app);
  const { version: release, versions } = options;
  const context: RouteContext = {
    ...{ service, store, versions, release, observe, taking },
    checkSameRights: (request) =>
      checkSameRights(stateOf(request), request.headers.authorization, store),
  };
  routeHealth(app, options);
  routeExportFiles(app, context.service);
  for (const add of ALL_ROUTES) add(app, context);
  const { pages, docs } = options;
  if (pages !== undefined) await servePages(app, { pages, basePath });
  if (docs !== undefined) {
    const isFirst = pages?.explorer !== true;
    await serveDocs(app, { folder: docs, refuse: addresses.refuse, isFirst });
  } else if (pages !== undefined) redirectDocs(app);
  describeApi(app, () => composeDocument(release, routes), release);

  const connections = serveConnections(app, options.certificate, options.room);
  await app.ready();
  return {
    ...connections,
    close: async (graceMs = STOP_GRACE_MS) => {
      await connections.close(graceMs);
      await app.close();
    },
  };
}

function givenBelow(): never {
  throw new Error('The validator and the serializer are set when the server is made.');
}

function setGeneralHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
}

/** The media types that the answer can have, the usual one first. */
function mediaTypesOf({ routeOptions: { schema } }: FastifyRequest): readonly string[] {
  // Only `route` creates schemas with this member.
  const { openapi } = (schema ?? {}) as { readonly openapi?: RouteDescription };
  return answerMediaTypes(openapi ?? {});
}

/**
 * A server may ignore a range (RFC 9110 § 14.2). The library for files reports one that it cannot send, and a failed
 * precondition, as errors that are not problem documents; the files are small and never change in place.
 */
function sendWholeFiles(headers: FastifyRequest['headers']): void {
  delete headers.range;
  delete headers['if-match'];
  delete headers['if-unmodified-since'];
}
