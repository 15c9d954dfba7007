import { ServiceError } from '../domain/service-error.ts';
import type { QueueLength } from './load.ts';
import type { StopSignal } from './stop.ts';

/**
 * A pool of at most `itemsMax` items. If all are lent, up to `waitingMax` requests are queued. A request
 * whose signal aborts leaves the queue with the reason of the signal.
 */
export type Lender<Item> = {
  readonly borrow: (signal: StopSignal) => Promise<Item>;
  readonly giveBack: (item: Item) => void;
  /** The number of lent items, and of queued requests. */
  readonly length: () => QueueLength;
  /** Removes the idle items from the pool and returns them. */
  readonly takeIdle: () => readonly Item[];
};

export function openLender<Item>({
  create,
  itemsMax,
  waitingMax,
  busy,
}: {
  readonly create: () => Promise<Item>;
  readonly itemsMax: number;
  readonly waitingMax: number;
  /** The message of the refusal when the queue is full: a whole sentence. */
  readonly busy: string;
}): Lender<Item> {
  const idle: Item[] = [];
  const waiting: ((item: Item) => void)[] = [];
  let created = 0;

  return {
    borrow: async (signal) => {
      signal.throwIfAborted();
      const free = idle.pop();
      if (free !== undefined) return free;
      if (created < itemsMax) {
        created += 1;
        try {
          return await create();
        } catch (error) {
          created -= 1;
          throw error;
        }
      }
      if (waiting.length >= waitingMax) {
        throw new ServiceError('OVERLOADED', busy, { hint: 'Try again after a second.' });
      }
      return waitInLine(waiting, signal);
    },
    giveBack: (item) => {
      const next = waiting.shift();
      if (next === undefined) idle.push(item);
      else next(item);
    },
    length: () => ({ running: created - idle.length, waiting: waiting.length }),
    takeIdle: () => idle.splice(0),
  };
}

function waitInLine<Item>(waiting: ((item: Item) => void)[], signal: StopSignal): Promise<Item> {
  return new Promise((resolve, reject) => {
    const take = (item: Item): void => {
      signal.removeEventListener('abort', leave);
      resolve(item);
    };
    const leave = (): void => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(signal.reason);
    };
    waiting.push(take);
    signal.addEventListener('abort', leave, { once: true });
  });
}
