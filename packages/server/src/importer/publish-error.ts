/** A publish that cannot be done as asked; nothing was changed. The hint says what to do. */
export class PublishError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'PublishError';
    this.hint = hint;
  }
}
