import { ExpectedError } from '../domain/expected-error.ts';

/** The content of the data directory cannot be used: it is damaged, missing, or of a newer release. */
export class DataDirectoryError extends ExpectedError {
  override readonly name = 'DataDirectoryError';
}
