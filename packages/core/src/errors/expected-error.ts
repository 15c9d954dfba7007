/**
 * An error that is reported to the operator as a message, not as a fault of the program. The callers of
 * the service never see it.
 *
 * - `message`: what happened, with the value that caused it; a whole sentence.
 * - `hint`: the action to take.
 */
export abstract class ExpectedError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = hint;
  }
}
