import type { Worker } from 'node:cluster';
import type { EndingLimitLine } from '../metering/open-limit-authority.ts';
import type { MetricSnapshot } from '../observe/metric-registry.ts';
import type { NewConnection } from './connection-queue.ts';
import type { FromWorker, ToWorker, WorkerFailure, WorkerSetup } from './messages.ts';

/** A worker process, seen from the primary. */
export type WorkerHandle = {
  /** That no other worker ever has, as process ids are not. */
  readonly id: number;
  readonly number: number;
  readonly pid: number;
  /** Whether it can be given connections: it has begun, and is neither leaving nor silent. */
  readonly isReady: () => boolean;
  /** Why it cannot serve requests, by its own word. */
  readonly notReady: () => string | undefined;
  /** How long it has told nothing since it has begun, which it does each second. */
  readonly silentMs: () => number;
  /** Forgets how long it was silent: this process could not listen. */
  readonly forgetSilence: () => void;
  /** Connections that it has, or is being given. */
  readonly connectionCount: () => number;
  /** Whether it can be given another connection now. */
  readonly hasRoom: () => boolean;
  readonly give: (connection: NewConnection) => void;
  /** Has it end connections that it can do without, until so many have room. */
  readonly askForRoom: (connections: number) => void;
  /** Asks which connections never arrived, where one may not have. */
  readonly findLost: () => void;
  readonly tell: (message: ToWorker) => void;
  /** Asks for its metrics; rejects where it ends before. */
  readonly scrape: () => Promise<MetricSnapshot>;
  readonly kill: () => void;
};

/** A worker that is silent for this long is given nothing more. */
const SILENT_AFTER_MS = 3000;

/** A worker that had no descriptor for a connection is given none for this long. */
const PAUSE_AFTER_LOSS_MS = 1000;

export type WorkerEvents = {
  readonly isDraining: () => boolean;
  readonly onReady: (worker: WorkerHandle) => void;
  readonly onFailed: (worker: WorkerHandle, failure: WorkerFailure) => void;
  /** It is to be given no more connections, and to be stopped after the last of them. */
  readonly onLeaving: (worker: WorkerHandle) => void;
  readonly onConnectionEnded: (worker: WorkerHandle) => void;
  /** How many connections it is ending because others wait. */
  readonly onRoomMade: (worker: WorkerHandle, connections: number) => void;
  /** With connections that never arrived: it had no descriptor left. */
  readonly onLost: (worker: WorkerHandle, lost: readonly NewConnection[]) => void;
  readonly onMetrics: (worker: WorkerHandle, snapshot: MetricSnapshot) => void;
  /** With the connections that it was given and did not take. */
  readonly onExit: (
    worker: WorkerHandle,
    exit: { readonly code: number | null; readonly signal: string | null },
    notTaken: readonly NewConnection[],
  ) => void;
};

