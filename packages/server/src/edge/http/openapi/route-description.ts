import type { TSchema } from 'typebox';

/** What the OpenAPI document says of a route, beside the schemas of its request. */
export type RouteDescription = {
  readonly summary: string;
  readonly description?: string;
  readonly tag: 'catalog' | 'metrics' | 'usage' | 'admin';
  readonly answer: TSchema;
  /** Whether the answer can be asked for as CSV too. */
  readonly isCsvToo?: boolean;
  /** Whether the answer has an ETag, so that `If-None-Match` is read. */
  readonly isConditional?: boolean;
  /** Statuses of its refusals, beside those that every route has. */
  readonly refusals: readonly RefusalStatus[];
};

type RefusalStatus = 404 | 409 | 504;

/** The schema of a route for Fastify, with its description. */
export function describedRoute<const Inputs extends RequestSchemas>(
  operationId: string,
  openapi: RouteDescription,
  inputs: Inputs,
) {
  return { operationId, openapi, ...inputs };
}

export type RequestSchemas = {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
};
