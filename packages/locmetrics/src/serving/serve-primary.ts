import { extname } from 'node:path';
import { setTimeout as passTime } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isLoopback } from '@locmetrics/core/network/is-loopback';
import { closePart } from '@locmetrics/core/runtime/close-part';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openDerivedFileChecks } from '@locmetrics/data-directory/versions/derived-files';
import { findDamagedVersions } from '@locmetrics/data-directory/versions/find-damaged-versions';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { removeWorkerFolders } from '@locmetrics/data-directory/versions/remove-garbage';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import { refuseLate, turnAway } from '@locmetrics/server/edge/http/server/turn-away';
import { clientGroups } from '@locmetrics/server/edge/listening/client-groups';
import { openUsageMerger } from '@locmetrics/server/metering/usage-merger';
import type { Observe } from '@locmetrics/server/observe/observation';
import { readBuildInfo } from '../compose/build-info.ts';
import { openConfiguredClickhouse } from '../compose/configured-clickhouse.ts';
import { exportStoreOf, hasExports } from '../compose/export-store-of.ts';
import { openConfiguredWebhook } from '../compose/notify-webhook.ts';
import { USAGE_THREAD, usagePlace } from '../compose/open-data.ts';
import { readPackageVersion } from '../compose/package-version.ts';
import { openVersions } from '../compose/with-versions.ts';
import { type Config, SETTINGS } from '../config/settings.ts';
import {
  budgetConnections,
  type ConnectionBudget,
  descriptorsFor,
} from '../processes/connection-budget.ts';
import { readDescriptorLimit } from '../processes/descriptor-limit.ts';
import { openWorkerPool, type WorkerPool } from '../processes/open-worker-pool.ts';
import { reportTogether } from '../processes/report-together.ts';
import { garbageRemoved, openGarbageCollector } from './garbage-collector.ts';
import { makeMissingRowFiles } from './make-missing-row-files.ts';
import { openLimits } from './open-limits.ts';
import { atFlag, openListeners } from './open-listeners.ts';
import { openSight, type Sight, type Watched } from './open-sight.ts';
import { openTls } from './open-tls.ts';
import type { Serving } from './prepare-serving.ts';

/** The addresses of a service. */
export type Served = {
  /** The HTTP interface, over TLS if it is not served in plaintext. */
  readonly url: string | undefined;
  /** The address of gRPC over TLS, if it is served. */
  readonly grpc: string | undefined;
  readonly grpcPlaintext: string | undefined;
  /** The authority that clients trust, if the certificate was generated. */
  readonly authorityFile: string | undefined;
};

/** The TypeScript source, or the built JavaScript. */
const WORKER_ENTRY_POINT = fileURLToPath(
  new URL(`../worker${extname(import.meta.url)}`, import.meta.url),
);

/** Threads for compression, files and name resolution, besides those that wait for queries. */
const SPARE_POOL_THREADS = 2;

