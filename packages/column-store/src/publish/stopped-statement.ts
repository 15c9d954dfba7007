/** A statement that was stopped because it used up its time, or its process the memory that it may have. */
export class StoppedStatement extends Error {
  readonly resource: 'time' | 'memory';
  /** The time that it had. */
  readonly timeMaxMs: number | undefined;

  constructor(resource: 'time' | 'memory', timeMaxMs?: number) {
    super(`A statement was stopped: it needed too much ${resource}.`);
    this.name = 'StoppedStatement';
    this.resource = resource;
    this.timeMaxMs = timeMaxMs;
  }
}
