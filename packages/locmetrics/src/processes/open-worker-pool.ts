import cluster from 'node:cluster';
import { compileCacheEnvironment } from '@locmetrics/core/runtime/compile-cache';
import type { CheckedFiles } from '@locmetrics/data-directory/versions/derived-files';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { ClientOf } from '@locmetrics/server/edge/listening/client-groups';
import { STOP_GRACE_MS } from '@locmetrics/server/edge/listening/open-connections';
import type { LimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import type { MetricTotals, WorkerToAsk } from '@locmetrics/server/observe/metric-totals';
import type { Observe } from '@locmetrics/server/observe/observation';
import type { ConnectionBudget } from './connection-budget.ts';
import {
  type ConnectionQueue,
  type NewConnection,
  openConnectionQueue,
} from './connection-queue.ts';
import { forkWorker } from './fork-worker.ts';
import type { ToWorker, WorkerFailure, WorkerSetup } from './messages.ts';
import { openWorker, type WorkerEvents, type WorkerHandle } from './open-worker.ts';
import { type OpeningConnections, openOpeningConnections } from './opening-connections.ts';
import { reportTogether } from './report-together.ts';

/** The worker processes, which are replaced when they end. */
export type WorkerPool = {
  /** Starts the workers; resolves when all are ready, and rejects if one fails to start. */
  readonly start: () => Promise<void>;
  /** Passes a connection to the worker with the fewest connections, as soon as one is ready. */
  readonly give: (connection: NewConnection) => void;
  readonly sendToAll: (message: ToWorker) => void;
  /** Makes all current and future workers report that they are not ready. */
  readonly drain: () => void;
  readonly readyCount: () => number;
  /** Why no worker can serve requests; undefined if any can. */
  readonly notReady: () => string | undefined;
  /** Functions that ask each worker for its metrics. */
  readonly scrapes: () => ReadonlyMap<number, WorkerToAsk>;
  /** Drains and stops all workers; those that take longer than the timeout are killed. */
  readonly stop: (timeoutMs: number) => Promise<{ readonly killed: number }>;
};

export type WorkerPoolOptions = {
  /** The main module of a worker. */
  readonly entryPoint: string;
  readonly workers: number;
  readonly connections: ConnectionBudget;
  /** Refuses a connection because the maximum is reached. */
  readonly refuse: (connection: NewConnection) => void;
  /** Refuses a connection because its first bytes did not arrive in time. */
  readonly refuseLate: (connection: NewConnection) => void;
  readonly clientOf: ClientOf;
  /** The size of the thread pool of a worker, for database queries, compression and files. */
  readonly poolThreads: number;
  readonly setupOf: (worker: number) => WorkerSetup;
  /** Receives the counts of each worker, and its end. */
  readonly totals: Pick<MetricTotals, 'keep' | 'end'>;
  /** The authority for the limits of organisations, for all workers. */
  readonly limits: LimitAuthority;
  /** Checks the derived files of a version for the workers. */
  readonly checkFiles: (found: LeasedVersion) => Promise<CheckedFiles>;
  readonly observe: Observe;
};

/**
 * These flags keep the memory of a worker small. Pages of records are short-lived objects in V8's heap, which
 * would grow to 150 MB before a collection. A heap that may grow by less than twice its size would be collected
 * twice a second by many small calls, which costs each of them a tenth of its time.
 */
const NODE_FLAGS = [
  '--max-semi-space-size=16',
  // From the start, which would otherwise be interrupted by a dozen collections of what it loads: 40 ms of the processor.
  '--min-semi-space-size=16',
  '--heap-growing-percent=100',
  '--expose-gc',
];

/**
 * The allocator of glibc keeps fewer pools of freed memory, and returns it to the system; others ignore these. An answer of a
 * megabyte is still made in memory that was used before: new pages of the system take a fifth of its time.
 */
const ALLOCATOR_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(4 * 2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(16 * 2 ** 20),
} as const;

/** A worker that ends sooner after its start is restarted with increasing delays. */
const STEADY_AFTER_MS = 10_000;
/**
 * A worker without a heartbeat for this long is stuck and is killed. The time is long, because an
 * overloaded machine delays heartbeats.
 */
const STUCK_AFTER_MS = 15_000;
const CHECK_EVERY_MS = 1000;

/**
 * The drain time of a replaced worker. Nothing waits for it, and its clients keep connections for a while:
 * most end them by themselves, or after an answer that announces the end of the connection.
 */
const LEAVING_GRACE_MS = 10_000;

const RESTART_DELAY_MS = 100;
const RESTART_DELAY_MAX_MS = 10_000;

type State = {
  readonly options: WorkerPoolOptions;
  readonly all: Set<WorkerHandle>;
  readonly opening: OpeningConnections;
  readonly queue: ConnectionQueue;
  /** Connections with a descriptor in this process. */
  held: number;
  readonly countRefused: (connections: number) => void;
  /** The ends in a row, by the number of the worker, that came soon after a start. */
  readonly quickEnds: Map<number, number>;
  readonly restarts: Set<NodeJS.Timeout>;
  readonly begun: PromiseWithResolvers<void>;
  hasBegun: boolean;
  isDraining: boolean;
  isStopping: boolean;
  checkedMs: number;
  onLastExit: () => void;
};

/**
 * The primary accepts connections and passes them to workers. `node:cluster` could do that, but it stops
 * listening when the last worker ends, and never answers connections that it passed to an ending worker.
 */
export function openWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const state = openState(options);
  const { all } = state;
  cluster.setupPrimary({
    exec: options.entryPoint,
    args: [],
    execArgv: [...process.execArgv, ...NODE_FLAGS],
  });
  const checkForStuck = setInterval(checkWorkers, CHECK_EVERY_MS, state).unref();
  return {
    start: async () => {
      for (let number = 1; number <= options.workers; number += 1) start(state, number);
      try {
        await state.begun.promise;
      } catch (error) {
        state.isStopping = true;
        state.queue.close();
        killAll(state);
        throw error;
      }
    },
    give: (connection) => accept(state, connection),
    sendToAll: (message) => sendToAll(state, message),
    drain: () => {
      state.isDraining = true;
      sendToAll(state, { kind: 'drain' });
    },
    readyCount: () => readyOf(state).length,
    notReady: () => notReady(state),
    scrapes: () =>
      new Map(
        readyOf(state).map(({ id, number, scrape }) => [id, { worker: number, ask: scrape }]),
      ),
    stop: async (timeoutMs) => {
      // Requests that have arrived on new connections are still passed to workers.
      await state.opening.settle(STOP_GRACE_MS);
      state.isStopping = true;
      clearInterval(checkForStuck);
      state.queue.close();
      for (const timer of state.restarts) clearTimeout(timer);
      let killed = 0;
      if (all.size === 0) return { killed };
      const ended = new Promise<void>((resolve) => {
        state.onLastExit = resolve;
      });
      const timer = setTimeout(() => {
        killed = killAll(state);
      }, timeoutMs);
      sendToAll(state, { kind: 'stop', graceMs: STOP_GRACE_MS });
      await ended;
      clearTimeout(timer);
      return { killed };
    },
  };
}

