import { ExpectedError } from '@locmetrics/core/errors/expected-error';

/** The content of the data directory cannot be used: it is damaged, missing, or of a newer release. */
export class DataDirectoryError extends ExpectedError {
  override readonly name = 'DataDirectoryError';
}