/** Serves a data directory until a stop signal; returns once requests are answered. */
export async function serve(serving: Serving): Promise<Served> {
  // Closed in reverse order: by a start that fails half-way, or after the stop signal.
  await using opening = serving.closing.move();
  const { config, directory, lock, store, shared, log } = serving;
  const sight = opening.adopt(
    await openSight(config, { version: readPackageVersion(), log: log.observe, store }),
    closePart,
  );
  const { observe } = sight;
  const tls = opening.adopt(await openTls({ config, directory, observe }), (opened) =>
    opened?.certificate.close(),
  );
  // Checked before any port opens: an unreadable directory must not be served.
  const database = opening.adopt(
    (await openConfiguredClickhouse(config, directory))?.database,
    closePart,
  );
  const versions = opening.adopt(await openVersions({ config, directory }, database), closePart);
  // A mirror that is fresh enough can be served while PostgreSQL is away.
  await versions.prepare().catch((error: unknown) => {
    if (!versions.store.isAway(error)) throw error;
  });
  const { damaged, isEmpty, verified } = await checkVersions({
    config,
    directory,
    database,
    observe,
  });
  const usage = opening.adopt(
    openUsageMerger({
      place: usagePlace({ directory, config }),
      code: USAGE_THREAD,
      keepMs: config.usageKeepMs,
      observe,
    }),
    closePart,
  );
  const limits = opening.adopt(
    await openLimits({ config, readUsedRows: usage.usedRows, observe }),
    closePart,
  );
  await removeWorkerFiles(directory, observe);
  // The exports of workers that were killed are written again.
  if (hasExports(config)) await releaseExports({ config, directory });
  opening.adopt(openGarbageCollector({ store: versions.store, observe }), closePart);
  const reports = opening.adopt(
    await versions.openReports?.((error) => {
      if (!versions.store.isAway(error)) observe({ kind: 'lease_failed', error });
    }),
    closePart,
  );
  const { delivery } = versions;
  opening.adopt(openConfiguredWebhook({ config, directory, delivery, observe }), closePart);
  const derived = opening.adopt(
    openDerivedFileChecks(
      directory,
      ({ datasetName: dataset, version, problem }) =>
        observe({ kind: 'row_file_unusable', dataset, version, problem }),
      { isInDatabase: database !== undefined },
    ),
    closePart,
  );
  const connections = budgetDescriptors(config, observe);
  let publicUrl = config.publicUrl;
  const pool = opening.adopt(
    openWorkerPool({
      entryPoint: WORKER_ENTRY_POINT,
      workers: config.workers,
      connections,
      clientOf: clientGroups(config.trustedProxies),
      refuse: ({ listener, socket }) => {
        // Only plaintext HTTP can be answered without reading anything first.
        if (listener === 'http') turnAway(socket);
        else socket.destroy();
      },
      refuseLate: ({ listener, socket }) => {
        if (listener === 'http') refuseLate(socket, observe);
        else socket.destroy();
      },
      poolThreads: config.queriesMax + SPARE_POOL_THREADS,
      setupOf: (worker) => ({
        worker,
        config,
        root: directory.root,
        connectionsMax: connections.ofWorker,
        perClientMax: connections.ofClient,
        damaged,
        certificate: tls?.certificate.current(),
        publicUrl,
        controlFreshUntilMs: shared?.freshUntilMs(),
      }),
      totals: sight.totals,
      limits: limits.authority,
      checkFiles: derived.check,
      observe,
    }),
    async ({ stop }) => void (await stop(config.drainTimeoutMs)),
  );
  const follower = opening.adopt(
    shared?.follow({
      observe,
      onFresh: (untilMs) => pool.sendToAll({ kind: 'control_fresh', untilMs }),
      followToo: versions.store.bringUpToDate,
    }),
    closePart,
  );
  // Set before the first worker gets a certificate, so that workers get each later one.
  tls?.certificate.onChange((certificate) => pool.sendToAll({ kind: 'certificate', certificate }));
  const watched = { pool, certificate: tls?.certificate, usage, follower };
  const metricsUrl = await startWatched(sight, watched);
  // Until here connections are refused, so that a proxy asks another node at once. A port that is open before its
  // workers can answer resets connections, or lets them wait.
  const listeners = opening.adopt(
    await openListeners(
      config,
      (listener, socket) => pool.give({ listener, socket }),
      reportFailures(observe),
    ),
    closePart,
  );
  const served = urlsOf(listeners.addressOf, config.basePath);
  publicUrl ??= served.http ?? served.https;
  if (publicUrl !== undefined) pool.sendToAll({ kind: 'public_url', url: publicUrl });
  const urls = Object.values(served).filter((url) => url !== undefined);
  lock.describe(urls);
  reports?.describe(urls);
  observe({ kind: 'service_started', ...readBuildInfo() });
  if (!isEmpty) observe({ kind: 'versions_verified', ...verified });
  for (const url of [...Object.values(served), metricsUrl]) {
    if (url !== undefined) observe({ kind: 'server_listening', url });
  }
  // Answers come from the column store until it is known that the row files are as they were written.
  void derived.checkCurrent().catch(() => {});
  opening.adopt(makeMissingRowFiles({ config, directory, observe }), closePart);
  if (isEmpty) observe({ kind: 'nothing_published', directory: directory.root });
  for (const address of [config.http, config.grpcPlaintext, config.metrics]) {
    if (address !== undefined && !isLoopback(address.host)) {
      observe({ kind: 'server_exposed', host: address.host });
    }
  }
  const closing = opening.move();
  stopOnSignal(observe, async () => {
    pool.drain();
    if (config.drainDelayMs > 0) await passTime(config.drainDelayMs);
    listeners.close();
    const { killed } = await pool.stop(config.drainTimeoutMs);
    await closing.disposeAsync();
    return { killed };
  });
  return {
    url: served.http ?? served.https,
    grpc: listeners.addressOf('grpc'),
    grpcPlaintext: listeners.addressOf('grpcPlaintext'),
    authorityFile: tls?.authorityFile,
  };
}

