import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Call } from '../../../service/service-context.ts';
import { encodeAnswer, type Made, recordAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import type { RouteDescription } from '../openapi/route-description.ts';
import type { RouteAccess } from '../route-access.ts';
import type { RouteContext } from './route-context.ts';

/** Adds a route to the server. */
export type Route = (app: HttpApp, context: RouteContext) => void;

/** A route, with its description for the OpenAPI document. */
type RouteHead<Params, Query, Body> = Omit<RouteDescription, 'tag' | 'isConditional'> & {
  readonly operationId: string;
  /** Method and path, for example `GET /v1/catalogs/:catalogId`. Two colons mean a literal colon. */
  readonly at: `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`;
  readonly access: RouteAccess;
  /** Default: follows from the access. */
  readonly tag?: RouteDescription['tag'];
  readonly params?: Params;
  readonly querystring?: Query;
  readonly body?: Body;
  /** Runs before the body is read. */
  readonly onRequest?: onRequestHookHandler;
};

/** A request whose parts fit the schemas of the route. */
export type Asked<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> = {
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
  /** Not for a route without a token. */
  readonly call: Call;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** A route that sends what `answer` returns; objects as JSON. Its usage is not recorded. */
export function route<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  head: RouteHead<Params, Query, Body> & Pick<RouteDescription, 'isConditional'>,
  answer: (context: RouteContext, asked: Asked<Params, Query, Body>) => Promise<unknown>,
): Route {
  const { operationId, at, access, params, querystring, body, onRequest, ...description } = head;
  const [method = '', url = ''] = at.split(' ');
  const openapi: RouteDescription = { tag: TAG_OF[access], ...description };
  const inputs = {
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(body && { body }),
  };
  const schema = { operationId, openapi, ...inputs };
  return (app, context) => {
    app.route({
      method,
      url,
      schema,
      config: { access },
      ...(onRequest && { onRequest }),
      handler: (request, reply) =>
        answer(context, {
          // Fastify has checked them with the schemas.
          params: request.params as Static<Params>,
          query: request.query as Static<Query>,
          body: request.body as Static<Body>,
          get call() {
            return context.callOf(request);
          },
          request,
          reply,
        }),
    });
  };
}

const TAG_OF: Readonly<Record<RouteAccess, RouteDescription['tag']>> = {
  any: 'caller',
  public: 'caller',
  catalog: 'catalog',
  metrics: 'metrics',
  usage: 'usage',
  operate: 'admin',
  admin: 'admin',
};

/** The answer of an operation, and the parsed request, for its usage record. */
type Answered = Made & { readonly asked: object };

/** A route whose answer is encoded and whose usage is recorded, under `operation`; default: the id of the route. */
export function meteredRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  { operation, ...head }: RouteHead<Params, Query, Body> & { readonly operation?: string },
  answer: (context: RouteContext, asked: Asked<Params, Query, Body>) => Promise<Answered>,
): Route {
  return route(head, async (context, exchange) => {
    const { asked, ...made } = await answer(context, exchange);
    const answered = { operation: operation ?? head.operationId, request: asked };
    return encodeAnswer(exchange.request, exchange.reply, { answered, ...made });
  });
}

/** A metered route whose answer has an ETag: it is made unless the caller holds it already. */
export function conditionalRoute<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
>(
  head: RouteHead<Params, Query, Body>,
  answer: (
    context: RouteContext,
    asked: Asked<Params, Query, Body>,
  ) => {
    /** The facts that decide the answer. */
    readonly parts: readonly unknown[];
    /** Refuses what `make` would refuse. */
    readonly check: () => void;
    readonly asked: object;
    readonly make: () => Promise<Made>;
  },
): Route {
  return route({ ...head, isConditional: true }, async (context, exchange) => {
    const { parts, check, asked, make } = answer(context, exchange);
    const { request, reply } = exchange;
    const answered = { operation: head.operationId, request: asked };
    return context.answerUnlessHeld(exchange, {
      parts,
      check,
      whenHeld: () => recordAnswer(request, { ...answered, rows: 0, bytes: 0 }),
      make: async () => encodeAnswer(request, reply, { answered, ...(await make()) }),
    });
  });
}
