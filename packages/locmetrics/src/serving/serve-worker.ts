import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { dropIdleBuffers } from '@locmetrics/core/encoding/buffer-pool';
import { closePart } from '@locmetrics/core/runtime/close-part';
import { openFilesInUse } from '@locmetrics/data-directory/versions/checked-files';
import {
  type DataDirectory,
  dataDirectory,
} from '@locmetrics/data-directory/versions/data-directory';
import { type Catalog, openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import {
  openVersionLease,
  type VersionLease,
} from '@locmetrics/data-directory/versions/version-lease';
import { watchRights } from '@locmetrics/server/auth/watch-rights';
import { GRPC_LIMITS } from '@locmetrics/server/edge/grpc/grpc-limits';
import { HTTP_LIMITS } from '@locmetrics/server/edge/http/http-limits';
import type { BuiltPages } from '@locmetrics/server/edge/http/server/serve-pages';
import { clientGroups } from '@locmetrics/server/edge/listening/client-groups';
import { openConnectionRoom } from '@locmetrics/server/edge/listening/connection-room';
import { openCertificateSource } from '@locmetrics/server/edge/listening/tls/certificate-source';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { openLimitKeeper } from '@locmetrics/server/metering/open-limit-keeper';
import { openUsageReader } from '@locmetrics/server/metering/usage-reader';
import type { Observe } from '@locmetrics/server/observe/observation';
import { observeAll } from '@locmetrics/server/observe/observe-all';
import { openMetrics } from '@locmetrics/server/observe/open-metrics';
import type { Tracing } from '@locmetrics/server/observe/open-tracing';
import {
  type ExportRunner,
  openExportRunner,
} from '@locmetrics/server/service/exports/open-export-runner';
import { metricSources } from '@locmetrics/server/service/metrics/metric-sources';
import { pollOncePerTick } from '@locmetrics/server/service/queries/poll-once-per-tick';
import { TAKING_LIMITS } from '@locmetrics/server/service/queries/unsent-answer';
import { openReadiness } from '@locmetrics/server/service/readiness';
import { readBuildInfo } from '../compose/build-info.ts';
import { composeService } from '../compose/compose-service.ts';
import { openConfiguredClickhouse } from '../compose/configured-clickhouse.ts';
import { openColumns } from '../compose/open-columns.ts';
import { USAGE_THREAD, usagePlace } from '../compose/open-data.ts';
import { openTableFiles } from '../compose/open-table-files.ts';
import { readPackageVersion } from '../compose/package-version.ts';
import { LEASE_MARGIN_MS, openVersions } from '../compose/with-versions.ts';
import type { Config } from '../config/settings.ts';
import { collectWhenIdle } from '../processes/collect-when-idle.ts';
import type { WorkerSetup } from '../processes/messages.ts';
import { reportTogether } from '../processes/report-together.ts';
import type { Primary, WorkerDuties } from '../processes/worker-channel.ts';
import { hostNamesOf } from './host-names.ts';
import { openEdges } from './open-edges.ts';
import { openExports } from './open-exports.ts';
import { openServiceLog } from './open-service-log.ts';
import { openWorkerStore } from './open-serving-store.ts';
import { versionOperations } from './run-version-operations.ts';

/** Creates the parts of a worker process that answer requests. */
export async function startServing(setup: WorkerSetup, primary: Primary): Promise<WorkerDuties> {
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
      holder: 'worker',
      holdMs: config.queryTimeoutMs + LEASE_MARGIN_MS,
      onFailed: (error) => observe({ kind: 'lease_failed', error }),
    }),
    closePart,
  );
  const catalog = openServedCatalog({ setup, directory, lease, observe });
  const database = opening.adopt(
    (await openConfiguredClickhouse(config, directory))?.database,
    closePart,
  );
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
  let runner: ExportRunner | undefined;
  const exports = await openExports({
    ...{ config, directory, opening, store, publicUrl: setup.publicUrl },
    wake: () => runner?.wake(),
  });
  const files = openFilesInUse(primary.checkFiles);
  const { pollFirst, findCaller, catalog: seen } = pollOncePerTick({ store, catalog });
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
      tableFiles: openTableFiles(join(directory.temporary, lease.name)),
      watch: { observe, slowQueryMs: config.slowQueryMs ?? 0 },
      limits: {
        answersMax: config.queriesMax,
        aggregationsMax: Math.ceil(config.queriesMax / 2),
        waitingMax: config.queueMax,
        unsentMaxBytes: config.unsentMaxBytes,
      },
      ledger,
      limitKeeper,
      viewedRows: config.viewedRowsPerDay,
      usage,
      exports: exports?.context,
      pageTokenKey: () => store.secret('page-token'),
      wasPageTokenKeyReplaced: () => store.wasReplaced('page-token'),
      queryTimeoutMs: config.queryTimeoutMs,
      onUnusableGrant: (unusable) => observe({ kind: 'grant_unusable', ...unusable }),
    }),
  );
  if (exports !== undefined) {
    runner = opening.adopt(openExportRunner(service, { observe }), closePart);
  }
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
    pollFirst,
    observe,
    isReady: readiness.isReady,
    ...(certificate === undefined ? {} : { certificate }),
    ...(tracing === undefined ? {} : { startTrace: tracing.start }),
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
        pages: findPages(config),
        docs: config.docs ? builtFolder('docs') : undefined,
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
    usePublicUrl: (url) => exports?.usePublicUrl(url),
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
  const { openTracing } = await import('@locmetrics/server/observe/open-tracing');
  return openTracing({ endpoint, headers, sampleRatio, version, observe });
}

function findPages({ explorer, mapStyle }: Config): BuiltPages | undefined {
  const folder = builtFolder('explorer');
  return folder === undefined ? undefined : { folder, explorer, mapStyle };
}

/** The built pages of a package: in the installed package, or where the clone builds them. Undefined: they were not built. */
function builtFolder(name: 'explorer' | 'docs'): string | undefined {
  return [`../../${name}`, `../../../${name}/dist`]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((folder) => existsSync(`${folder}/index.html`));
}
