import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { authenticate } from '../../../auth/authenticate.ts';
import { checkScope } from '../../../auth/check-scope.ts';
import type { ControlStore, ManagementOperations } from '../../../auth/control-store.ts';
import type { Observe } from '../../../observe/observation.ts';
import { type BeginTrace, beginNoTrace, runInSpan } from '../../../observe/trace.ts';
import { LOOK_AT_EACH_USE, type LookFirst } from '../../../service/look-once-per-turn.ts';
import type { Call, ServiceContext } from '../../../service/service-context.ts';
import { TAKING_LIMITS, type TakingLimits } from '../../../service/unsent-answer.ts';
import type { VersionOperations } from '../../../versions/version-operations.ts';
import { STOP_GRACE_MS } from '../../listening/open-connections.ts';
import type { CertificateSource } from '../../listening/tls/certificate-source.ts';
import { answerUnlessHeld } from '../answer/answer-unless-held.ts';
import { compressAnswers } from '../answer/compress-answers.ts';
import { cutSlowAnswers } from '../answer/cut-slow-answers.ts';
import { problemSender } from '../answer/send-problem.ts';
import { toServiceError } from '../answer/to-service-error.ts';
import type { HttpApp } from '../http-app.ts';
import { HTTP_LIMITS, type HttpLimits, nodeServerOptions } from '../http-limits.ts';
import { collectRoutes } from '../openapi/collect-routes.ts';
import { composeDocument } from '../openapi/compose-document.ts';
import { checkHeaders } from '../request/check-headers.ts';
import { checkMediaType } from '../request/check-media-type.ts';
import { BODY_VALIDATION, readBodies } from '../request/read-bodies.ts';
import { requestIdOf } from '../request/request-id.ts';
import { stateOf } from '../request/request-state.ts';
import { expectAccess, type RouteAccess } from '../route-access.ts';
import { routeAdminAudit } from '../routes/admin/audit.ts';
import { routeAdminExplain } from '../routes/admin/explain.ts';
import { routeAdminGrants } from '../routes/admin/grants.ts';
import { routeAdminLimits } from '../routes/admin/limits.ts';
import { routeAdminOrganisations } from '../routes/admin/organisations.ts';
import { routeAdminPreview } from '../routes/admin/preview.ts';
import { routeAdminTokens } from '../routes/admin/tokens.ts';
import { routeAdminVersions } from '../routes/admin/versions.ts';
import { routeDescribeTiles } from '../routes/describe-tiles.ts';
import { routeGetCaller } from '../routes/get-caller.ts';
import { routeGetDataReference } from '../routes/get-data-reference.ts';
import { routeGetLayer } from '../routes/get-layer.ts';
import { routeGetMetric } from '../routes/get-metric.ts';
import { routeHealth } from '../routes/health.ts';
import { routeListAddressComponents } from '../routes/list-address-components.ts';
import { routeListCatalogs } from '../routes/list-catalogs.ts';
import { routeListDataReferences } from '../routes/list-data-references.ts';
import { routeListMetrics } from '../routes/list-metrics.ts';
import { routeListRecords } from '../routes/list-records.ts';
import { routeReadTile } from '../routes/read-tile.ts';
import { routeReadUsage } from '../routes/read-usage.ts';
import type { RouteContext } from '../routes/route-context.ts';
import { routeSearchAddressComponentValues } from '../routes/search-address-component-values.ts';
import { routeSearchDimensionValues } from '../routes/search-dimension-values.ts';
import { routeSearchFieldValues } from '../routes/search-field-values.ts';
import { routeSearchLayerFeatures } from '../routes/search-layer-features.ts';
import { routeSearchMetricReport } from '../routes/search-metric-report.ts';
import { routeSearchMetricValues } from '../routes/search-metric-values.ts';
import { routeSignIn } from '../routes/sign-in.ts';
import { allowOrigins } from './allow-origins.ts';
import { describeApi } from './describe-api.ts';
import { refuseAddresses } from './refuse-addresses.ts';
import { connectionRefuser } from './refuse-connections.ts';
import { serveConnections } from './serve-connections.ts';
import { serveExplorer } from './serve-explorer.ts';
import { requestWatcher } from './watch-requests.ts';

export type HttpServer = {
  /** Serves a new connection in plaintext. */
  readonly accept: (socket: Socket) => void;
  /** Serves a new connection over TLS, if there is a certificate. */
  readonly acceptTls: (socket: Socket) => void;
  /** Ends up to this many connections without an accepted token; returns how many. */
  readonly makeRoom: (connections: number) => number;
  /** Completes running requests, accepts new ones within the grace time, then ends the connections. */
  readonly close: (graceMs?: number) => Promise<void>;
};

