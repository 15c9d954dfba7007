import { CHECKED_LATER } from '@locmetrics/contract';
import { ServiceError } from '../../domain/service-error.ts';
import type { HttpApp } from './http-app.ts';
import { toFinite } from './read-integer.ts';
import { readJsonBody } from './read-json-body.ts';
import { checkPercentEncoding, readQuery } from './read-query.ts';
import { readSpelling } from './read-spelling.ts';
import { stateOf } from './request-state.ts';

/** A body is checked as it is: no type is coerced and no unknown field dropped. */
export const BODY_VALIDATION = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
  allowUnionTypes: true,
  verbose: true,
  keywords: [CHECKED_LATER],
};

/** Reads bodies and addresses in either spelling, by the schema of their route. */
export function readBodies(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readJsonBody(Buffer.from(body)));
    } catch (error) {
      done(ServiceError.from(error));
    }
  });
  app.addHook('preValidation', async (request) => {
    const { body: schema, querystring } = request.routeOptions.schema ?? {};
    if (querystring !== undefined) {
      checkPercentEncoding(request.url);
      // The parser of addresses gives texts and lists of texts; the schemas are those of the contract.
      const { query, written } = readQuery(
        request.query as Parameters<typeof readQuery>[0],
        querystring as Parameters<typeof readQuery>[1],
      );
      stateOf(request).writtenPointers = written;
      request.query = query;
    }
    if (schema === undefined) return;
    refuseQuery(request.query);
    if (request.method === 'PUT') refuseNoBody(request.body);
    // The schemas of bodies are those of the contract, which are plain JSON Schema objects.
    const { body, written } = readSpelling(
      request.body === undefined ? {} : request.body,
      schema as object,
    );
    stateOf(request).writtenPointers = written;
    request.body = withFinitePageSize(body);
  });
}

/** The largest page of all is no mistake; to the validator an infinite number is no whole one. */
function withFinitePageSize(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('pageSize' in body)) return body;
  const { pageSize } = body;
  return typeof pageSize === 'number' ? { ...body, pageSize: toFinite(pageSize) } : body;
}

/** A PUT replaces what is there: one whose body was lost on the way would clear all of it. */
function refuseNoBody(body: unknown): void {
  if (body !== undefined && body !== null) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    '',
    'The request has no body to replace what is there by.',
    'Send a JSON object; to clear all of it, the empty one: {}.',
  );
}

/** A parameter in the address would be ignored silently, and could be a token. */
function refuseQuery(query: unknown): void {
  if (typeof query !== 'object' || query === null || Object.keys(query).length === 0) return;
  throw new ServiceError(
    'UNKNOWN_REQUEST_FIELD',
    'The address has parameters after a question mark.',
    {
      hint: 'Send every field of the request in the JSON body.',
    },
  );
}
