import type { Socket } from 'node:net';
import { join } from 'node:path';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import type { Grant } from '@locmetrics/core/domain/grant';
import { createRights, type OrganisationLimits } from '@locmetrics/core/domain/rights';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { closePart } from '@locmetrics/core/runtime/close-part';
import type { Engine } from '@locmetrics/core/storage/engine';
import { openFilesInUse } from '@locmetrics/data-directory/versions/checked-files';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openDerivedFileChecks } from '@locmetrics/data-directory/versions/derived-files';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { TokenLookup } from '@locmetrics/server/auth/callers';
import type { FileControlStore } from '@locmetrics/server/auth/control-store';
import { GRPC_LIMITS, type GrpcLimits } from '@locmetrics/server/edge/grpc/grpc-limits';
import { HTTP_LIMITS, type HttpLimits } from '@locmetrics/server/edge/http/http-limits';
import type { BuiltPages } from '@locmetrics/server/edge/http/server/serve-pages';
import { listen, type OpenPort } from '@locmetrics/server/edge/listening/listen';
import type { CertificateSource } from '@locmetrics/server/edge/listening/tls/certificate-source';
import type { ExportContext } from '@locmetrics/server/exports/export-context';
import { openExportFolder } from '@locmetrics/server/exports/export-folder';
import { readLinkKey } from '@locmetrics/server/exports/export-links';
import { type ExportSettings, PART_MAX_BYTES } from '@locmetrics/server/exports/export-settings';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { openLimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import { openLimitKeeper } from '@locmetrics/server/metering/open-limit-keeper';
import type { ViewedRows } from '@locmetrics/server/metering/open-viewing-limits';
import { openUsageReader } from '@locmetrics/server/metering/usage-reader';
import { writeMetrics } from '@locmetrics/server/observe/metric-totals';
import type { Observe } from '@locmetrics/server/observe/observation';
import { observeAll } from '@locmetrics/server/observe/observe-all';
import { openLog } from '@locmetrics/server/observe/open-log';
import { openMetrics } from '@locmetrics/server/observe/open-metrics';
import type { StartTrace } from '@locmetrics/server/observe/trace';
import {
  type ExportRunner,
  openExportRunner,
} from '@locmetrics/server/service/exports/open-export-runner';
import { metricSources } from '@locmetrics/server/service/metrics/metric-sources';
import { ANSWER_LIMITS, type AnswerLimits } from '@locmetrics/server/service/queries/answer-limit';
import { pollOncePerTick } from '@locmetrics/server/service/queries/poll-once-per-tick';
import { TAKING_LIMITS, type TakingLimits } from '@locmetrics/server/service/queries/unsent-answer';
import { afterAll, beforeAll } from 'vitest';
import { composeService, type ServiceParts } from '../../src/compose/compose-service.ts';
import { USAGE_THREAD } from '../../src/compose/open-data.ts';
import { openTableFiles } from '../../src/compose/open-table-files.ts';
import type { ListenerName } from '../../src/processes/messages.ts';
import { openEdges } from '../../src/serving/open-edges.ts';
import { versionOperations } from '../../src/serving/run-version-operations.ts';
import { SMALL_IMPORT } from '../importer/whole-publish.ts';
import { type GrpcTestClient, openGrpcClient } from './grpc/grpc-client.ts';
import { createTestData, ORGANISATION_ID, type TestData } from './test-data.ts';

/** The id of every request without one, so that answers are the same in every run. */
export const REQUEST_ID = 'request-1';

export type TestServer = {
  readonly url: string;
  /** The address of HTTP over TLS, if a certificate is given. */
  readonly httpsUrl: string;
  /** Sends a request with the token of the test data, unless `headers` has another one. */
  readonly send: (path: string, request?: TestRequest) => Promise<Answer>;
  /** Posts a body to a call of the catalog interface. A text or bytes are sent unchanged. */
  readonly post: (operation: string, body: unknown, headers?: RequestHeaders) => Promise<Answer>;
  /** Calls over gRPC in plaintext with the token of the test data, unless `metadata` has another one. */
  readonly grpc: Pick<GrpcTestClient, 'ask' | 'refusal'>;
  /** The address of gRPC in plaintext, for example `127.0.0.1:40001`. */
  readonly grpcAddress: string;
  /** The address of gRPC over TLS, if a certificate is given. */
  readonly grpcTlsAddress: string;
  /** The lines of the log so far, parsed. */
  readonly log: () => readonly Readonly<Record<string, unknown>>[];
  readonly logText: () => string;
  /** The metrics as Prometheus reads them. */
  readonly scrape: () => Promise<string>;
  /** `graceMs`: open connections can be used for so long. The default is 0. */
  readonly close: (graceMs?: number) => Promise<void>;
};

type RequestHeaders = Readonly<Record<string, string>>;

export type TestRequest = {
  readonly method?: string;
  /** Names in lower case. An empty `authorization` omits the header. */
  readonly headers?: RequestHeaders;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body: Body;
};

/** Members of the answers that tests check separately. */
export type Body = {
  readonly records: readonly { readonly fields: Readonly<Record<string, unknown>> }[];
  readonly values: readonly string[];
  readonly nextPageToken: string;
  readonly totalSize: number;
  readonly version: string;
  readonly reason: string;
  readonly requestId: string;
};

export type ServerOptions = {
  /** The grants of every organisation. The default is the control store. */
  readonly grants?: readonly Grant[];
  readonly queryTimeoutMs?: number;
  readonly connectionsMax?: number;
  readonly waitingMax?: number;
  readonly isReady?: () => boolean;
  readonly answers?: Partial<AnswerLimits>;
  readonly taking?: Partial<TakingLimits>;
  readonly limits?: Partial<HttpLimits>;
  readonly grpcLimits?: Partial<GrpcLimits>;
  readonly corsOrigins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  /** Names by which it is called. The default is all. */
  readonly hosts?: readonly string[];
  readonly basePath?: string;
  /** The built pages. The default is none. */
  readonly pages?: BuiltPages;
  /** The folder of a built documentation. The default is none. */
  readonly docs?: string;
  /** The engine over the stores. The default is the one that chooses between them. */
  readonly openEngine?: ServiceParts<Engine>['openEngine'];
  /** Whether row files are checked before they are used. The default is that they are as they were written. */
  readonly checksRowFiles?: boolean;
  /** The release of the server. */
  readonly version?: string;
  /** The default is that no query is slow. */
  readonly slowQueryMs?: number;
  readonly startTrace?: StartTrace;
  /** The limits of an organisation. The default is none. */
  readonly limitsOf?: (organisationId: string) => OrganisationLimits;
  /** The rows that an organisation may look at besides its limits. */
  readonly viewedRows?: ViewedRows;
  /** The bounds of exports. */
  readonly exports?: Partial<ExportSettings>;
  /** The certificate with which both edges are also served over TLS. */
  readonly certificate?: CertificateSource;
};

/** Both edges over the test data, composed as in a worker, on free ports of loopback. */
export async function openTestServer(
  data: TestData,
  options: ServerOptions = {},
): Promise<TestServer> {
  await using opening = new AsyncDisposableStack();
  const { directory, token } = data;
  const lines: string[] = [];
  const metrics = opening.adopt(openMetrics({ version: '0.0.0' }), closePart);
  const observe = observeAll(
    openLog({ stream: { write: (line) => lines.push(line) } }).observe,
    metrics.observe,
  );
  const store = withOptions(data.store, options);
  const catalog = openCatalog(directory);
  const authority = openLimitAuthority({
    readUsedRows: async () => ({ day: 0, month: 0 }),
    observe,
  });
  const limitKeeper = opening.adopt(openLimitKeeper({ line: authority.openLine() }), closePart);
  const ledger = opening.adopt(
    openLedger({ files: directory.usage, sync: 'normal', observe }),
    closePart,
  );
  const usage = opening.adopt(
    openUsageReader({ place: directory.usage, code: USAGE_THREAD, observe }),
    closePart,
  );
  const { pollFirst, findCaller, catalog: seen } = pollOncePerTick({ store, catalog });
  let runner: ExportRunner | undefined;
  let url = '';
  const exportStore = openExportStore(directory.exports.store);
  const exports: ExportContext = {
    store: opening.adopt(exportStore, closePart),
    node: undefined,
    folder: openExportFolder(directory.exports.files),
    settings: {
      bytesMax: 2 ** 30,
      keepMs: 86_400_000,
      unfinishedMax: 10,
      partMaxBytes: PART_MAX_BYTES,
      ...options.exports,
    },
    findCallerById: store.findCallerById,
    linkKey: () => readLinkKey(data.store),
    publicUrl: () => url,
    wake: () => runner?.wake(),
  };
  const { service } = opening.use(
    await composeService<Engine>({
      directory,
      catalog: seen,
      ...(options.checksRowFiles ? checkRowFiles(directory, observe, opening) : TRUSTED_ROW_FILES),
      openColumns: (directoryOf) =>
        openDuckdbEngine({
          directoryOf,
          temporaryDirectory: join(directory.temporary, 'serve-test'),
          memoryLimitBytes: 2 ** 30,
          threads: SMALL_IMPORT.threads,
          connectionsMax: options.connectionsMax ?? 4,
          waitingMax: options.waitingMax ?? 1000,
        }),
      ...(options.openEngine === undefined ? {} : { openEngine: options.openEngine }),
      tableFiles: openTableFiles(join(directory.temporary, 'serve-test')),
      watch: { observe, slowQueryMs: options.slowQueryMs ?? 0 },
      limits: { ...ANSWER_LIMITS, ...options.answers },
      ledger,
      limitKeeper,
      viewedRows: options.viewedRows,
      usage,
      exports,
      pageTokenKey: () => store.secret('page-token'),
      queryTimeoutMs: options.queryTimeoutMs ?? 300_000,
      // The queries of an answer do not depend on how busy the machine is.
      extentSoonMs: 60_000,
    }),
  );
  runner = opening.adopt(openExportRunner(service, { observe, lookEveryMs: 20 }), closePart);
  const { isReady = () => true, certificate, startTrace, version = '0.0.0' } = options;
  const { pages, docs, corsOrigins = [], trustedProxies = [], basePath = '' } = options;
  const shared = {
    service,
    store: { ...store, findCaller },
    pollFirst,
    observe,
    isReady,
    taking: { ...TAKING_LIMITS, ...options.taking },
    ...(certificate === undefined ? {} : { certificate }),
    ...(startTrace === undefined ? {} : { startTrace }),
  };
  const edges = opening.adopt(
    await openEdges({
      http: {
        ...shared,
        ...{ version, pages, docs, corsOrigins, trustedProxies, basePath },
        versions: versionOperations(directory, data.store, SMALL_IMPORT),
        hosts: { called: options.hosts ?? ['*'] },
        limits: { ...HTTP_LIMITS, ...options.limits },
        checkReady: async () => {
          if (isReady()) return;
          throw new ServiceError('NOT_READY', 'Not answering: the engine.', { hint: 'Try again.' });
        },
      },
      grpc: { ...shared, limits: { ...GRPC_LIMITS, ...options.grpcLimits } },
    }),
    ({ close }) => close(),
  );
  const port = async (listener: ListenerName): Promise<OpenPort> => {
    const take = (socket: Socket): void => edges.accept(listener, socket);
    return opening.adopt(await listen({ host: '127.0.0.1', port: 0 }, take), closePart);
  };
  const ports = {
    http: await port('http'),
    https: await port('https'),
    grpc: await port('grpc'),
    grpcPlaintext: await port('grpcPlaintext'),
  };
  url = `http://${ports.http.address}`;
  const grpcAddress = ports.grpcPlaintext.address;
  const grpc = opening.adopt(openGrpcClient(grpcAddress, { token }), closePart);
  const send = async (path: string, { headers, ...request }: TestRequest = {}): Promise<Answer> => {
    const sent = new Headers({
      authorization: `Bearer ${token}`,
      'x-request-id': REQUEST_ID,
      ...headers,
    });
    if (sent.get('authorization') === '') sent.delete('authorization');
    const init: RequestInit = { ...request, headers: sent, redirect: 'manual' };
    // A body of unknown length is sent in chunks, and fetch requires this option for it.
    return readAnswer(await fetch(`${url}${path}`, { ...init, duplex: 'half' }));
  };
  const closing = opening.move();
  return {
    url,
    httpsUrl: `https://${ports.https.address}`,
    send,
    post: (operation, body, headers) =>
      send(`/v3/catalog/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    grpc,
    grpcAddress,
    grpcTlsAddress: ports.grpc.address,
    log: () => lines.map((line) => JSON.parse(line)),
    logText: () => lines.join(''),
    scrape: async () =>
      writeMetrics([await metrics.snapshot(metricSources({ ...service, catalog }, { isReady }))]),
    close: async (graceMs = 0) => {
      grpc.close();
      for (const open of Object.values(ports)) open.close();
      await edges.close(graceMs);
      await closing.disposeAsync();
    },
  };
}

type RowFileUse = Pick<ServiceParts<Engine>, 'isChecked' | 'onLeftOut'>;

const TRUSTED_ROW_FILES: RowFileUse = {
  onLeftOut: (_, error) => {
    throw error;
  },
};

/** As the primary and a worker do together. */
function checkRowFiles(
  directory: DataDirectory,
  observe: Observe,
  opening: AsyncDisposableStack,
): RowFileUse {
  const report = ({ datasetName: dataset, version }: LeasedVersion, problem: string): void =>
    observe({ kind: 'row_file_unusable', dataset, version, problem });
  const checks = opening.adopt(
    openDerivedFileChecks(directory, ({ problem, ...version }) => report(version, problem)),
    closePart,
  );
  void checks.checkCurrent();
  const files = openFilesInUse((version) => void checks.check(version).then(files.useChecked));
  return {
    isChecked: files.isChecked,
    onLeftOut: (version, error) => report(version, String(error)),
  };
}

/** The store with the grants and limits of the test. */
function withOptions(
  store: FileControlStore,
  { grants, limitsOf = () => ({}) }: Pick<ServerOptions, 'grants' | 'limitsOf'>,
): FileControlStore {
  const given = grants && createRights({ organisationId: ORGANISATION_ID, grants });
  const change = (found: TokenLookup): TokenLookup => {
    if (!found.isAccepted) return found;
    const { caller } = found;
    const rights = { ...(given ?? caller.rights), limits: limitsOf(caller.organisationId) };
    return { ...found, caller: { ...caller, rights } };
  };
  return {
    ...store,
    findCaller: (tokenText) => change(store.findCaller(tokenText)),
    findCallerById: (tokenId) => change(store.findCallerById(tokenId)),
    // Tests replace `findCaller`, so it is asked for each request.
    pollCallers: () => () => undefined,
  };
}

/** A server for the tests of a file. Its data are published before the first test. */
export function useTestServer(
  prepare: (data: TestData) => Promise<unknown>,
  options: ServerOptions = {},
): UsedServer {
  let data: TestData;
  let server: TestServer;
  beforeAll(async () => {
    data = await createTestData();
    await prepare(data);
    server = await openTestServer(data, options);
  });
  afterAll(async () => {
    await server.close();
    await data.remove();
  });
  return {
    data: () => data,
    url: () => server.url,
    send: (...given) => server.send(...given),
    post: (...given) => server.post(...given),
    problem: (...given) => problemOf(server.post(...given)),
    ask: (...given) => server.grpc.ask(...given),
    refusal: (...given) => server.grpc.refusal(...given),
    grpcAddress: () => server.grpcAddress,
    log: () => server.log(),
    logText: () => server.logText(),
    scrape: () => server.scrape(),
  };
}

export type UsedServer = Pick<TestServer, 'send' | 'post' | 'log' | 'logText' | 'scrape'> &
  Pick<GrpcTestClient, 'ask' | 'refusal'> & {
    readonly grpcAddress: () => string;
    readonly data: () => TestData;
    readonly url: () => string;
    /** Like `post`, for a request that is refused. */
    readonly problem: (...given: Parameters<TestServer['post']>) => Promise<unknown>;
  };

/** The problem of an answer with its HTTP status and headers, as one value for a snapshot. */
export async function problemOf(sent: Promise<Answer>): Promise<unknown> {
  const { status, headers, body } = await sent;
  return {
    http: `${status} ${headers.get('content-type')}`,
    'x-request-id': headers.get('x-request-id'),
    ...body,
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    // A test reads only members that its answer has.
    body: (isJson && text !== '' ? JSON.parse(text) : {}) as Body,
  };
}
