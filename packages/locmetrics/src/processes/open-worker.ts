import type { Worker } from 'node:cluster';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { EndingLimitLine } from '@locmetrics/server/metering/open-limit-authority';
import type { MetricSnapshot } from '@locmetrics/server/observe/metric-registry';
import type { NewConnection } from './connection-queue.ts';
import { connectLimitLine } from './limit-channel.ts';
import type { FromWorker, ToWorker, WorkerFailure, WorkerSetup } from './messages.ts';

/** The handle of a worker process in the primary. */
export type WorkerHandle = {
  /** Never reused, unlike process ids. */
  readonly id: number;
  readonly number: number;
  readonly pid: number;
  /** Whether it can take connections: it has started, and is neither leaving nor silent. */
  readonly isReady: () => boolean;
  /** Why it cannot serve requests, as it reported. */
  readonly notReady: () => string | undefined;
  /** The time since its last heartbeat, which it sends every second after its start. */
  readonly silentMs: () => number;
  /** Resets the silence, because this process could not receive heartbeats. */
  readonly forgetSilence: () => void;
  /** Connections that it has or is being passed. */
  readonly connectionCount: () => number;
  /** Whether it can take another connection now. */
  readonly hasRoom: () => boolean;
  readonly give: (connection: NewConnection) => void;
  /** Asks which connections never arrived, if any may be lost. */
  readonly findLost: () => void;
  readonly send: (message: ToWorker) => void;
  /** Asks for its metrics; rejects if it ends before the answer. */
  readonly scrape: () => Promise<MetricSnapshot>;
  readonly kill: () => void;
};

/** A worker without a heartbeat for this long gets no more connections. */
const SILENT_AFTER_MS = 3000;

/** A worker that had no descriptor for a connection gets none for this long. */
const PAUSE_AFTER_LOSS_MS = 1000;

export type WorkerEvents = {
  readonly isDraining: () => boolean;
  readonly onReady: (worker: WorkerHandle) => void;
  readonly onFailed: (worker: WorkerHandle, failure: WorkerFailure) => void;
  /** The worker must get no more connections, and be stopped after the last of them. */
  readonly onLeaving: (worker: WorkerHandle) => void;
  readonly onConnectionEnded: (worker: WorkerHandle) => void;
  /** Returns a connection for which it has no room. */
  readonly onDeclined: (worker: WorkerHandle, declined: NewConnection) => void;
  /** Returns connections that never arrived, because the worker had no descriptor left. */
  readonly onLost: (worker: WorkerHandle, lost: readonly NewConnection[]) => void;
  /** A version has derived files that it may use once they are checked. */
  readonly onFilesFound: (worker: WorkerHandle, found: LeasedVersion) => void;
  readonly onMetrics: (worker: WorkerHandle, snapshot: MetricSnapshot) => void;
  /** Returns the connections that were passed to it and that it did not take. */
  readonly onExit: (
    worker: WorkerHandle,
    exit: { readonly code: number | null; readonly signal: string | null },
    notTaken: readonly NewConnection[],
  ) => void;
};

/** Starts a worker in a forked process, and follows it to its end. */
export function openWorker(
  { id, process: child }: Worker,
  number: number,
  {
    setupOf,
    limits,
    connectionsMax,
    handedMax,
    ...events
  }: WorkerEvents & {
    readonly setupOf: (number: number) => WorkerSetup;
    readonly connectionsMax: number;
    /** How many more may be on their way to it: it ends others for them, or declines them. */
    readonly handedMax: number;
    /** Ended with the worker. */
    readonly limits: EndingLimitLine;
  },
): WorkerHandle {
  const offered = new Map<number, NewConnection>();
  let connectionCount = 0;
  let lastId = 0;
  /** The id of the last passed connection at the previous check for lost ones. */
  let lookedAtId = 0;
  let pausedUntilMs = 0;
  /** Whether it declined a connection, and none of its own has ended since. */
  let isFull = false;
  let hasBegun = false;
  let isReady = false;
  let notReady: string | undefined;
  let receivedMs = performance.now();
  let scrape: PromiseWithResolvers<MetricSnapshot> | undefined;

  const handle: WorkerHandle = {
    id,
    number,
    pid: child.pid ?? 0,
    isReady: () => isReady && handle.silentMs() < SILENT_AFTER_MS,
    notReady: () => notReady,
    silentMs: () => (hasBegun ? performance.now() - receivedMs : 0),
    forgetSilence: () => {
      receivedMs = performance.now();
    },
    connectionCount: () => connectionCount,
    hasRoom: () =>
      handle.isReady() &&
      !isFull &&
      connectionCount < connectionsMax + handedMax &&
      performance.now() >= pausedUntilMs,
    give: (connection) => {
      lastId += 1;
      connectionCount += 1;
      offered.set(lastId, connection);
      const { listener, bytes } = connection;
      const message: ToWorker = {
        kind: 'connection',
        id: lastId,
        listener,
        bytes: bytes?.toString('base64') ?? '',
      };
      // The connection stays open here until the worker has taken it, so that it survives the worker's end.
      child.send(message, connection.socket, { keepOpen: true }, ignoreError);
    },
    findLost: () => {
      const [first] = offered.keys();
      if (first !== undefined && first <= lookedAtId) {
        handle.send({ kind: 'connections_sent', lastId });
      }
      lookedAtId = lastId;
    },
    send: (message) => child.send(message, ignoreError),
    scrape: () => {
      if (scrape === undefined) {
        scrape = Promise.withResolvers();
        // The caller may have stopped waiting.
        scrape.promise.catch(ignoreError);
        handle.send({ kind: 'scrape' });
      }
      return scrape.promise;
    },
    kill: () => child.kill('SIGKILL'),
  };

  const limitLine = connectLimitLine(limits, (messages) =>
    handle.send({ kind: 'limits', messages }),
  );

  const release = (connectionId: number): void => {
    const connection = offered.get(connectionId);
    offered.delete(connectionId);
    // This only closes the descriptor of this process.
    connection?.socket.destroy();
  };

  /**
   * If the worker has no descriptor for a connection, the system drops it and Node reports it to neither
   * process. Without this check it would be kept here until the worker ends.
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

  const takeDeclined = (connectionId: number): void => {
    const declined = offered.get(connectionId);
    if (declined === undefined) return;
    offered.delete(connectionId);
    connectionCount -= 1;
    isFull = true;
    events.onDeclined(handle, declined);
  };

  const onMessage = (message: FromWorker): void => {
    handle.forgetSilence();
    switch (message.kind) {
      case 'loaded':
        handle.send({ kind: 'start', setup: setupOf(number) });
        if (events.isDraining()) handle.send({ kind: 'drain' });
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
        isFull = false;
        events.onConnectionEnded(handle);
        break;
      case 'connections_seen':
        takeBack(message.lastId);
        break;
      case 'connection_declined':
        takeDeclined(message.id);
        break;
      case 'files_found':
        events.onFilesFound(handle, message.found);
        break;
      case 'limits':
        limitLine.receive(message.messages);
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
  // Messages to an ending process fail; its exit event covers that.
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