/** While the database of nodes is away, the claims end by themselves. */
async function releaseExports(opened: Pick<Serving, 'config' | 'directory'>): Promise<void> {
  const exports = await exportStoreOf(opened, 'start');
  try {
    await exports.releaseAll();
  } catch (error) {
    if (opened.config.control === undefined) throw error;
  } finally {
    await exports.close();
  }
}

/** Removes what the workers of a killed service have left. The start goes on if it cannot: it is removed later. */
async function removeWorkerFiles(directory: DataDirectory, observe: Observe): Promise<void> {
  try {
    const { removed } = await removeWorkerFolders(directory);
    if (removed.length > 0) observe(garbageRemoved(removed));
  } catch (error) {
    observe({ kind: 'garbage_failed', error });
  }
}

/** Divides the file descriptors of the system, and reports if they are too few for the setting. */
function budgetDescriptors(
  { connectionsMax, connectionsPerClientMax: perClientMax }: Config,
  observe: Observe,
): ConnectionBudget {
  const descriptorLimit = readDescriptorLimit();
  const budget = budgetConnections({ connectionsMax, perClientMax, descriptorLimit });
  if (descriptorLimit !== undefined && budget.ofWorker < connectionsMax) {
    observe({
      kind: 'connections_reduced',
      connections: budget.ofWorker,
      descriptorLimit,
      descriptorsNeeded: descriptorsFor(connectionsMax),
    });
  }
  return budget;
}

function reportFailures(observe: Observe): (error: Error) => void {
  let error: Error | undefined;
  const count = reportTogether((failures) => observe({ kind: 'accept_failed', failures, error }));
  return (latest) => {
    error = latest;
    count(1);
  };
}

/** Finds damaged current versions, and whether anything can be served. */
async function checkVersions({ config, directory, database, observe }: Checked) {
  const startedMs = performance.now();
  const content = config.verifyOnStart === 'content';
  const { damaged, versions, bytes } = await findDamagedVersions(directory, { content, database });
  const durationMs = Math.round(performance.now() - startedMs);
  const problems = new Map(damaged.map(({ version, problem }) => [version, problem]));
  const catalog = openCatalog(directory, {
    isInDatabase: database !== undefined,
    damaged: ({ version }) => problems.get(version),
    onDamaged: ({ datasetName: dataset, ...damage }) =>
      observe({ kind: 'version_damaged', dataset, ...damage }),
  });
  const isEmpty = catalog.snapshot().datasets.size === 0;
  return { damaged, isEmpty, verified: { versions, bytes, durationMs } };
}

type Checked = Pick<Serving, 'config' | 'directory'> & {
  readonly database: VersionDatabase | undefined;
  readonly observe: Observe;
};

/** Opens the port of the metrics, whose `/readyz` follows the start; then starts the workers. Returns its URL. */
async function startWatched(
  sight: Sight,
  watched: Watched & { readonly pool: Pick<WorkerPool, 'start'> },
): Promise<string | undefined> {
  const url = await atFlag(SETTINGS.metrics, () => sight.listen(watched));
  await watched.pool.start();
  return url;
}

function urlsOf(
  addressOf: Awaited<ReturnType<typeof openListeners>>['addressOf'],
  basePath: string,
) {
  const url = (scheme: string, address: string | undefined, path = '') =>
    address === undefined ? undefined : `${scheme}://${address}${path}`;
  return {
    http: url('http', addressOf('http'), basePath),
    https: url('https', addressOf('https'), basePath),
    grpc: url('grpcs', addressOf('grpc')),
    grpcPlaintext: url('grpc', addressOf('grpcPlaintext')),
  };
}

/** A second signal ends the process at once, and the workers with it. */
function stopOnSignal(observe: Observe, stop: () => Promise<{ readonly killed: number }>): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    observe({ kind: 'server_stopping', signal });
    stop().then(
      ({ killed }) => {
        if (killed > 0) {
          observe({ kind: 'workers_killed', workers: killed });
          process.exitCode = 1;
        }
        observe({ kind: 'server_stopped' });
      },
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
