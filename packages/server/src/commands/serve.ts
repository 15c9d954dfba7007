import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { ControlStore } from '../auth/control-store.ts';
import type { DataDirectory } from '../catalog/data-directory.ts';
import { type Catalog, openCatalog } from '../catalog/open-catalog.ts';
import type { Actions, ServeFlags } from '../cli/program.ts';
import {
  isLoopback,
  parseAddress,
  parseTimeoutMs,
  resolveSetting,
  SETTINGS,
} from '../config/settings.ts';
import { openGrpcServer } from '../edge/grpc/open-grpc-server.ts';
import { openHttpServer } from '../edge/http/open-http-server.ts';
import type { Observe } from '../observe/observation.ts';
import { openLog } from '../observe/open-log.ts';
import { createServiceContext } from '../service/service-context.ts';
import { openDuckdbEngine } from '../storage/duckdb/open-duckdb-engine.ts';
import { listenAt } from './listen-at.ts';
import { listenGrpc, resolveGrpcAddresses } from './listen-grpc.ts';
import { findDataDirectory, openStore } from './open-data.ts';
import { openTls } from './open-tls.ts';

export function serveAction(version: string): Pick<Actions, 'serve'> {
  return {
    serve: async (flags) => {
      const directory = findDataDirectory(flags.data);
      const observe = openLog();
      const store = openServingStore(directory, observe);
      await serve({ flags, directory, store, observe, version });
    },
  };
}

/** The control store, whose failures to record a last use are observed. */
export function openServingStore(directory: DataDirectory, observe: Observe): ControlStore {
  return openStore(directory, {
    onLastUsedFailed: (error) => observe({ kind: 'last_used_failed', error }),
  });
}

/** DuckDB would take most of the machine's memory by default. */
const MEMORY_MAX_BYTES = 2 * 2 ** 30;
/** One query a thread of Node's pool; more would wait there, where nothing can end them. */
const QUERIES_MAX = 4;
const QUERIES_WAITING_MAX = 1000;

/** Where a data directory is served. */
export type Served = {
  readonly url: string;
  /** The address of gRPC over TLS, where it is served. */
  readonly grpc: string | undefined;
  readonly grpcPlaintext: string | undefined;
  /** The certificate that clients of gRPC trust, where it is one that was made for this machine. */
  readonly authorityFile: string | undefined;
};

/** Serves a data directory until the process is told to stop; returns once it listens. */
export async function serve({
  flags,
  directory,
  store,
  observe,
  version,
}: {
  readonly flags: ServeFlags;
  readonly directory: DataDirectory;
  readonly store: ControlStore;
  readonly observe: Observe;
  readonly version: string;
}): Promise<Served> {
  const address = parseAddress(resolveSetting(SETTINGS.http, flags.http, process.env));
  const queryTimeoutMs = parseTimeoutMs(
    resolveSetting(SETTINGS.queryTimeout, flags.queryTimeout, process.env),
  );
  const grpcAddresses = resolveGrpcAddresses(flags);
  const tls = await openTls({ flags, address: grpcAddresses.tls, directory, observe });
  const catalog = openCatalog(directory);
  // Read before anything opens: a directory that cannot be read must not be listened for.
  const isEmpty = catalog.snapshot().datasets.size === 0;
  const engine = await openDuckdbEngine({
    directoryOf: ({ dataset, version: name }) => directory.version(dataset.name, name),
    temporaryDirectory: join(directory.temporary, `serve-${process.pid}`),
    memoryLimitBytes: Math.min(Math.floor(totalmem() / 4), MEMORY_MAX_BYTES),
    threads: availableParallelism(),
    connectionsMax: QUERIES_MAX,
    waitingMax: QUERIES_WAITING_MAX,
  });
  let isStopping = false;
  const shared = {
    service: createServiceContext({
      catalog,
      engine,
      pageTokenKey: store.secret('page-token'),
      queryTimeoutMs,
    }),
    store,
    observe,
    isReady: () => !isStopping && canRead(catalog),
  };
  const http = await listenAt('--http', () => openHttpServer({ ...shared, ...address, version }));
  const grpcServer = openGrpcServer(shared);
  const close = async (): Promise<void> => {
    isStopping = true;
    await Promise.all([http.close(), grpcServer.close()]);
    tls?.certificate.close();
    await engine.close();
    store.close();
  };
  const served = await listenGrpc({ server: grpcServer, addresses: grpcAddresses, tls }).catch(
    async (error: unknown) => {
      // What listens already would keep the process.
      await close();
      throw error;
    },
  );
  observe({ kind: 'server_listening', url: http.url });
  if (served.grpc !== undefined)
    observe({ kind: 'server_listening', url: `grpcs://${served.grpc}` });
  if (served.grpcPlaintext !== undefined) {
    observe({ kind: 'server_listening', url: `grpc://${served.grpcPlaintext}` });
  }
  if (isEmpty) {
    observe({ kind: 'nothing_published', directory: directory.root });
  }
  for (const plain of [address, grpcAddresses.plaintext]) {
    if (plain !== undefined && !isLoopback(plain.host)) {
      observe({ kind: 'server_exposed', host: plain.host });
    }
  }
  stopOnSignal(observe, close);
  return { url: http.url, ...served, authorityFile: tls?.authorityFile };
}

/** Whether what is current can be read; a request that needs it would fail otherwise. */
function canRead(catalog: Catalog): boolean {
  try {
    catalog.snapshot();
    return true;
  } catch {
    return false;
  }
}

/** What is in flight gets this long; a second signal ends the process at once. */
const STOP_TIMEOUT_MS = 40_000;

function stopOnSignal(observe: Observe, stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    observe({ kind: 'server_stopping', signal });
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    stop().then(
      () => observe({ kind: 'server_stopped' }),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
