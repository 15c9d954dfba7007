import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchRights } from '../auth/watch-rights.ts';
import type { Config } from '../config/settings.ts';
import type { ReadableVersion } from '../domain/predicate.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { GRPC_LIMITS } from '../edge/grpc/grpc-limits.ts';
import { openGrpcServer } from '../edge/grpc/open-grpc-server.ts';
import { HTTP_LIMITS } from '../edge/http/http-limits.ts';
import { openHttpServer } from '../edge/http/server/open-http-server.ts';
import { clientGroups } from '../edge/listening/client-groups.ts';
import { openConnectionRoom } from '../edge/listening/connection-room.ts';
import { openCertificateSource } from '../edge/listening/tls/certificate-source.ts';
import { dropSlabs } from '../encoding/slabs.ts';
import { openLedger } from '../metering/open-ledger.ts';
import { openLimitKeeper } from '../metering/open-limit-keeper.ts';
import { openUsageReader } from '../metering/usage-reader.ts';
import type { Observe } from '../observe/observation.ts';
import { observeAll } from '../observe/observe-all.ts';
import { openMetrics } from '../observe/open-metrics.ts';
import type { Tracing } from '../observe/open-tracing.ts';
import { collectWhenIdle } from '../processes/collect-when-idle.ts';
import type { WorkerSetup } from '../processes/messages.ts';
import { reportTogether } from '../processes/report-together.ts';
import type { Primary, WorkerDuties } from '../processes/worker-channel.ts';
import { lookOncePerTurn } from '../service/look-once-per-turn.ts';
import { metricSources } from '../service/metric-sources.ts';
import { openReadiness } from '../service/readiness.ts';
import { createServiceContext } from '../service/service-context.ts';
import { TAKING_LIMITS } from '../service/unsent-answer.ts';
import { watchEngine } from '../service/watch-engine.ts';
import { openEmbeddedEngine } from '../storage/embedded/open-embedded-engine.ts';
import { openRowFiles } from '../storage/sqlite/engine/open-row-files.ts';
import { openFilesInUse } from '../versions/checked-files.ts';
import { dataDirectory } from '../versions/data-directory.ts';
import { openCatalog } from '../versions/open-catalog.ts';
import { findExtent } from '../versions/published-extents.ts';
import { openVersionLease } from '../versions/version-lease.ts';
import { readBuildInfo } from './build-info.ts';
import { hostNamesOf } from './host-names.ts';
import { openClickhouse } from './open-clickhouse.ts';
import { openColumns } from './open-columns.ts';
import { usagePlace } from './open-data.ts';
import { openServiceLog } from './open-service-log.ts';
import { openWorkerStore } from './open-serving-store.ts';
import { readPackageVersion } from './package-version.ts';
import { versionOperations } from './version-operations.ts';
import { LEASE_MARGIN_MS, openVersions } from './with-versions.ts';