/** Opens the HTTP edge; it serves the connections that are passed to it. */
export async function openHttpServer(options: {
  readonly version: string;
  readonly service: ServiceContext;
  readonly store: Pick<ControlStore, 'findCaller'> & ManagementOperations;
  readonly versions: VersionOperations;
  /** Default: each use of the store and the catalog is a look. */
  readonly lookFirst?: LookFirst;
  readonly observe: Observe;
  /** Default: no traces. */
  readonly beginTrace?: BeginTrace;
  /** Throws a ServiceError that names what is not ready. */
  readonly checkReady: () => Promise<void>;
  readonly certificate?: CertificateSource;
  readonly limits?: HttpLimits;
  readonly taking?: TakingLimits;
  /** Origins whose pages may read answers: exact origins, or `*` for all; default: none. */
  readonly corsOrigins?: readonly string[];
  /** The folder of the built explorer; default: it is not served. */
  readonly explorer?: string | undefined;
  /**
   * Addresses and networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` is trusted. Default: none,
   * because any other client could send a forged header.
   */
  readonly trustedProxies?: readonly string[];
}): Promise<HttpServer> {
  const { observe, store, service, beginTrace = beginNoTrace } = options;
  const { limits = HTTP_LIMITS, trustedProxies = [], lookFirst = LOOK_AT_EACH_USE } = options;
  const sendProblem = problemSender(observe);
  const watcher = requestWatcher({ observe, beginTrace });
  const refuser = connectionRefuser(observe);
  const app: HttpApp = fastify({
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    http: nodeServerOptions(limits),
    bodyLimit: limits.bodyMaxBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // An overlong id in an address is reported as unknown by the operation.
    routerOptions: { maxParamLength: maxHeaderSize },
    requestIdHeader: false,
    genReqId: requestIdOf,
    // The log of Fastify is off, because its events are observed.
    logger: false,
    clientErrorHandler: refuser.refuse,
    ajv: { customOptions: BODY_VALIDATION },
    // A malformed address is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      watcher.begin(request, reply);
      setGeneralHeaders(request, reply);
      sendProblem(toServiceError(error, limits), request, reply);
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  refuser.watch(app.server);
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));

  // Set before the first plugin, because its routes use the handler that exists then.
  app.setErrorHandler((error, request, reply) => {
    // Fastify types the error as unknown; it is an error of Fastify, a ServiceError, or a bug.
    const thrown = error as Parameters<typeof toServiceError>[0];
    sendProblem(toServiceError(thrown, limits), request, reply);
  });

  const admit = async (
    request: FastifyRequest,
    access: Exclude<RouteAccess, 'public'> | undefined,
  ): Promise<void> => {
    const state = stateOf(request);
    state.caller = runInSpan(state.trace, 'auth', () =>
      authenticate(request.headers.authorization, store),
    );
    const { caller, gone } = state;
    if (access !== undefined && access !== 'any') checkScope(caller, access);
    // Limits do not apply to the admin interface.
    if (access !== 'admin') {
      const { id: requestId } = request;
      state.metered = await service.meter.admit({ caller, requestId, signal: gone });
    }
    checkMediaType(request.headers);
  };

  // Hooks call `done`: a promise for each would cost every request more than most of them do.
  app.addHook('onRequest', (request, reply, done) => {
    setGeneralHeaders(request, reply);
    done();
  });
  watcher.watch(app);
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    checkHeaders(raw);
    done();
  });
  await allowOrigins(app, options.corsOrigins ?? []);
  app.addHook('onRequest', (request, reply, done) => {
    const { access } = request.routeOptions.config;
    if (access === 'public') return done();
    reply.header('cache-control', 'no-store');
    lookFirst(() => admit(request, access).then(() => done(), done));
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { caller } = stateOf(request);
    if (caller !== undefined) {
      for (const [name, value] of service.meter.headers(caller)) reply.header(name, value);
    }
    done();
  });
  compressAnswers(app, service.answers);
  cutSlowAnswers(app, { answers: service.answers, limits: options.taking ?? TAKING_LIMITS });
  readBodies(app);
  refuseAddresses(app);

  const answer = answerUnlessHeld(options.version);
  const routes = collectRoutes(app);
  expectAccess(app);
  const { versions } = options;
  const context: RouteContext = { service, store, versions, callOf, answerUnlessHeld: answer };
  routeHealth(app, options.checkReady);
  routeGetCaller(app, context);
  routeSignIn(app, context);
  routeListDataReferences(app, context);
  routeGetDataReference(app, context);
  routeListRecords(app, context);
  routeSearchFieldValues(app, context);
  routeReadTile(app, context);
  routeDescribeTiles(app, context);
  routeListCatalogs(app, context);
  routeListMetrics(app, context);
  routeGetMetric(app, context);
  routeSearchMetricReport(app, context);
  routeSearchMetricValues(app, context);
  routeGetLayer(app, context);
  routeSearchLayerFeatures(app, context);
  routeListAddressComponents(app, context);
  routeSearchAddressComponentValues(app, context);
  routeSearchDimensionValues(app, context);
  routeReadUsage(app, context);
  routeAdminOrganisations(app, context);
  routeAdminTokens(app, context);
  routeAdminGrants(app, context);
  routeAdminLimits(app, context);
  routeAdminAudit(app, context);
  routeAdminVersions(app, context);
  routeAdminExplain(app, context);
  routeAdminPreview(app, context);
  if (options.explorer !== undefined) await serveExplorer(app, options.explorer);
  await describeApi(app, composeDocument(options.version, routes), answer);

  const { accept, acceptTls, makeRoom, close } = serveConnections(app, options.certificate);
  await app.ready();
  return {
    accept,
    acceptTls,
    makeRoom,
    close: async (graceMs = STOP_GRACE_MS) => {
      await close(graceMs);
      await app.close();
    },
  };
}

function setGeneralHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
}

function callOf(request: FastifyRequest): Call {
  const { caller, gone } = stateOf(request);
  if (caller === undefined) throw new Error('A route that needs a caller is public.');
  return { caller, signal: gone };
}
