import type { Scope } from '@locmetrics/core/domain/scope';
import type { RouteOptions } from 'fastify';
import type { HttpApp } from './http-app.ts';

/** The scope that the token of a request needs, `any` for each accepted token, or `public` without a token. */
export type RouteAccess = Scope | 'any' | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent only if there is no route: any accepted token gets the 404. */
    readonly access?: RouteAccess;
  }
}

/** Registered by the CORS library; it only answers OPTIONS. */
const ROUTE_OF_PREFLIGHTS = '*';

/** Refuses to open a server with a route, added from now on, that does not say who may use it. */
export function expectAccess(app: HttpApp): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', (done) => {
    const open = routes.find(
      ({ url, config }) => config?.access === undefined && url !== ROUTE_OF_PREFLIGHTS,
    );
    done(open && new Error(`The route ${open.url} does not say which scope it needs.`));
  });
}
