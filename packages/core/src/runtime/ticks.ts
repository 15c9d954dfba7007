import { type Abortable, openQueue } from './queue.ts';

/**
 * Long work on the event loop, cut into ticks: short work waits for a tick to end, not for all of the long work.
 * Of all long work in the process, one tick runs in each round of the event loop.
 */
export type Ticks = {
  readonly isOver: () => boolean;
  /** Lets other work run, and starts the next tick. */
  readonly next: () => Promise<void>;
};

/** In ms. Work checks about every 0.15 ms whether its tick is over, so a tick stays below 1. */
const TICK_MS = 0.8;

export function openTicks(): Ticks {
  let startedMs = performance.now();
  return {
    isOver: () => performance.now() - startedMs > TICK_MS,
    next: async () => {
      const tick = queue.wait({});
      schedule();
      await tick;
      startedMs = performance.now();
    },
  };
}

const queue = openQueue<Abortable, void>();
let isScheduled = false;

function schedule(): void {
  if (isScheduled || queue.length() === 0) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    queue.give();
    schedule();
  });
}
