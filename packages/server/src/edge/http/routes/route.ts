import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Call, ServiceContext } from '../../../service/service-context.ts';
import { answerRequest, callOf, type Encoded, HELD, type Operation } from '../../pipeline.ts';
import { findTags, setTag, type Tags } from '../answer/answer-tags.ts';
import { addVary } from '../answer/vary.ts';
import { type HttpApp, JSON_MEDIA_TYPE } from '../http-app.ts';
import type { RouteDescription } from '../openapi/route-description.ts';
import { stateOf } from '../request/request-state.ts';
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

/** A request that was received: its parts fit the schemas of the route. */
export type Received<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> = {
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
  /** Not for a route without a token. */
  readonly call: Call;
  readonly context: RouteContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** It is a class for the reason that `LazyPage` is one. */
class ReceivedByFastify<Params extends TSchema, Query extends TSchema, Body extends TSchema>
  implements Received<Params, Query, Body>
{
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
  readonly context: RouteContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;

  constructor(context: RouteContext, request: FastifyRequest, reply: FastifyReply) {
    // Fastify has checked them with the schemas.
    this.params = request.params as Static<Params>;
    this.query = request.query as Static<Query>;
    this.body = request.body as Static<Body>;
    this.context = context;
    this.request = request;
    this.reply = reply;
  }

  get call(): Call {
    return callOf(stateOf(this.request));
  }
}

/** A route that sends what `answer` returns; objects as JSON. Its usage is not recorded. */
export function route<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  head: RouteHead<Params, Query, Body> & Pick<RouteDescription, 'isConditional'>,
  answer: (context: RouteContext, received: Received<Params, Query, Body>) => Promise<unknown>,
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
      handler: (request, reply) => {
        if (openapi.tables !== undefined) addVary(reply, 'Accept');
        return answer(context, new ReceivedByFastify(context, request, reply));
      },
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

/** The bytes of an answer, with headers of it alone. */
type EncodedAnswer = Buffer | Pick<Encoded, 'answer' | 'headers'>;

/** The steps of a route that answers with data; the encoding returns the bytes alone. */
type Steps<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Asked,
  Result,
> = Pick<Operation<Received<Params, Query, Body>, Asked, Result>, 'read' | 'run' | 'rowsOf'> & {
  readonly encode: (result: Result, asked: Asked) => EncodedAnswer | Promise<EncodedAnswer>;
};

/** A route that answers with data, which is recorded under the name of an operation; default: the id of the route. */
export function operationRoute<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Asked extends object,
  Result,
>(
  { operation: name, ...head }: RouteHead<Params, Query, Body> & { readonly operation?: string },
  steps: Steps<Params, Query, Body, Asked, Result>,
): Route {
  const operation = toOperation(name ?? head.operationId, steps);
  return route(head, async ({ service }, received) => {
    const exchange = stateOf(received.request);
    return toSend(head, received, await answerRequest(service, exchange, operation, received));
  });
}

/** A route that answers with data and an ETag: it runs no query if the caller holds the answer already. */
export function conditionalRoute<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Asked extends object,
  Pinned extends { readonly answerParts: readonly unknown[] },
  Result,
>(
  head: RouteHead<Params, Query, Body>,
  {
    pin,
    check,
    run,
    ...steps
  }: Omit<Steps<Params, Query, Body, Asked, Result>, 'run'> & {
    /** Finds the version of the answer, and so the facts that decide its bytes. */
    readonly pin: (service: ServiceContext, asked: Asked, call: Call) => Pinned;
    /** Refuses what `run` would refuse. */
    readonly check: (pinned: Pinned) => void;
    readonly run: (service: ServiceContext, pinned: Pinned, call: Call) => Promise<Result>;
  },
): Route {
  return route({ ...head, isConditional: true }, async ({ service, release }, received) => {
    const { request, reply } = received;
    let tags: Tags | undefined;
    const operation = toOperation<Params, Query, Body, Asked, Result>(head.operationId, {
      ...steps,
      run: async (_service, asked, call) => {
        const pinned = pin(service, asked, call);
        tags = findTags(request, release, pinned.answerParts);
        if (tags.isAnyHeld) check(pinned);
        return tags.held === undefined ? run(service, pinned, call) : HELD;
      },
    });
    const encoded = await answerRequest(service, stateOf(request), operation, received);
    if (tags === undefined) throw new Error('An answer has no tag.');
    const answer = tags.held === undefined ? toSend(head, received, encoded) : undefined;
    setTag(request, reply, tags);
    return answer ?? reply.code(304).send();
  });
}

function toOperation<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Asked,
  Result,
>(
  name: string,
  { read, run, rowsOf, encode }: Steps<Params, Query, Body, Asked, Result>,
): Operation<Received<Params, Query, Body>, Asked, Result> {
  return {
    name,
    read,
    run,
    rowsOf,
    encode: async (result, asked) => {
      const encoded = await encode(result, asked);
      const { answer, headers } = Buffer.isBuffer(encoded)
        ? { answer: encoded, headers: undefined }
        : encoded;
      return { answer, rows: rowsOf?.(result), bytes: answer.length, headers };
    },
  };
}

/** The bytes of an answer, whose headers are set. Their buffer is released once they are sent. */
function toSend(
  { mediaType = JSON_MEDIA_TYPE, isEmptyToo }: Pick<RouteDescription, 'mediaType' | 'isEmptyToo'>,
  { request, reply }: Pick<Received, 'request' | 'reply'>,
  { answer, rows, headers }: Encoded,
): Buffer {
  if (isEmptyToo !== undefined && rows === 0) reply.code(204);
  reply.type(mediaType);
  if (headers !== undefined) reply.headers(headers);
  stateOf(request).answer = answer;
  return answer;
}
