/**
 * The permissions of a token.
 *
 * - `catalog`, `metrics`: the two interfaces, within the grants of its organisation;
 * - `usage`: the usage of its own organisation;
 * - `operate`: the metrics of the service, if they require a token;
 * - `admin`: organisations, tokens, grants, limits, usage and the audit log of all.
 */
export const SCOPES = ['catalog', 'metrics', 'usage', 'operate', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that a customer needs. */
export const DEFAULT_SCOPES: readonly Scope[] = ['catalog', 'metrics', 'usage'];