function openState(options: WorkerPoolOptions): State {
  const { observe, connections } = options;
  const countRefused = reportTogether((connections) =>
    observe({ kind: 'connections_refused', connections }),
  );
  const countDisplaced = reportTogether((connections) =>
    observe({ kind: 'connections_displaced', connections }),
  );
  const refuse = (connection: NewConnection): void => {
    countRefused(1);
    options.refuse(connection);
  };
  const state: State = {
    options,
    all: new Set(),
    opening: openOpeningConnections({
      openingMax: Math.ceil(connections.ofPrimary / 2),
      clientOf: options.clientOf,
      pass: (connection) => give(state, connection),
      refuseLate: options.refuseLate,
      onDisplaced: () => countDisplaced(1),
    }),
    // The other half is on its way to workers, or being refused.
    queue: openConnectionQueue({ waitingMax: Math.ceil(connections.ofPrimary / 2), refuse }),
    held: 0,
    countRefused,
    quickEnds: new Map(),
    restarts: new Set(),
    begun: Promise.withResolvers(),
    hasBegun: false,
    isDraining: false,
    isStopping: false,
    checkedMs: performance.now(),
    onLastExit: () => {},
  };
  return state;
}

function start(state: State, number: number): void {
  const { setupOf, connections, poolThreads, limits, observe } = state.options;
  const environment = {
    UV_THREADPOOL_SIZE: poolThreads,
    ...Object.fromEntries(
      Object.entries(ALLOCATOR_SETTINGS).filter(([name]) => process.env[name] === undefined),
    ),
    ...compileCacheEnvironment(),
  };
  const forked = forkWorker(environment, (error) => {
    if (state.isStopping) return;
    if (!state.hasBegun) {
      state.begun.reject(error);
      return;
    }
    observe({ kind: 'worker_failed', worker: number, error });
    startAgain(state, number, 0);
  });
  if (forked === undefined) return;
  const worker = openWorker(forked, number, {
    ...eventsOf(state, number),
    setupOf,
    connectionsMax: connections.ofWorker,
    handedMax: connections.handed,
    limits: limits.openLine(),
  });
  state.all.add(worker);
}