/** Starts a worker over a process that was just forked, and follows it to its end. */
export function openWorker(
  { id, process: child }: Worker,
  number: number,
  {
    setupOf,
    limits,
    connectionsMax,
    ...events
  }: WorkerEvents & {
    readonly setupOf: (number: number) => WorkerSetup;
    readonly connectionsMax: number;
    /** Ended with the worker. */
    readonly limits: EndingLimitLine;
  },
): WorkerHandle {
  const offered = new Map<number, NewConnection>();
  let connectionCount = 0;
  let lastId = 0;
  /** The last connection that was being given when it was looked for lost ones. */
  let lookedAtId = 0;
  let pausedUntilMs = 0;
  let isAskedForRoom = false;
  /** Connections that it said it is ending, and that have not ended yet. */
  let roomToCome = 0;
  let hasBegun = false;
  let isReady = false;
  let notReady: string | undefined;
  let heardMs = performance.now();
  let scrape: PromiseWithResolvers<MetricSnapshot> | undefined;

  const handle: WorkerHandle = {
    id,
    number,
    pid: child.pid ?? 0,
    isReady: () => isReady && handle.silentMs() < SILENT_AFTER_MS,
    notReady: () => notReady,
    silentMs: () => (hasBegun ? performance.now() - heardMs : 0),
    forgetSilence: () => {
      heardMs = performance.now();
    },
    connectionCount: () => connectionCount,
    hasRoom: () =>
      handle.isReady() && connectionCount < connectionsMax && performance.now() >= pausedUntilMs,
    give: (connection) => {
      lastId += 1;
      connectionCount += 1;
      offered.set(lastId, connection);
      const message: ToWorker = { kind: 'connection', id: lastId, listener: connection.listener };
      // The connection stays open here until the worker has it: one that ends before would take it along.
      child.send(message, connection.socket, { keepOpen: true }, ignoreError);
    },
    askForRoom: (connections) => {
      const needed = connections - roomToCome;
      if (isAskedForRoom || needed <= 0 || connectionCount < connectionsMax) return;
      isAskedForRoom = true;
      handle.tell({ kind: 'make_room', connections: needed });
    },
    findLost: () => {
      const [first] = offered.keys();
      if (first !== undefined && first <= lookedAtId) {
        handle.tell({ kind: 'connections_sent', lastId });
      }
      lookedAtId = lastId;
    },
    tell: (message) => child.send(message, ignoreError),
    scrape: () => {
      if (scrape === undefined) {
        scrape = Promise.withResolvers();
        // Who asked may have stopped waiting.
        scrape.promise.catch(ignoreError);
        handle.tell({ kind: 'scrape' });
      }
      return scrape.promise;
    },
    kill: () => child.kill('SIGKILL'),
  };

  const release = (connectionId: number): void => {
    const connection = offered.get(connectionId);
    offered.delete(connectionId);
    // Only this process's hold on it ends.
    connection?.socket.destroy();
  };

  /**
   * A connection for which the worker has no descriptor is dropped by the system, and Node tells
   * neither process: without this it would be kept here until the worker ends.
   */
  const takeBack = (seenId: number): void => {
    const ids = [...offered.keys()].filter((connectionId) => connectionId <= seenId);
    if (ids.length === 0) return;
    const lost = ids.flatMap((connectionId) => offered.get(connectionId) ?? []);
    for (const connectionId of ids) offered.delete(connectionId);
    connectionCount -= lost.length;
    pausedUntilMs = performance.now() + PAUSE_AFTER_LOSS_MS;
    events.onLost(handle, lost);
  };

  const onMessage = (message: FromWorker): void => {
    handle.forgetSilence();
    switch (message.kind) {
      case 'loaded':
        handle.tell({ kind: 'start', setup: setupOf(number) });
        if (events.isDraining()) handle.tell({ kind: 'drain' });
        break;
      case 'alive':
        notReady = message.notReady;
        break;
      case 'ready':
        hasBegun = true;
        isReady = true;
        events.onReady(handle);
        break;
      case 'failed':
        events.onFailed(handle, message.error);
        break;
      case 'connection_taken':
        release(message.id);
        break;
      case 'connection_ended':
        connectionCount -= 1;
        roomToCome = Math.max(0, roomToCome - 1);
        events.onConnectionEnded(handle);
        break;
      case 'connections_seen':
        takeBack(message.lastId);
        break;
      case 'room_made':
        isAskedForRoom = false;
        roomToCome += message.connections;
        events.onRoomMade(handle, message.connections);
        break;
      case 'limit_question':
        void limits
          .ask(message.question)
          .then((answer) => handle.tell({ kind: 'limit_answer', id: message.id, answer }));
        break;
      case 'limit_return':
        limits.tell(message.returned);
        break;
      case 'metrics':
        events.onMetrics(handle, message.snapshot);
        scrape?.resolve(message.snapshot);
        scrape = undefined;
        break;
      case 'leaving':
        isReady = false;
        events.onLeaving(handle);
        break;
    }
  };
  // A worker sends nothing else.
  child.on('message', (message) => onMessage(message as FromWorker));
  // What cannot be sent to a process that is ending is told by its end.
  child.on('error', () => {});
  child.once('exit', (code, signal) => {
    isReady = false;
    limits.end();
    scrape?.reject(new Error('The worker has ended.'));
    const notTaken = [...offered.values()];
    offered.clear();
    events.onExit(handle, { code, signal }, notTaken);
  });
  return handle;
}

function ignoreError(): void {}
