import type { Scope } from '@locmetrics/core/domain/scope';
import { COMMA_LIST_HINT, readCommaList } from '@locmetrics/core/errors/comma-list';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { checkScopes } from '@locmetrics/server/auth/scopes';
import { ConfigError } from '../../config/config-error.ts';

/** Parses the value of a flag: an invalid value is wrong usage, and the message names the flag. */
export function readFlag<Value>(flag: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ControlError || error instanceof ServiceError)) throw error;
    throw new ConfigError(`${flag}: ${error.message}`, error.hint);
  }
}

/** The scopes of repeated flags; each flag can have several, separated by commas. */
export function readScopeFlags(flags: readonly string[]): readonly Scope[] {
  const names = flags.flatMap((names) => readListFlag('--scope', names));
  return readFlag('--scope', () => checkScopes(names));
}

/** The values of a flag that is a list: see `comma-list.ts`. */
export function readListFlag(flag: string, text: string): readonly string[] {
  const list = readCommaList(text);
  if ('values' in list) return list.values;
  throw new ConfigError(`${flag}: '${text.slice(0, 100)}' ${list.problem}.`, COMMA_LIST_HINT);
}
