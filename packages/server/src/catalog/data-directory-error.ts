/** What the data directory holds cannot be used: damaged, taken away, or of a newer release. */
export class DataDirectoryError extends Error {
  /** What to do. */
  readonly hint: string;

  constructor(message: string, hint: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DataDirectoryError';
    this.hint = hint;
  }
}
