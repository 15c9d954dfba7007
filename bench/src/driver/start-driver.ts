import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type {
  DriverOrder,
  DriverReply,
  LoadOrder,
  LoadResult,
  ScanOrder,
  ScanResult,
  StreamOrder,
} from './load-order.ts';

export type Driver = AsyncDisposable & {
  readonly run: (order: LoadOrder) => Promise<LoadResult>;
  /** Ends a load of the kind `stopped`. */
  readonly stop: () => void;
  readonly scan: (order: ScanOrder) => Promise<ScanResult>;
  readonly stream: (order: StreamOrder) => Promise<ScanResult>;
};

/** Starts the driver process. */
export function startDriver(): Driver {
  const child = fork(ENTRY_POINT, { serialization: 'advanced', execArgv: [] });
  const ended = once(child, 'exit');
  const ask = async (order: DriverOrder, asked: string): Promise<DriverReply> => {
    const answered = Promise.withResolvers<DriverReply>();
    const onExit = (): void => answered.reject(new Error('The driver ended by itself.'));
    child.once('message', answered.resolve).once('exit', onExit);
    child.send(order);
    const reply = await answered.promise.finally(() => {
      child.off('message', answered.resolve).off('exit', onExit);
    });
    if (reply.kind === 'error') throw new Error(`${asked} failed: ${reply.error}`);
    return reply;
  };
  return {
    run: async (order) => {
      const asked = order.questions.map(({ workload, shape }) => `${workload} (${shape})`);
      const reply = await ask(order, `A request of ${asked.join(', ')}`);
      if (reply.kind !== 'load') throw new Error('The driver answered another order.');
      return reply.result;
    },
    stop: () => child.send('stop'),
    scan: async (order) => {
      const reply = await ask(order, `A page of ${order.shape}`);
      if (reply.kind !== 'scan') throw new Error('The driver answered another order.');
      return reply.result;
    },
    stream: async (order) => {
      const reply = await ask(order, `The stream ${order.shape}`);
      if (reply.kind !== 'stream') throw new Error('The driver answered another order.');
      return reply.result;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

const ENTRY_POINT = fileURLToPath(new URL('driver-process.ts', import.meta.url));