function eventsOf(state: State, number: number): WorkerEvents {
  const { options, all, begun } = state;
  const { totals, observe } = options;
  const startedMs = performance.now();
  let isReplaced = false;
  const giveAgain = (connections: readonly NewConnection[]): void => {
    for (const connection of connections) give(state, connection);
  };
  return {
    isDraining: () => state.isDraining,
    onReady: ({ pid }) => {
      observe({ kind: 'worker_started', worker: number, pid });
      serveWaiting(state);
      if (readyOf(state).length < options.workers) return;
      state.hasBegun = true;
      begun.resolve();
    },
    onFailed: (_, failure) => {
      if (!state.hasBegun) begun.reject(toError(failure));
      else observe({ kind: 'worker_failed', worker: number, error: toError(failure) });
    },
    onLeaving: (worker) => {
      if (state.isStopping || isReplaced) return;
      isReplaced = true;
      worker.send({ kind: 'stop', graceMs: LEAVING_GRACE_MS });
      start(state, number);
    },
    onConnectionEnded: () => serveWaiting(state),
    onDeclined: (_, declined) => give(state, declined),
    onLost: (_, lost) => giveAgain(lost),
    onFilesFound: (worker, found) => {
      options.checkFiles(found).then(
        (checked) => worker.send({ kind: 'files_checked', checked }),
        // The check was stopped, and the service with it.
        () => {},
      );
    },
    onMetrics: ({ id }, snapshot) => totals.keep(id, snapshot),
    onExit: (worker, { code, signal }, notTaken) => {
      const { id, pid } = worker;
      all.delete(worker);
      totals.end(id);
      giveAgain(notTaken);
      if (all.size === 0) state.onLastExit();
      if (state.isStopping) return;
      const cause = isReplaced ? 'leaving' : String(signal ?? code);
      if (state.hasBegun) observe({ kind: 'worker_exited', worker: number, pid, cause });
      if (isReplaced) return;
      if (!state.hasBegun) {
        begun.reject(new Error(`Worker ${number} ended before it was ready: ${signal ?? code}.`));
        return;
      }
      startAgain(state, number, performance.now() - startedMs);
    },
  };
}

function startAgain(state: State, number: number, lifetimeMs: number): void {
  const { quickEnds, restarts } = state;
  const quick = lifetimeMs < STEADY_AFTER_MS ? (quickEnds.get(number) ?? 0) + 1 : 0;
  quickEnds.set(number, quick);
  const delayMs =
    quick < 2 ? 0 : Math.min(RESTART_DELAY_MS * 2 ** (quick - 2), RESTART_DELAY_MAX_MS);
  const timer = setTimeout(() => {
    restarts.delete(timer);
    start(state, number);
  }, delayMs);
  restarts.add(timer);
}

function accept(state: State, connection: NewConnection): void {
  const { socket } = connection;
  // A broken connection is closed, here or in its worker.
  socket.on('error', () => {});
  if (state.held >= state.options.connections.ofPrimary && !state.opening.endOne()) {
    // There is no descriptor left to refuse it with an answer.
    state.countRefused(1);
    socket.destroy();
    return;
  }
  state.held += 1;
  socket.once('close', () => {
    state.held -= 1;
  });
  state.opening.add(connection);
}

function give(state: State, connection: NewConnection): void {
  const worker = leastBusy(state);
  if (worker === undefined) state.queue.add(connection);
  else giveTo(state, worker, connection);
}

function leastBusy({ all }: State): WorkerHandle | undefined {
  let least: WorkerHandle | undefined;
  for (const worker of all) {
    if (!worker.hasRoom()) continue;
    if (least === undefined || worker.connectionCount() < least.connectionCount()) least = worker;
  }
  return least;
}

function giveTo({ all }: State, worker: WorkerHandle, connection: NewConnection): void {
  // Among workers with equally few connections, another one is next.
  all.delete(worker);
  all.add(worker);
  worker.give(connection);
}

function serveWaiting(state: State): void {
  for (let worker = leastBusy(state); worker !== undefined; worker = leastBusy(state)) {
    const connection = state.queue.take();
    if (connection === undefined) return;
    giveTo(state, worker, connection);
  }
}

function readyOf({ all }: State): readonly WorkerHandle[] {
  return [...all].filter((worker) => worker.isReady());
}

function notReady(state: State): string | undefined {
  if (state.isDraining) return 'The service is stopping.';
  const ready = readyOf(state);
  if (ready.length === 0) return 'No worker is ready.';
  const reasons = ready.map((worker) => worker.notReady());
  return reasons.includes(undefined) ? undefined : reasons[0];
}

/** Kills workers that are stuck, and finds connections that never arrived. */
function checkWorkers(state: State): void {
  const { all, options } = state;
  const lateMs = performance.now() - state.checkedMs - CHECK_EVERY_MS;
  state.checkedMs = performance.now();
  for (const worker of all) {
    // If this process was suspended, for example with its machine, it could not receive heartbeats.
    if (lateMs > CHECK_EVERY_MS) worker.forgetSilence();
    else if (worker.silentMs() > STUCK_AFTER_MS) {
      options.observe({ kind: 'worker_stuck', worker: worker.number, pid: worker.pid });
      worker.forgetSilence();
      worker.kill();
    }
    worker.findLost();
  }
  // A worker with a new heartbeat can take waiting connections.
  serveWaiting(state);
}

function sendToAll({ all }: State, message: ToWorker): void {
  for (const worker of all) worker.send(message);
}

function killAll({ all }: State): number {
  for (const worker of all) worker.kill();
  return all.size;
}

/** Restores the error of the worker; its name shows whether it is an expected one. */
function toError({ name, message, hint, stack }: WorkerFailure): Error {
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return hint === undefined ? error : Object.assign(error, { hint });
}
