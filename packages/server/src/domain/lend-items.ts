import type { QueueLength } from './load.ts';
import { ServiceError } from './service-error.ts';

/**
 * Lends items, at most `itemsMax` at once; who comes later waits in line, at most `waitingMax` of them.
 * Whoever's signal aborts while waiting leaves the line, with the signal's reason.
 */
export type Lender<Item> = {
  readonly borrow: (signal: AbortSignal) => Promise<Item>;
  readonly giveBack: (item: Item) => void;
  /** How many items are lent now, and how many wait for one. */
  readonly length: () => QueueLength;
  /** The items that nobody has now, which are lent no more. */
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
  /** What is refused when the line is full: a whole sentence. */
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

function waitInLine<Item>(waiting: ((item: Item) => void)[], signal: AbortSignal): Promise<Item> {
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
