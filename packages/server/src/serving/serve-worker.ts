import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchRights } from '../auth/watch-rights.ts';
import { readBuildInfo } from '../compose/build-info.ts';
import { composeService } from '../compose/compose-service.ts';
import { openClickhouse } from '../compose/open-clickhouse.ts';
import { openColumns } from '../compose/open-columns.ts';
import { USAGE_THREAD, usagePlace } from '../compose/open-data.ts';
import { readPackageVersion } from '../compose/package-version.ts';
import { LEASE_MARGIN_MS, openVersions } from '../compose/with-versions.ts';
import type { Config } from '../config/settings.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { GRPC_LIMITS } from '../edge/grpc/grpc-limits.ts';
import { HTTP_LIMITS } from '../edge/http/http-limits.ts';
import { clientGroups } from '../edge/listening/client-groups.ts';
import { openConnectionRoom } from '../edge/listening/connection-room.ts';
import { openCertificateSource } from '../edge/listening/tls/certificate-source.ts';
import { dropIdleBuffers } from '../encoding/buffer-pool.ts';
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
import { closePart } from '../runtime/close-part.ts';
import { lookOncePerTurn } from '../service/look-once-per-turn.ts';
import { metricSources } from '../service/metric-sources.ts';
import { openReadiness } from '../service/readiness.ts';
import { TAKING_LIMITS } from '../service/unsent-answer.ts';
import { openFilesInUse } from '../versions/checked-files.ts';
import { type DataDirectory, dataDirectory } from '../versions/data-directory.ts';
import { type Catalog, openCatalog } from '../versions/open-catalog.ts';
import { openVersionLease, type VersionLease } from '../versions/version-lease.ts';
import { hostNamesOf } from './host-names.ts';
import { openEdges } from './open-edges.ts';
import { openServiceLog } from './open-service-log.ts';
import { openWorkerStore } from './open-serving-store.ts';
import { versionOperations } from './version-operations.ts';