/** Creates the parts of a worker process that answer requests. */
export async function beginServing(setup: WorkerSetup, primary: Primary): Promise<WorkerDuties> {
  const { worker, config, root } = setup;
  const directory = dataDirectory(root);
  const version = readPackageVersion();
  const metrics = openMetrics({ version });
  const log = openServiceLog(config, {
    worker,
    onLineDropped: () => metrics.observe({ kind: 'log_lines_dropped', lines: 1 }),
  });
  const observe = observeAll(log.observe, metrics.observe);
  const tracing = await openTracingWhereAsked(config, { version, observe });
  const { store: opened, freshness } = await openWorkerStore(directory, config, {
    freshUntilMs: setup.controlFreshUntilMs,
    use: 'service',
    waitsForLock: false,
    onOpenToOthers: (file) => observe({ kind: 'file_open_to_others', ...file }),
    onLastUsedFailed: (error) => observe({ kind: 'last_used_failed', error }),
  });
  const rights = watchRights(opened, {
    onDamaged: (row) => observe({ kind: 'rights_damaged', ...row }),
  });
  const { store } = rights;
  const lease = openVersionLease({
    directory,
    holdMs: config.queryTimeoutMs + LEASE_MARGIN_MS,
    onFailed: (error) => observe({ kind: 'lease_failed', error }),
  });
  const known = new Map(setup.damaged.map(({ version: name, problem }) => [name, problem]));
  let isTelling = false;
  const catalog = openCatalog(directory, {
    lease,
    isInDatabase: config.clickhouse !== undefined,
    damaged: ({ version: name }) => known.get(name),
    onUnreadable: (error) => observe({ kind: 'current_unreadable', error }),
    onDamaged: ({ datasetName: dataset, ...damage }) => {
      if (isTelling) observe({ kind: 'version_damaged', dataset, ...damage });
    },
  });
  // The primary has already reported the versions that are damaged at the start.
  catalog.snapshot();
  isTelling = true;
  const files = openFilesInUse(primary.checkFiles);
  const directoryOf = ({ dataset, version: name }: ReadableVersion) =>
    directory.version(dataset.name, name);
  const rows = openRowFiles({
    directoryOf,
    isChecked: ({ dataset, version: name }) =>
      files.isChecked({ datasetName: dataset.name, version: name }),
    onLeftOut: ({ dataset, version: name }, error) =>
      observe({
        kind: 'row_file_unusable',
        dataset: dataset.name,
        version: name,
        problem: error instanceof Error ? error.message : String(error),
      }),
  });
  const columns = await openColumns(config, {
    directoryOf,
    temporaryDirectory: join(directory.temporary, lease.name),
    listServed: () => catalog.snapshot().datasets.values(),
  });
  const engine = openEmbeddedEngine({
    rows,
    columns,
    ...(config.clickhouse === undefined ? {} : { columnStore: 'ClickHouse' }),
  });
  const database = openClickhouse(config, directory)?.database;
  const versions = await openVersions({ config, directory }, database);
  const certificate =
    setup.certificate === undefined ? undefined : openCertificateSource(setup.certificate);
  const limits = openLimitKeeper({ line: primary.limits });
  const ledger = openLedger({ files: directory.usage, sync: config.usageSync, observe });
  const usage = openUsageReader({ place: usagePlace({ directory, config }), observe });
  const { lookFirst, findCaller, catalog: seen } = lookOncePerTurn({ store, catalog });
  const service = createServiceContext(
    {
      ledger,
      limitKeeper: limits,
      usage,
      catalog: seen,
      engine: watchEngine(engine, { observe, slowQueryMs: config.slowQueryMs ?? 0 }),
      pageTokenKey: () => store.secret('page-token'),
      wasPageTokenKeyReplaced: () => store.wasReplaced('page-token'),
      queryTimeoutMs: config.queryTimeoutMs,
      findExtent: (version) => findExtent(version, directoryOf),
      onUnusableGrant: (unusable) => observe({ kind: 'grant_unusable', ...unusable }),
    },
    {
      answersMax: config.queriesMax,
      waitingMax: config.queueMax,
      unsentMaxBytes: config.unsentMaxBytes,
    },
  );
  const readiness = await openReadiness({ catalog, store, engine, ledger, observe });
  const countDisplaced = reportTogether((connections) =>
    observe({ kind: 'connections_displaced', connections }),
  );
  const room = openConnectionRoom({
    connectionsMax: setup.connectionsMax,
    perClientMax: setup.perClientMax,
    clientOf: clientGroups(config.trustedProxies),
    onDisplaced: () => countDisplaced(1),
  });
  const shared = {
    service,
    room,
    taking: { ...TAKING_LIMITS, stallTimeoutMs: config.sendTimeoutMs },
    store: { ...store, findCaller },
    lookFirst,
    observe,
    checkReady: readiness.check,
    countDamagedRights: async () => (await rights.damagedNow()).length,
    isReady: readiness.isReady,
    ...(certificate === undefined ? {} : { certificate }),
    ...(tracing === undefined ? {} : { beginTrace: tracing.begin }),
  };
  const { corsOrigins, trustedProxies, basePath } = config;
  const { requestTimeoutMs, bodyMaxBytes } = config;
  const http = await openHttpServer({
    ...shared,
    versions: versionOperations(directory, store, {
      threads: 1,
      database,
      versions: versions.store,
    }),
    version,
    build: readBuildInfo(),
    corsOrigins,
    hosts: hostNamesOf(config),
    trustedProxies,
    basePath,
    explorer: config.explorer ? explorerFolder() : undefined,
    limits: { ...HTTP_LIMITS, requestTimeoutMs, bodyMaxBytes },
  });
  const grpc = openGrpcServer({
    ...shared,
    limits: { ...GRPC_LIMITS, requestTimeoutMs, messageMaxBytes: bodyMaxBytes },
  });
  const accept = {
    http: http.accept,
    https: http.acceptTls,
    grpc: grpc.acceptTls,
    grpcPlaintext: grpc.accept,
  };
  const stopCollecting = collectWhenIdle(() => {
    dropSlabs();
    columns.returnMemory();
  });
  // Over ClickHouse a version with more records has no row file.
  const rowsMax = config.clickhouse === undefined ? Infinity : config.clickhouseRowFilesMax;
  const needsRowFile = ({ dataset, version: name, rowCount = 0 }: DatasetVersion) =>
    rowCount <= rowsMax && !files.isChecked({ datasetName: dataset.name, version: name });
  const sources = metricSources({ ...service, catalog, needsRowFile }, readiness, rights);
  const readMetrics = () => metrics.snapshot(sources);
  return {
    accept: (listener, socket) => accept[listener](socket),
    makeRoom: room.make,
    changeCertificate: (pair) => certificate?.change(pair),
    noteControlFresh: (untilMs) => freshness?.extend(untilMs),
    drain: readiness.stop,
    useChecked: files.useChecked,
    checkReady: readiness.check,
    readMetrics,
    stop: async (graceMs) => {
      readiness.stop();
      rights.close();
      stopCollecting();
      const giveUp = setTimeout(() => process.exit(1), graceMs + config.drainTimeoutMs);
      await Promise.all([http.close(graceMs), grpc.close(graceMs)]);
      limits.close();
      await Promise.all([ledger.close(), usage.close()]);
      const last = await readMetrics();
      await service.extents.close();
      await engine.close();
      await versions.close();
      await database?.close();
      lease.close();
      await store.close();
      await tracing?.close();
      metrics.close();
      clearTimeout(giveUp);
      return last;
    },
  };
}

/** The libraries of traces are loaded only if traces are on. */
async function openTracingWhereAsked(
  { otlpEndpoint: endpoint, otlpHeaders: headers, traceRatio: sampleRatio }: Config,
  { version, observe }: { readonly version: string; readonly observe: Observe },
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const { openTracing } = await import('../observe/open-tracing.ts');
  return openTracing({ endpoint, headers, sampleRatio, version, observe });
}

/** The built explorer: in the installed package, or where the clone builds it. Undefined: it was not built. */
function explorerFolder(): string | undefined {
  return ['../../explorer', '../../../explorer/dist']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((folder) => existsSync(`${folder}/index.html`));
}
