import type { QueueLength } from './engine-load.ts';
import { openQueue, type QueueLimit } from './queue.ts';
import type { StopSignal } from './stop.ts';

/** A pool of at most `itemsMax` items. If all are in use, requests are queued. */
export type Pool<Item> = {
  readonly acquire: (signal: StopSignal) => Promise<Item>;
  /** Whether a request would get an item without waiting for another one. */
  readonly isFree: () => boolean;
  readonly release: (item: Item) => void;
  /** The number of items in use, and of queued requests. */
  readonly length: () => QueueLength;
  /** Removes the idle items from the pool and returns them. */
  readonly takeIdle: () => readonly Item[];
};

export function openPool<Item>({
  create,
  itemsMax,
  ...limit
}: QueueLimit & {
  readonly create: () => Promise<Item>;
  readonly itemsMax: number;
}): Pool<Item> {
  const idle: Item[] = [];
  const queue = openQueue<{ readonly signal: StopSignal }, Item>(limit);
  let created = 0;

  return {
    acquire: async (signal) => {
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
      return queue.wait({ signal });
    },
    isFree: () => idle.length > 0 || created < itemsMax,
    release: (item) => {
      if (queue.give(item) === undefined) idle.push(item);
    },
    length: () => ({ running: created - idle.length, waiting: queue.length() }),
    takeIdle: () => idle.splice(0),
  };
}
