import { CHECKED_LATER } from '@locmetrics/contract';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Ajv } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { HttpApp } from '../http-app.ts';
import { toFinite } from './read-integer.ts';
import { readJsonBody } from './read-json-body.ts';
import { checkPercentEncoding, readQuery } from './read-query.ts';
import { type ReadSpelling, readSpelling } from './read-spelling.ts';
import { stateOf } from './request-state.ts';
import { toInvalidRequest } from './validation-error.ts';

/** A body is checked unchanged: no type is coerced and no unknown field is dropped. */
export const BODY_VALIDATION = {
  // A test checks the schemas themselves, and not the start of each worker.
  validateSchema: false,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
  allowUnionTypes: true,
  verbose: true,
  keywords: [CHECKED_LATER],
};

/** Parses bodies and query strings in either spelling, by the schema of their route. */
export function readBodies(app: HttpApp): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readJsonBody(Buffer.isBuffer(body) ? body : Buffer.from(body)));
    } catch (error) {
      done(ServiceError.from(error));
    }
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { body: schema, querystring } = request.routeOptions.schema ?? {};
    if (querystring !== undefined) {
      checkPercentEncoding(request.url);
      // The query parser returns texts and lists of texts; the schemas are those of the contract.
      const { query, written } = readQuery(
        request.query as Parameters<typeof readQuery>[0],
        querystring as Parameters<typeof readQuery>[1],
      );
      stateOf(request).writtenPointers = written;
      request.query = query;
    }
    if (schema === undefined) return done();
    refuseQuery(request.query);
    if (request.method === 'PUT') refuseNoBody(request.body);
    // The schemas of bodies are those of the contract, which are plain JSON Schema objects.
    const { body, written } = readParsedBody(request.body, schema as object);
    stateOf(request).writtenPointers = written;
    request.body = body;
    done();
  });
}

/** Parses and checks a body that did not come over HTTP, as the route of its schema does. */
export function readBodyText<Schema extends TSchema>(text: string, schema: Schema): Static<Schema> {
  const { body } = readParsedBody(readJsonBody(Buffer.from(text)), schema);
  const check = new Ajv(BODY_VALIDATION).compile<Static<Schema>>(schema);
  if (check(body)) return body;
  throw toInvalidRequest(check.errors ?? []);
}

/** The body in lowerCamelCase; an absent one is an object without members. */
function readParsedBody(parsed: unknown, schema: Parameters<typeof readSpelling>[1]): ReadSpelling {
  const { body, written } = readSpelling(parsed === undefined ? {} : parsed, schema);
  return { body: withFinitePageSize(body), written };
}

/** A page size beyond the range of a double means the largest page, but the validator refuses infinity. */
function withFinitePageSize(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('pageSize' in body)) return body;
  const { pageSize } = body;
  return typeof pageSize === 'number' ? { ...body, pageSize: toFinite(pageSize) } : body;
}

/** A PUT replaces the resource, so a request whose body was lost on the way would clear it. */
function refuseNoBody(body: unknown): void {
  if (body !== undefined && body !== null) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    '',
    'The request has no body.',
    'Send a JSON object. To clear everything, send the empty object {}.',
  );
}

/** A query parameter would be silently ignored, and could be a token. */
function refuseQuery(query: unknown): void {
  if (typeof query !== 'object' || query === null || Object.keys(query).length === 0) return;
  throw new ServiceError('UNKNOWN_REQUEST_FIELD', 'The URL has parameters after a question mark.', {
    hint: 'Send every field of the request in the JSON body.',
  });
}
