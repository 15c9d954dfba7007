import { ExpectedError } from '@locmetrics/core/errors/expected-error';

/** Settings or arguments that cannot be used. */
export class ConfigError extends ExpectedError {
  override readonly name = 'ConfigError';
}
