import type { Scope } from '../../domain/scope.ts';

/**
 * What a token needs to be used for a route; undefined where there is nothing, which any accepted
 * token is told. A route that has no scope is a mistake of ours and answers nobody.
 */
export function requiredScope(route: string | undefined): Scope | undefined {
  if (route === undefined || route === ROUTE_OF_PREFLIGHTS) return undefined;
  const scope = SCOPES.find(([begin]) => route.startsWith(begin))?.[1];
  if (scope === undefined) throw new Error(`The route ${route} has no scope.`);
  return scope;
}

/** Registered by the library for CORS; it answers OPTIONS alone. */
const ROUTE_OF_PREFLIGHTS = '*';

const SCOPES: readonly (readonly [string, Scope])[] = [
  ['/v3/catalog/', 'catalog'],
  ['/v1/catalogs/', 'metrics'],
  ['/v1/usage', 'usage'],
  ['/v1/admin/', 'admin'],
];
