import { checkScopes } from '../auth/scopes.ts';
import type { Scope } from '../domain/scope.ts';
import { readFlag } from './read-flag.ts';

/** The scopes of repeated flags; each flag can have several, separated by commas. */
export function readScopeFlags(flags: readonly string[]): readonly Scope[] {
  const names = flags.flatMap((names) => names.split(',').map((name) => name.trim()));
  return readFlag('--scope', () => checkScopes(names));
}
