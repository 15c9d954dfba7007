import type { Scope } from '../../../domain/scope.ts';

/**
 * The scope that a token needs for a route. Undefined for an unknown route: any accepted token gets the
 * 404. A route without a scope is a bug and refuses every request.
 */
export function requiredScope(route: string | undefined): Scope | undefined {
  if (route === undefined || route === ROUTE_OF_PREFLIGHTS) return undefined;
  const scope = SCOPES.find(([begin]) => route.startsWith(begin))?.[1];
  if (scope === undefined) throw new Error(`The route ${route} has no scope.`);
  return scope;
}

/** Registered by the CORS library; it only answers OPTIONS. */
const ROUTE_OF_PREFLIGHTS = '*';

const SCOPES: readonly (readonly [string, Scope])[] = [
  ['/v3/catalog/', 'catalog'],
  ['/v1/catalogs/', 'metrics'],
  ['/v1/usage', 'usage'],
  ['/v1/admin/', 'admin'],
];
