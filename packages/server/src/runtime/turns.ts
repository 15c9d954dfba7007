/**
 * Long work on the event loop, cut into turns: what takes microseconds waits for a turn of it, not for its end.
 * Of all such work in the process only one turn runs in each round of the event loop.
 */
export type Turns = {
  readonly isOver: () => boolean;
  /** Lets others go on, and begins the next turn. */
  readonly next: () => Promise<void>;
};

/** In ms. The piece of work after which a turn is seen to be over takes up to 0.15: with it a turn stays below 1. */
const TURN_MS = 0.8;

export function openTurns(): Turns {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began > TURN_MS,
    next: async () => {
      await waitInLine();
      began = performance.now();
    },
  };
}

const waiting: (() => void)[] = [];
let isScheduled = false;

function waitInLine(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()?.();
    schedule();
  });
}
