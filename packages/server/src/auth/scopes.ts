import { SCOPES, type Scope } from '@locmetrics/core/domain/scope';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { quoteInput } from './quote-input.ts';

/** The scopes of these names, each once and in the order of `SCOPES`. */
export function checkScopes(names: readonly string[]): readonly Scope[] {
  const at = (pointer: string) => ({ reason: 'INVALID_REQUEST', pointer }) as const;
  if (names.length === 0) {
    const hint = `Name at least one of ${SCOPES.join(', ')}.`;
    throw new ControlError('A token needs at least one scope.', hint, at('/scopes'));
  }
  for (const [index, name] of names.entries()) {
    if (SCOPES.some((scope) => scope === name)) continue;
    const message = `There is no scope ${quoteInput(name)}.`;
    throw new ControlError(message, nameHint(name, SCOPES), at(`/scopes/${index}`));
  }
  return SCOPES.filter((scope) => names.includes(scope));
}

/** The stored form. */
export function writeScopes(scopes: readonly Scope[]): string {
  return scopes.join(',');
}

const read = new Map<string, readonly Scope[]>();

/** There are few sets of scopes, so the lists are cached. */
export function readScopes(text: string): readonly Scope[] {
  let scopes = read.get(text);
  if (scopes === undefined) {
    scopes = SCOPES.filter((scope) => text.split(',').includes(scope));
    read.set(text, scopes);
  }
  return scopes;
}
