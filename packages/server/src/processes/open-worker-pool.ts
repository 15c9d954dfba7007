import cluster from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { STOP_GRACE_MS } from '../edge/listening/open-connections.ts';
import type { LimitAuthority } from '../metering/open-limit-authority.ts';
import type { MetricTotals, WorkerToAsk } from '../observe/metric-totals.ts';
import type { Observe } from '../observe/observation.ts';
import type { ConnectionBudget } from './connection-budget.ts';
import { type NewConnection, openConnectionQueue } from './connection-queue.ts';
import { forkWorker } from './fork-worker.ts';
import type { ToWorker, WorkerFailure, WorkerSetup } from './messages.ts';
import { openWorker, type WorkerEvents, type WorkerHandle } from './open-worker.ts';
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
  /** The size of the thread pool of a worker, for database queries, compression and files. */
  readonly poolThreads: number;
  readonly setupOf: (worker: number) => WorkerSetup;
  /** Receives the counts of each worker, and its end. */
  readonly totals: Pick<MetricTotals, 'keep' | 'end'>;
  /** The authority for the limits of organisations, for all workers. */
  readonly limits: LimitAuthority;
  readonly observe: Observe;
};

/**
 * These flags keep the memory of a worker small. Pages of records are short-lived objects in V8's heap,
 * which would grow to 150 MB before a collection. With the flags, a server that paged 242,335 records
 * stays at 220 MB of resident memory instead of 360, at the same speed.
 */
const NODE_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=30'];

/** A worker that ends sooner after its start is restarted with increasing delays. */
const STEADY_AFTER_MS = 10_000;
/**
 * A worker without a heartbeat for this long is stuck and is killed. The time is long, because an
 * overloaded machine delays heartbeats.
 */
const STUCK_AFTER_MS = 15_000;
const LOOK_EVERY_MS = 1000;

/**
 * The drain time of a replaced worker. Nothing waits for it, and its clients keep connections for a while:
 * most end them by themselves, or after an answer that announces the end of the connection.
 */
const LEAVING_GRACE_MS = 10_000;

const RESTART_DELAY_MS = 100;
const RESTART_DELAY_MAX_MS = 10_000;

/**
 * The primary accepts connections and passes them to workers. `node:cluster` could do that, but it stops
 * listening when the last worker ends, and never answers connections that it passed to an ending worker.
 */
