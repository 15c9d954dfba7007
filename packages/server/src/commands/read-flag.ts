import { ConfigError } from '../config/config-error.ts';
import { ControlError } from '../domain/control-error.ts';
import { ServiceError } from '../domain/service-error.ts';

/** Parses the value of a flag: an invalid value is wrong usage, and the message names the flag. */
export function readFlag<Value>(flag: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ControlError || error instanceof ServiceError)) throw error;
    throw new ConfigError(`${flag}: ${error.message}`, error.hint);
  }
}
