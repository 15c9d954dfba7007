/**
 * What a token may be used for.
 *
 * - `catalog`, `metrics`: the two interfaces, within the grants of its organisation;
 * - `usage`: what its own organisation used;
 * - `operate`: the metrics of the service, where they need a token;
 * - `admin`: organisations, tokens, grants, limits, usage and the audit log of all.
 */
export const SCOPES = ['catalog', 'metrics', 'usage', 'operate', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a customer needs. */
export const DEFAULT_SCOPES: readonly Scope[] = ['catalog', 'metrics', 'usage'];
