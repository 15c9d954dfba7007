import { answerMediaTypes } from '../request/check-accept.ts';
import type { DescribedRoute } from './collect-routes.ts';
import { type JsonSchema, type OpenApiObject, toJsonSchema } from './json-schema.ts';
import type { SchemaNames } from './name-schemas.ts';
import { REQUEST_ID, referToRefusal, refusalsOf } from './refusals.ts';
import { anySpellingRequest, preferredRequest } from './request-schemas.ts';

/** A body and its answer, from the sample. */
export type Example = { readonly body?: unknown; readonly answer: unknown };

/** The operation of a route in an OpenAPI document. */
export function describeOperation(
  route: DescribedRoute,
  { refer, example }: Pick<SchemaNames, 'refer'> & { readonly example: Example | undefined },
): OpenApiObject {
  const { operationId, openapi, method, params, querystring, body, isPublic } = route;
  const { summary, tag } = openapi;
  const parameters = [
    ...(params === undefined ? [] : describeParameters('path', toJsonSchema(params))),
    ...(querystring === undefined ? [] : describeParameters('query', toJsonSchema(querystring))),
    ...(openapi.isConditional ? [IF_NONE_MATCH] : []),
  ];
  return {
    operationId,
    summary,
    description: descriptionOf(route),
    tags: [tag],
    ...(isPublic ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: describeBody(toJsonSchema(body), { method, refer, example }) }),
    responses: {
      200: describeAnswer(route, { refer, example }),
      ...(openapi.isEmptyToo === undefined
        ? {}
        : { 204: { ...NOT_MODIFIED, description: openapi.isEmptyToo } }),
      ...(openapi.isConditional ? { 304: NOT_MODIFIED } : {}),
      ...Object.fromEntries(refusalsOf(route).map((status) => [status, referToRefusal(status)])),
    },
  };
}

function descriptionOf({ body, querystring, openapi: { description } }: DescribedRoute): string {
  const spelling =
    body !== undefined
      ? SPELLING_OF_FIELDS
      : hasFields(querystring)
        ? SPELLING_OF_PARAMETERS
        : 'An unknown parameter is an error.';
  return [...(description === undefined ? [] : [description]), spelling].join('\n\n');
}

function hasFields(schema: object = {}): boolean {
  return 'properties' in schema && Object.keys(Object(schema.properties)).length > 0;
}

const SPELLING_OF_FIELDS =
  'Field names can be in snake_case or lowerCamelCase. An unknown field is an error.';
const SPELLING_OF_PARAMETERS =
  'Parameter names can be in snake_case or lowerCamelCase. An unknown parameter is an error.';

function describeParameters(
  place: 'path' | 'query',
  { properties = {}, required = [] }: JsonSchema,
): readonly OpenApiObject[] {
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => {
    const isRequired = place === 'path' || required.includes(name);
    // The page sends the example of a parameter with each try, but not the example of its schema.
    const example = isRequired ? examples?.[0] : undefined;
    return {
      name,
      in: place,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      schema: isRequired || examples === undefined ? schema : { ...schema, examples },
      ...(example === undefined ? {} : { example }),
    };
  });
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of an earlier answer to the same request. If the answer is unchanged, the status is 304 without a body.',
  schema: { type: 'string' },
} as const;

const ETAG = {
  required: true,
  description: 'The tag of the answer, for use in If-None-Match.',
  schema: { type: 'string' },
} as const;

const NOT_MODIFIED = {
  description: 'The answer has not changed since the ETag.',
  headers: { 'X-Request-Id': REQUEST_ID, ETag: ETAG },
} as const;

function describeBody(
  schema: JsonSchema,
  {
    method,
    refer,
    example,
  }: Parameters<typeof describeOperation>[1] & Pick<DescribedRoute, 'method'>,
): OpenApiObject {
  const preferred = refer(preferredRequest(schema));
  return {
    // A PUT replaces the resource, so a request whose body was lost on the way must not clear it.
    required: method === 'put' || schema.required !== undefined || schema['then'] !== undefined,
    content: {
      'application/json': {
        schema: hasFields(schema)
          ? { anyOf: [preferred, refer(anySpellingRequest(schema))] }
          : preferred,
        ...(example === undefined ? {} : { example: example.body }),
      },
    },
  };
}

function describeAnswer(
  { openapi }: DescribedRoute,
  { refer, example }: Parameters<typeof describeOperation>[1],
): OpenApiObject {
  const { answer, isConditional, tables } = openapi;
  const [mediaType, ...others] = answerMediaTypes(openapi);
  const listed = tables === 'listed' ? others : [];
  return {
    description: 'The answer.',
    headers: { 'X-Request-Id': REQUEST_ID, ...(isConditional ? { ETag: ETAG } : {}) },
    content: {
      [mediaType]: {
        schema: refer(toJsonSchema(answer)),
        ...(example === undefined || looksLikeMedia(example.answer)
          ? {}
          : { example: example.answer }),
      },
      ...Object.fromEntries(listed.map((other) => [other, { schema: { type: 'string' } }])),
    },
  };
}

/**
 * Whether an example has an object with the members of a media type. The rules of Spectral look for media types anywhere
 * below `content`, also in examples, and crash on such an object.
 */
function looksLikeMedia(example: unknown): boolean {
  if (typeof example !== 'object' || example === null) return false;
  if ('schema' in example && ('example' in example || 'examples' in example)) return true;
  return Object.values(example).some(looksLikeMedia);
}
