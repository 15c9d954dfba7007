/** What is worked on now, and what waits in line for its turn. */
export type QueueLength = { readonly running: number; readonly waiting: number };

/** What an engine holds, and how much of it at most. */
export type EngineMemory = {
  readonly memoryBytes: number;
  readonly memoryLimitBytes: number;
  /** Spilled to disk. */
  readonly temporaryBytes: number;
};
