/** The number of running and of queued items. */
export type QueueLength = { readonly running: number; readonly waiting: number };

/** The memory of an engine, and its limit. */
export type EngineMemory = {
  readonly memoryBytes: number;
  readonly memoryLimitBytes: number;
  /** Spilled to disk. */
  readonly temporaryBytes: number;
};
