import type { HttpApp } from '../http-app.ts';
import type { RequestSchemas, RouteDescription } from './route-description.ts';
import { showPath } from './show-path.ts';

export type DescribedRoute = RequestSchemas & {
  readonly operationId: string;
  readonly openapi: RouteDescription;
  /** In lower case. */
  readonly method: string;
  /** As in the OpenAPI document, for example `/v1/catalogs/{catalogId}`. */
  readonly path: string;
  /** Whether it needs no token. */
  readonly isPublic: boolean;
};

/** A list that collects the described routes added from now on. */
export function collectRoutes(app: HttpApp): readonly DescribedRoute[] {
  const routes: DescribedRoute[] = [];
  app.addHook('onRoute', ({ url, method, schema, config }) => {
    if (schema === undefined || !('openapi' in schema)) return;
    // Only `route` creates schemas with this member.
    const described = schema as Omit<DescribedRoute, 'method' | 'path' | 'isPublic'>;
    for (const one of [method].flat()) {
      // Fastify adds a HEAD route to each GET route.
      if (one === 'HEAD') continue;
      const isPublic = config?.access === 'public';
      routes.push({ ...described, method: one.toLowerCase(), path: showPath(url), isPublic });
    }
  });
  return routes;
}