/** Creates the parts of a worker process that answer requests. */
export async function beginServing(setup: WorkerSetup, primary: Primary): Promise<WorkerDuties> {
  // Closed in reverse order: by a start that fails half-way, or when the worker stops.
  await using opening = new AsyncDisposableStack();
  const { worker, config, root } = setup;
  const directory = dataDirectory(root);
  const version = readPackageVersion();
  const metrics = opening.adopt(openMetrics({ version }), closePart);
  const log = openServiceLog(config, {
    worker,
    onLineDropped: () => metrics.observe({ kind: 'log_lines_dropped', lines: 1 }),
  });
  const observe = observeAll(log.observe, metrics.observe);
  const tracing = opening.adopt(
    await openTracingWhereAsked(config, { version, observe }),
    closePart,
  );
  const { store: opened, freshness } = await openWorkerStore(directory, config, {
    freshUntilMs: setup.controlFreshUntilMs,
    use: 'service',
    waitsForLock: false,
    onOpenToOthers: (file) => observe({ kind: 'file_open_to_others', ...file }),
    onLastUsedFailed: (error) => observe({ kind: 'last_used_failed', error }),
  });
  opening.adopt(opened, closePart);
  const rights = opening.adopt(
    watchRights(opened, { onDamaged: (row) => observe({ kind: 'rights_damaged', ...row }) }),
    closePart,
  );
  const { store } = rights;
  const lease = opening.adopt(
    openVersionLease({
      directory,
      holdMs: config.queryTimeoutMs + LEASE_MARGIN_MS,
      onFailed: (error) => observe({ kind: 'lease_failed', error }),
    }),
    closePart,
  );
  const catalog = openServedCatalog({ setup, directory, lease, observe });
  const database = opening.adopt(openClickhouse(config, directory)?.database, closePart);
  const versions = opening.adopt(await openVersions({ config, directory }, database), closePart);
  // Closed before the last metrics are read, which count the usage that was recorded last.
  const metering = opening.use(new AsyncDisposableStack());
  const limitKeeper = metering.adopt(openLimitKeeper({ line: primary.limits }), closePart);
  const ledger = metering.adopt(
    openLedger({ files: directory.usage, sync: config.usageSync, observe }),
    closePart,
  );
  const usage = metering.adopt(
    openUsageReader({ place: usagePlace({ directory, config }), code: USAGE_THREAD, observe }),
    closePart,
  );
  const files = openFilesInUse(primary.checkFiles);
  const { lookFirst, findCaller, catalog: seen } = lookOncePerTurn({ store, catalog });
  const { service, engine, columns } = opening.use(
    await composeService({
      directory,
      catalog: seen,
      isChecked: files.isChecked,
      onLeftOut: ({ datasetName: dataset, version: name }, error) =>
        observe({
          kind: 'row_file_unusable',
          dataset,
          version: name,
          problem: error instanceof Error ? error.message : String(error),
        }),
      openColumns: (directoryOf) =>
        openColumns(config, {
          directoryOf,
          temporaryDirectory: join(directory.temporary, lease.name),
          listServed: () => catalog.snapshot().datasets.values(),
        }),
      columnStore: config.clickhouse === undefined ? undefined : 'ClickHouse',
      watch: { observe, slowQueryMs: config.slowQueryMs ?? 0 },
      limits: {
        answersMax: config.queriesMax,
        waitingMax: config.queueMax,
        unsentMaxBytes: config.unsentMaxBytes,
      },
      ledger,
      limitKeeper,
      usage,
      pageTokenKey: () => store.secret('page-token'),
      wasPageTokenKeyReplaced: () => store.wasReplaced('page-token'),
      queryTimeoutMs: config.queryTimeoutMs,
      onUnusableGrant: (unusable) => observe({ kind: 'grant_unusable', ...unusable }),
    }),
  );
  const readiness = await openReadiness({ catalog, store, engine, ledger, observe });
  const certificate =
    setup.certificate === undefined ? undefined : openCertificateSource(setup.certificate);
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
    isReady: readiness.isReady,
    ...(certificate === undefined ? {} : { certificate }),
    ...(tracing === undefined ? {} : { beginTrace: tracing.begin }),
  };
  const { corsOrigins, trustedProxies, basePath } = config;
  const { requestTimeoutMs, bodyMaxBytes } = config;
  const edges = opening.adopt(
    await openEdges({
      http: {
        ...shared,
        checkReady: readiness.check,
        countDamagedRights: async () => (await rights.damagedNow()).length,
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
      },
      grpc: {
        ...shared,
        limits: { ...GRPC_LIMITS, requestTimeoutMs, messageMaxBytes: bodyMaxBytes },
      },
    }),
    ({ close }) => close(),
  );
  opening.defer(
    collectWhenIdle(() => {
      dropIdleBuffers();
      columns.returnMemory();
    }),
  );
  // Over ClickHouse a version with more records has no row file.
  const rowsMax = config.clickhouse === undefined ? Infinity : config.clickhouseRowFilesMax;
  const needsRowFile = ({ dataset, version: name, rowCount = 0 }: DatasetVersion) =>
    rowCount <= rowsMax && !files.isChecked({ datasetName: dataset.name, version: name });
  const sources = metricSources({ ...service, catalog, needsRowFile }, readiness, rights);
  const readMetrics = () => metrics.snapshot(sources);
  const closing = opening.move();
  return {
    accept: edges.accept,
    makeRoom: room.make,
    changeCertificate: (pair) => certificate?.change(pair),
    noteControlFresh: (untilMs) => freshness?.extend(untilMs),
    drain: readiness.stop,
    useChecked: files.useChecked,
    checkReady: readiness.check,
    readMetrics,
    stop: async (graceMs) => {
      readiness.stop();
      const giveUp = setTimeout(() => process.exit(1), graceMs + config.drainTimeoutMs);
      await edges.close(graceMs);
      await metering.disposeAsync();
      const last = await readMetrics();
      await closing.disposeAsync();
      clearTimeout(giveUp);
      return last;
    },
  };
}

/** The catalog of a worker. The primary has already reported the versions that are damaged at the start. */
function openServedCatalog({
  setup: { config, damaged },
  directory,
  lease,
  observe,
}: {
  readonly setup: WorkerSetup;
  readonly directory: DataDirectory;
  readonly lease: VersionLease;
  readonly observe: Observe;
}): Catalog {
  const known = new Map(damaged.map(({ version, problem }) => [version, problem]));
  let isTelling = false;
  const catalog = openCatalog(directory, {
    lease,
    isInDatabase: config.clickhouse !== undefined,
    damaged: ({ version }) => known.get(version),
    onUnreadable: (error) => observe({ kind: 'current_unreadable', error }),
    onDamaged: ({ datasetName: dataset, ...damage }) => {
      if (isTelling) observe({ kind: 'version_damaged', dataset, ...damage });
    },
  });
  catalog.snapshot();
  isTelling = true;
  return catalog;
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
