import type { Socket } from 'node:net';
import type { CertificatePair } from '../edge/listening/tls/certificate-source.ts';
import type { LimitAnswer, LimitLine } from '../metering/limit-messages.ts';
import type { MetricSnapshot } from '../observe/metric-registry.ts';
import type { FromWorker, ListenerName, ToWorker, WorkerSetup } from './messages.ts';

/** What a worker does on what the primary tells it. */
export type WorkerDuties = {
  readonly accept: (listener: ListenerName, socket: Socket) => void;
  /** Ends up to so many connections on which no token was accepted yet; gives how many. */
  readonly makeRoom: (connections: number) => number;
  readonly changeCertificate: (certificate: CertificatePair) => void;
  readonly drain: () => void;
  readonly readMetrics: () => Promise<MetricSnapshot>;
  /** Throws an error that says what is not ready. */
  readonly checkReady: () => Promise<void>;
  /** Answers what was begun, and closes everything; gives its last metrics. */
  readonly stop: (graceMs: number) => Promise<MetricSnapshot>;
};

/** What a worker that is killed has counted since is lost. */
const METRICS_EVERY_MS = 5000;
const ALIVE_EVERY_MS = 1000;

/** What a worker may ask the primary for. */
export type Primary = { readonly limits: LimitLine };

/** Follows the primary from inside a worker process, until it says that this is the end. */
export function followPrimary(
  begin: (setup: WorkerSetup, primary: Primary) => Promise<WorkerDuties>,
): void {
  let duties: WorkerDuties | undefined;
  let isStopping = false;
  /** What was told while the worker was beginning. */
  const postponed: ((duties: WorkerDuties) => void)[] = [];

  const onceBegun = (work: (duties: WorkerDuties) => void): void => {
    if (duties === undefined) postponed.push(work);
    else work(duties);
  };

  const questions = new Map<number, (answer: LimitAnswer) => void>();
  let lastQuestion = 0;
  const limits: LimitLine = {
    ask: (question) => {
      lastQuestion += 1;
      const { promise, resolve } = Promise.withResolvers<LimitAnswer>();
      questions.set(lastQuestion, resolve);
      tell({ kind: 'limit_question', id: lastQuestion, question });
      return promise;
    },
    tell: (returned) => tell({ kind: 'limit_return', returned }),
  };

  const start = async (setup: WorkerSetup): Promise<void> => {
    try {
      duties = await begin(setup, { limits });
      for (const work of postponed) work(duties);
      setInterval(tellMetrics, METRICS_EVERY_MS).unref();
      setInterval(tellAlive, ALIVE_EVERY_MS).unref();
      tell({ kind: 'ready' });
    } catch (error) {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      const hint = error instanceof Error && 'hint' in error ? { hint: String(error.hint) } : {};
      const failure = { name, message, ...(stack === undefined ? {} : { stack }), ...hint };
      tell({ kind: 'failed', error: failure }, () => process.exit(1));
    }
  };

  const tellMetrics = (): void => {
    duties?.readMetrics().then(
      (snapshot) => tell({ kind: 'metrics', snapshot }),
      // They are told with the next that can be read; the primary says that it has waited for them.
      () => {},
    );
  };

  const tellAlive = (): void => {
    duties?.checkReady().then(
      () => tell({ kind: 'alive' }),
      (error: Error) => tell({ kind: 'alive', notReady: error.message }),
    );
  };

  const stop = (graceMs: number): void => {
    if (isStopping) return;
    isStopping = true;
    if (duties === undefined) process.exit(0);
    duties.stop(graceMs).then(
      (snapshot) => tell({ kind: 'metrics', snapshot }, () => process.exit(0)),
      () => process.exit(1),
    );
  };

  const accept = (id: number, listener: ListenerName, socket: Socket | undefined): void => {
    tell({ kind: 'connection_taken', id });
    // One that ended on its way comes without its socket.
    if (socket === undefined || duties === undefined) {
      socket?.destroy();
      tell({ kind: 'connection_ended', id });
      return;
    }
    socket.once('close', () => tell({ kind: 'connection_ended', id }));
    socket.setNoDelay(true);
    duties.accept(listener, socket);
  };

  process.on('message', (given, socket) => {
    // The primary sends nothing else, and no other handle than a connection.
    const message = given as ToWorker;
    switch (message.kind) {
      case 'start':
        void start(message.setup);
        break;
      case 'connection':
        accept(message.id, message.listener, socket as Socket | undefined);
        break;
      case 'connections_sent':
        tell({ kind: 'connections_seen', lastId: message.lastId });
        break;
      case 'make_room':
        tell({ kind: 'room_made', connections: duties?.makeRoom(message.connections) ?? 0 });
        break;
      case 'certificate':
        onceBegun((begun) => begun.changeCertificate(message.certificate));
        break;
      case 'limit_answer':
        questions.get(message.id)?.(message.answer);
        questions.delete(message.id);
        break;
      case 'scrape':
        tellMetrics();
        break;
      case 'drain':
        onceBegun((begun) => begun.drain());
        break;
      case 'stop':
        stop(message.graceMs);
        break;
    }
  });
  // A terminal sends its signal to all processes; what is to end is for the primary to say.
  process.on('SIGINT', () => {});
  // Whoever means this process alone has it replaced.
  process.on('SIGTERM', () => tell({ kind: 'leaving' }));
  tell({ kind: 'loaded' });
}

function tell(message: FromWorker, onSent: () => void = () => {}): void {
  // Without a primary there is nobody to tell, and the process ends.
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}
