import type { StopSignal } from './stop.ts';

/**
 * Work that waits for something, first in, first out. A waiter whose signal aborts leaves the queue with the reason
 * of the signal.
 */
export type Queue<Waiter, Given> = {
  /** Resolves with what is given to the waiter. Rejects at once if the queue is full. */
  readonly wait: (waiter: Waiter) => Promise<Given>;
  /** Gives to the first waiter that is ready, and returns it; undefined if none is. */
  readonly give: (given: Given, isReady?: (waiter: Waiter) => boolean) => Waiter | undefined;
  readonly length: () => number;
};

/** A waiter, which may have a signal. */
export type Abortable = { readonly signal?: StopSignal };

export type QueueLimit = {
  readonly waitingMax: number;
  /** Makes the error for a waiter that finds the queue full. */
  readonly full: () => Error;
};

export function openQueue<Waiter extends Abortable, Given>({
  waitingMax,
  full,
}: QueueLimit = UNLIMITED): Queue<Waiter, Given> {
  const waiting: Waiting<Waiter, Given>[] = [];
  return {
    wait: (waiter) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= waitingMax) throw full();
        const { signal } = waiter;
        const leave = (): void => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal?.reason);
        };
        const take = (given: Given): void => {
          signal?.removeEventListener('abort', leave);
          resolve(given);
        };
        const entry = { waiter, take };
        waiting.push(entry);
        signal?.addEventListener('abort', leave, { once: true });
      }),
    give: (given, isReady) => {
      for (let index = 0; index < waiting.length; index += 1) {
        const entry = waiting[index];
        if (entry === undefined || isReady?.(entry.waiter) === false) continue;
        waiting.splice(index, 1);
        entry.take(given);
        return entry.waiter;
      }
      return undefined;
    },
    length: () => waiting.length,
  };
}

type Waiting<Waiter, Given> = {
  readonly waiter: Waiter;
  readonly take: (given: Given) => void;
};

const UNLIMITED: QueueLimit = {
  waitingMax: Number.POSITIVE_INFINITY,
  full: () => new Error('The queue is full.'),
};
