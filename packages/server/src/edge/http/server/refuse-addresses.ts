import { nearestName } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { calledPathOf, pathOf } from '../answer/send-problem.ts';
import type { HttpApp } from '../http-app.ts';
import { PATH_PARTS, showPath } from '../openapi/show-path.ts';
import { stateOf } from '../request/request-state.ts';
import { isPreflight } from './allow-origins.ts';

/**
 * Answers OPTIONS with the methods of an address, without a token: `/openapi.json` has them too. Preflights are answered
 * elsewhere.
 */
export function answerOptions(app: HttpApp): void {
  const routes = collectRoutes(app);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS' || isPreflight(request)) return done();
    const path = pathOf(request);
    const methods = path === '*' ? METHODS : methodsAt(path, routes);
    if (methods.length === 0) return done();
    reply
      .code(204)
      .header('allow', [...methods, 'OPTIONS'].join(', '))
      .send();
  });
}

/**
 * Refuses an address without a route, or with a route only for another method. Call it before the body is received,
 * because no route says how to parse it.
 */
export function addressRefuser(app: HttpApp): AddressRefuser {
  const routes = collectRoutes(app);
  const refuse: RefuseAddress = (request, reply) => {
    const path = pathOf(request);
    const methods = methodsAt(path, routes);
    // A known route that does not match, as with a line break in the name of a tile, has nothing there either.
    if (methods.length === 0 || methods.some((known) => known === request.method)) {
      throw routeNotFound(
        path,
        routes.map(({ shownPath }) => shownPath),
        stateOf(request).pathPrefix,
      );
    }
    reply.header('allow', methods.join(', '));
    throw methodNotAllowed(request.method, calledPathOf(request), methods);
  };
  const isRefused = (request: FastifyRequest): boolean => {
    if (request.is404) return true;
    const path = pathOf(request);
    // The router takes `visits:download` for the name of a resource, if the method fits that.
    if (!METHOD_OF_RESOURCE.test(path)) return false;
    return !methodsAt(path, routes).some((known) => known === request.method);
  };
  // A route that serves files detects missing ones itself.
  app.setNotFoundHandler(async (request, reply) => refuse(request, reply));
  return { refuse, isRefused };
}

export type AddressRefuser = {
  readonly refuse: RefuseAddress;
  readonly isRefused: (request: FastifyRequest) => boolean;
};

export type RefuseAddress = (request: FastifyRequest, reply: FastifyReply) => never;

/** The routes that are added from now on. */
function collectRoutes(app: HttpApp): readonly Route[] {
  const routes: Route[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ shownPath: showPath(url), pattern: toPattern(url), methods: [method].flat() });
  });
  return routes;
}

function methodsAt(path: string, routes: readonly Route[]): readonly (typeof METHODS)[number][] {
  const matching = routes.filter(({ pattern }) => pattern.test(path));
  // The path of a method of a resource, such as `:download`, is not one of a resource with that name.
  const methods = matching.filter(({ shownPath }) => METHOD_OF_RESOURCE.test(shownPath));
  const here = methods.length > 0 ? methods : matching;
  return METHODS.filter((known) => here.some((route) => route.methods.includes(known)));
}

const METHOD_OF_RESOURCE = /:\w+$/;

type Route = {
  /** As in the OpenAPI document, for example `/v1/catalogs/{catalogId}`. */
  readonly shownPath: string;
  /** Matches the paths of the route. */
  readonly pattern: RegExp;
  readonly methods: readonly string[];
};

function toPattern(url: string): RegExp {
  const pattern = url.replaceAll(PATH_PARTS, (part, name?: string) => {
    if (name !== undefined) return '[^/]+';
    if (part === '::') return ':';
    return part === '*' ? '.*' : `\\${part}`;
  });
  return new RegExp(`^${pattern}$`);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;

function methodNotAllowed(method: string, path: string, allowed: readonly string[]): ServiceError {
  return new ServiceError('METHOD_NOT_ALLOWED', `${path} does not answer ${method}.`, {
    hint: `Send ${allowed.join(' or ')}.`,
  });
}

function routeNotFound(path: string, paths: readonly string[], prefix: string): ServiceError {
  const formats = formatsOf(path, paths);
  const nearest = nearestName(path, paths);
  return new ServiceError(
    'ROUTE_NOT_FOUND',
    `There is nothing at ${prefix}${path.slice(0, 200)}.`,
    {
      hint:
        formats.length > 0
          ? `The formats are ${formats.join(', ')}.`
          : nearest === undefined
            ? `${prefix}/openapi.json lists the paths.`
            : `Did you mean '${prefix}${nearest}'?`,
    },
  );
}

/** The formats of a whole result, if that is what the path would return in one of them: `…/records.xlsx`. */
function formatsOf(path: string, paths: readonly string[]): readonly string[] {
  const asked = OF_FORMAT.exec(path)?.groups?.['rows'];
  const formats = paths.flatMap((one) => {
    const { rows, format } = OF_FORMAT.exec(one)?.groups ?? {};
    return rows === asked && format !== undefined ? [format] : [];
  });
  return asked === undefined ? [] : [...new Set(formats)];
}

const OF_FORMAT =
  /^\/(?:v3\/catalog\/[^/]+|v1\/catalogs\/[^/]+\/metrics\/[^/]+)\/(?<rows>records|values)\.(?<format>\w+)$/;
