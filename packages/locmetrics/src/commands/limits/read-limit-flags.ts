import { LIMIT_NAMES, type LimitChanges, type LimitName } from '@locmetrics/server/auth/limits';
import { ConfigError } from '../../config/config-error.ts';
import { LIMIT_TEXTS } from './limit-texts.ts';

/** The limits of the flags of `limits set`. */
export function readLimitFlags(
  flags: { readonly [Name in LimitName]?: string | undefined },
): LimitChanges {
  const changes = LIMIT_NAMES.flatMap((name) => {
    const text = flags[name];
    return text === undefined ? [] : [[name, readLimit(LIMIT_TEXTS[name].flag, text)] as const];
  });
  if (changes.length > 0) return Object.fromEntries(changes);
  throw new ConfigError(
    'No limit is given.',
    `Give at least one of ${LIMIT_NAMES.map((name) => LIMIT_TEXTS[name].flag).join(', ')}.`,
  );
}

function readLimit(flag: string, text: string): number {
  if (text === 'none') return 0;
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text);
  throw new ConfigError(
    `${flag}: '${text.slice(0, 100)}' is not a number of 0 or more.`,
    'Write a number, or 0 or none to remove the limit.',
  );
}
