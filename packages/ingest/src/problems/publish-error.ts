import { ExpectedError } from '@locmetrics/core/errors/expected-error';

/** A publish that cannot be done as asked; nothing was changed. */
export class PublishError extends ExpectedError {
  override readonly name = 'PublishError';
}
