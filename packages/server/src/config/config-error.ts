import { ExpectedError } from '../domain/expected-error.ts';

/** Settings or arguments that cannot be used. */
export class ConfigError extends ExpectedError {
  override readonly name = 'ConfigError';
}
