/**
 * A management operation that cannot be done as the operator asked, or a control store that cannot
 * be used. It is shown on the command line; the callers of the service never see it.
 *
 * - `message`: what happened, with the value that caused it; a whole sentence.
 * - `hint`: what to do.
 */
export class ControlError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ControlError';
    this.hint = hint;
  }
}
