/**
 * What an operator is told in words, and not as a fault of the program; the callers of the service never
 * see it.
 *
 * - `message`: what happened, with the value that caused it; a whole sentence.
 * - `hint`: what to do.
 */
export abstract class ExpectedError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = hint;
  }
}
