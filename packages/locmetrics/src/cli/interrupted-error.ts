/** A command that was stopped by a signal before its end. */
export class InterruptedError extends Error {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super('Stopped before the end: nothing was changed.');
    this.name = 'InterruptedError';
    this.signal = signal;
  }
}
