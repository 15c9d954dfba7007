import type { Socket } from 'node:net';
import type { CheckedFiles } from '@locmetrics/data-directory/versions/derived-files';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { CertificatePair } from '@locmetrics/server/edge/listening/tls/certificate-source';
import type { LimitLine } from '@locmetrics/server/metering/limit-messages';
import type { MetricSnapshot } from '@locmetrics/server/observe/metric-registry';
import { openLimitLine } from './limit-channel.ts';
import type { FromWorker, ListenerName, ToWorker, WorkerSetup } from './messages.ts';

/** The actions of a worker on messages from the primary. */
export type WorkerDuties = {
  readonly accept: (listener: ListenerName, socket: Socket) => void;
  /** Ends a connection without an accepted token if there are too many; false if there is none. */
  readonly makeRoom: () => boolean;
  readonly changeCertificate: (certificate: CertificatePair) => void;
  /** The copy of a shared control store is fresh until then, as `machineMs`. */
  readonly noteControlFresh: (untilMs: number) => void;
  /** The URL of the HTTP interface is known. */
  readonly usePublicUrl: (url: string) => void;
  readonly drain: () => void;
  readonly useChecked: (checked: CheckedFiles) => void;
  readonly readMetrics: () => Promise<MetricSnapshot>;
  /** Throws an error that names what is not ready. */
  readonly checkReady: () => Promise<void>;
  /** Completes running requests and closes everything; returns the last metrics. */
  readonly stop: (graceMs: number) => Promise<MetricSnapshot>;
};

/** The interval of reported metrics. A killed worker loses the counts since its last report. */
const METRICS_EVERY_MS = 5000;
const ALIVE_EVERY_MS = 1000;

/** The services of the primary for a worker. */
export type Primary = {
  readonly limits: LimitLine;
  /** Has the derived files of a version checked; the result comes to `useChecked`. */
  readonly checkFiles: (found: LeasedVersion) => void;
};

/** Handles the messages of the primary in a worker process, until it is stopped. */
export function followPrimary(
  startDuties: (setup: WorkerSetup, primary: Primary) => Promise<WorkerDuties>,
): void {
  let duties: WorkerDuties | undefined;
  let isStopping = false;
  /** Messages that arrived while the worker was starting. */
  const postponed: ((duties: WorkerDuties) => void)[] = [];

  const onceStarted = (work: (duties: WorkerDuties) => void): void => {
    if (duties === undefined) postponed.push(work);
    else work(duties);
  };

  const limits = openLimitLine((messages) => send({ kind: 'limits', messages }));

  const start = async (setup: WorkerSetup): Promise<void> => {
    try {
      duties = await startDuties(setup, {
        limits: limits.line,
        checkFiles: (found) => send({ kind: 'files_found', found }),
      });
      for (const work of postponed) work(duties);
      setInterval(sendMetrics, METRICS_EVERY_MS).unref();
      setInterval(sendAlive, ALIVE_EVERY_MS).unref();
      send({ kind: 'ready' });
    } catch (error) {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      const hint = error instanceof Error && 'hint' in error ? String(error.hint) : undefined;
      send({ kind: 'failed', error: { name, message, stack, hint } }, () => process.exit(1));
    }
  };

  const sendMetrics = (): void => {
    duties?.readMetrics().then(
      (snapshot) => send({ kind: 'metrics', snapshot }),
      // They are sent with the next successful report; the primary logs that it waited in vain.
      () => {},
    );
  };

  const sendAlive = (): void => {
    duties?.checkReady().then(
      () => send({ kind: 'alive' }),
      (error: Error) => send({ kind: 'alive', notReady: error.message }),
    );
  };

  const stop = (graceMs: number): void => {
    if (isStopping) return;
    isStopping = true;
    if (duties === undefined) process.exit(0);
    duties.stop(graceMs).then(
      (snapshot) => send({ kind: 'metrics', snapshot }, () => process.exit(0)),
      () => process.exit(1),
    );
  };

  const accept = (
    { id, listener, bytes }: Extract<ToWorker, { readonly kind: 'connection' }>,
    socket: Socket | undefined,
  ): void => {
    if (socket !== undefined && duties?.makeRoom() === false) {
      // This only closes the descriptor of this process.
      socket.destroy();
      send({ kind: 'connection_declined', id });
      return;
    }
    send({ kind: 'connection_taken', id });
    // A connection that ended on its way arrives without a socket.
    if (socket === undefined || duties === undefined) {
      socket?.destroy();
      send({ kind: 'connection_ended', id });
      return;
    }
    socket.once('close', () => send({ kind: 'connection_ended', id }));
    socket.setNoDelay(true);
    if (bytes !== '') socket.unshift(Buffer.from(bytes, 'base64'));
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
        accept(message, socket as Socket | undefined);
        break;
      case 'connections_sent':
        send({ kind: 'connections_seen', lastId: message.lastId });
        break;
      case 'certificate':
        onceStarted((begun) => begun.changeCertificate(message.certificate));
        break;
      case 'public_url':
        onceStarted((begun) => begun.usePublicUrl(message.url));
        break;
      case 'control_fresh':
        onceStarted((begun) => begun.noteControlFresh(message.untilMs));
        break;
      case 'limits':
        limits.receive(message.messages);
        break;
      case 'files_checked':
        onceStarted((begun) => begun.useChecked(message.checked));
        break;
      case 'scrape':
        sendMetrics();
        break;
      case 'drain':
        onceStarted((begun) => begun.drain());
        break;
      case 'stop':
        stop(message.graceMs);
        break;
    }
  });
  // A terminal sends its signal to all processes, but only the primary decides what ends.
  process.on('SIGINT', () => {});
  // A signal to this process alone has it replaced.
  process.on('SIGTERM', () => send({ kind: 'leaving' }));
  send({ kind: 'loaded' });
}

function send(message: FromWorker, onSent: () => void = () => {}): void {
  // Without a primary the message is dropped, and the process ends.
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}