export function openWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { entryPoint, workers, poolThreads, setupOf, totals, limits, observe } = options;
  const { ofWorker: connectionsMax, ofPrimary: heldMax } = options.connections;
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
  // The other half is on its way to workers, or being refused.
  const queue = openConnectionQueue({ waitingMax: Math.ceil(heldMax / 2), refuse });
  /** Connections with a descriptor in this process. */
  let held = 0;
  const all = new Set<WorkerHandle>();
  const quickEnds = new Map<number, number>();
  const restarts = new Set<NodeJS.Timeout>();
  const begun = Promise.withResolvers<void>();
  let hasBegun = false;
  let isDraining = false;
  let isStopping = false;
  let onLastExit = (): void => {};

  cluster.setupPrimary({
    exec: entryPoint,
    args: [],
    execArgv: [...process.execArgv, ...NODE_FLAGS],
  });

  const start = (number: number): void => {
    const startedMs = performance.now();
    let isReplaced = false;
    const events: WorkerEvents = {
      isDraining: () => isDraining,
      onReady: (worker) => {
        observe({ kind: 'worker_started', worker: number, pid: worker.pid });
        serveWaiting();
        if (readyCount() < workers) return;
        hasBegun = true;
        begun.resolve();
      },
      onFailed: (_, failure) => {
        if (!hasBegun) begun.reject(toError(failure));
        else observe({ kind: 'worker_failed', worker: number, error: toError(failure) });
      },
      onLeaving: (worker) => {
        if (isStopping || isReplaced) return;
        isReplaced = true;
        worker.send({ kind: 'stop', graceMs: LEAVING_GRACE_MS });
        start(number);
      },
      onConnectionEnded: serveWaiting,
      onRoomMade: (_, connections) => {
        if (connections > 0) countDisplaced(connections);
      },
      onLost: (_, lost) => {
        for (const connection of lost) give(connection);
      },
      onMetrics: ({ id }, snapshot) => totals.keep(id, snapshot),
      onExit: (worker, { code, signal }, notTaken) => {
        const { id, pid } = worker;
        all.delete(worker);
        totals.end(id);
        for (const connection of notTaken) give(connection);
        if (all.size === 0) onLastExit();
        if (isStopping) return;
        const cause = isReplaced ? 'leaving' : String(signal ?? code);
        if (hasBegun) observe({ kind: 'worker_exited', worker: number, pid, cause });
        if (isReplaced) return;
        if (!hasBegun) {
          begun.reject(new Error(`Worker ${number} ended before it was ready: ${signal ?? code}.`));
          return;
        }
        startAgain(number, performance.now() - startedMs);
      },
    };
    const compiled = getCompileCacheDir();
    const environment = {
      UV_THREADPOOL_SIZE: poolThreads,
      // Workers use the compile cache of the primary too.
      ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
    };
    const forked = forkWorker(environment, (error) => {
      if (isStopping) return;
      if (!hasBegun) {
        begun.reject(error);
        return;
      }
      observe({ kind: 'worker_failed', worker: number, error });
      startAgain(number, 0);
    });
    if (forked === undefined) return;
    const line = limits.openLine();
    all.add(openWorker(forked, number, { ...events, setupOf, connectionsMax, limits: line }));
  };

  const startAgain = (number: number, lifetimeMs: number): void => {
    const quick = lifetimeMs < STEADY_AFTER_MS ? (quickEnds.get(number) ?? 0) + 1 : 0;
    quickEnds.set(number, quick);
    const delayMs =
      quick < 2 ? 0 : Math.min(RESTART_DELAY_MS * 2 ** (quick - 2), RESTART_DELAY_MAX_MS);
    const timer = setTimeout(() => {
      restarts.delete(timer);
      start(number);
    }, delayMs);
    restarts.add(timer);
  };

  const readyCount = (): number => [...all].filter((worker) => worker.isReady()).length;

  const leastBusy = (): WorkerHandle | undefined => {
    let least: WorkerHandle | undefined;
    for (const worker of all) {
      if (!worker.hasRoom()) continue;
      if (least === undefined || worker.connectionCount() < least.connectionCount()) least = worker;
    }
    return least;
  };

  const giveTo = (worker: WorkerHandle, connection: NewConnection): void => {
    // Among workers with equally few connections, another one is next.
    all.delete(worker);
    all.add(worker);
    worker.give(connection);
  };

  const give = (connection: NewConnection): void => {
    const worker = leastBusy();
    if (worker === undefined) {
      queue.add(connection);
      askForRoom();
    } else giveTo(worker, connection);
  };

  const askForRoom = (): void => {
    const ready = [...all].filter((worker) => worker.isReady());
    const each = Math.ceil(queue.waiting() / ready.length);
    for (const worker of ready) worker.askForRoom(each);
  };

  const serveWaiting = (): void => {
    for (let worker = leastBusy(); worker !== undefined; worker = leastBusy()) {
      const connection = queue.take();
      if (connection === undefined) return;
      giveTo(worker, connection);
    }
  };

  const notReady = (): string | undefined => {
    if (isDraining) return 'The service is stopping.';
    const ready = [...all].filter((worker) => worker.isReady());
    if (ready.length === 0) return 'No worker is ready.';
    const reasons = ready.map((worker) => worker.notReady());
    return reasons.includes(undefined) ? undefined : reasons[0];
  };

  let lookedMs = performance.now();
  const lookForStuck = setInterval(() => {
    const lateMs = performance.now() - lookedMs - LOOK_EVERY_MS;
    lookedMs = performance.now();
    for (const worker of all) {
      // If this process was suspended, for example with its machine, it could not receive heartbeats.
      if (lateMs > LOOK_EVERY_MS) worker.forgetSilence();
      else if (worker.silentMs() > STUCK_AFTER_MS) {
        observe({ kind: 'worker_stuck', worker: worker.number, pid: worker.pid });
        worker.forgetSilence();
        worker.kill();
      }
      worker.findLost();
    }
    // A worker with a new heartbeat can take waiting connections, and idle ones become expendable.
    serveWaiting();
    if (queue.waiting() > 0) askForRoom();
  }, LOOK_EVERY_MS);
  lookForStuck.unref();

  const killAll = (): number => {
    for (const worker of all) worker.kill();
    return all.size;
  };

  return {
    start: async () => {
      for (let number = 1; number <= workers; number += 1) start(number);
      try {
        await begun.promise;
      } catch (error) {
        isStopping = true;
        queue.close();
        killAll();
        throw error;
      }
    },
    give: (connection) => {
      const { socket } = connection;
      // Nothing is read from the socket here, so only an error is noticed; it ends in the worker too.
      socket.on('error', () => {});
      if (held >= heldMax) {
        // There is no descriptor left to refuse it with an answer.
        countRefused(1);
        socket.destroy();
        return;
      }
      held += 1;
      socket.once('close', () => {
        held -= 1;
      });
      give(connection);
    },
    sendToAll: (message) => {
      for (const worker of all) worker.send(message);
    },
    drain: () => {
      isDraining = true;
      for (const worker of all) worker.send({ kind: 'drain' });
    },
    readyCount,
    notReady,
    scrapes: () => {
      const ready = [...all].filter((worker) => worker.isReady());
      return new Map(ready.map(({ id, number, scrape }) => [id, { worker: number, ask: scrape }]));
    },
    stop: async (timeoutMs) => {
      isStopping = true;
      clearInterval(lookForStuck);
      queue.close();
      for (const timer of restarts) clearTimeout(timer);
      let killed = 0;
      if (all.size === 0) return { killed };
      const ended = new Promise<void>((resolve) => {
        onLastExit = resolve;
      });
      const timer = setTimeout(() => {
        killed = killAll();
      }, timeoutMs);
      for (const worker of all) worker.send({ kind: 'stop', graceMs: STOP_GRACE_MS });
      await ended;
      clearTimeout(timer);
      return { killed };
    },
  };
}

/** Restores the error of the worker; its name shows whether it is an expected one. */
function toError({ name, message, hint, stack }: WorkerFailure): Error {
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return hint === undefined ? error : Object.assign(error, { hint });
}
