import { ExpectedError } from '../domain/expected-error.ts';

/** What the data directory holds cannot be used: damaged, taken away, or of a newer release. */
export class DataDirectoryError extends ExpectedError {
  override readonly name = 'DataDirectoryError';
}
