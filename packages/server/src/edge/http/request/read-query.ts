import { describeUnservedField } from '@locmetrics/core/domain/unserved-field';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { readInteger } from './read-integer.ts';
import { toLowerCamelCase, toSnakeCase } from './read-spelling.ts';

/** The part of a JSON Schema that defines how a query parameter is parsed. */
type QuerySchema = {
  readonly properties: Readonly<Record<string, { readonly type?: string }>>;
};

export type ReadQuery = {
  /** The parameters by their lowerCamelCase names. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The pointers as written by the caller, if they differ, by the pointers of `query`. */
  readonly written: ReadonlyMap<string, string>;
};

/**
 * Parses query parameters by the schema of their route, in either spelling. Texts become numbers, booleans
 * and lists as the schema defines. Refuses an unknown parameter, one in both spellings, and a repeated one
 * that is not a list.
 */
export function readQuery(
  query: Readonly<Record<string, string | readonly string[]>>,
  { properties }: QuerySchema,
): ReadQuery {
  const read: Record<string, unknown> = {};
  const written = new Map<string, string>();
  for (const [name, given] of Object.entries(query)) {
    const canonical = Object.hasOwn(properties, name) ? name : toLowerCamelCase(name);
    const isSpelled = name === canonical || name === toSnakeCase(canonical);
    const schema =
      isSpelled && Object.hasOwn(properties, canonical) ? properties[canonical] : undefined;
    if (schema === undefined) {
      const { message, hint } = describeUnservedField(canonical, name) ?? {
        message: `Unknown parameter '${name.slice(0, 100)}' in the URL.`,
        hint: nameHint(name, Object.keys(properties)),
      };
      const pointer = `/${name.slice(0, 100)}`;
      throw ServiceError.atPointer('UNKNOWN_REQUEST_FIELD', pointer, message, hint);
    }
    if (Object.hasOwn(read, canonical)) {
      throw ServiceError.atPointer(
        'DUPLICATE_REQUEST_FIELD',
        `/${name}`,
        `The parameter '${canonical}' appears in the URL in two spellings.`,
        'Send it in one of them.',
      );
    }
    if (name !== canonical) written.set(`/${canonical}`, `/${name}`);
    read[canonical] = readParameter(name, given, schema.type);
  }
  return { query: read, written };
}

/** Refuses invalid UTF-8, which the query parser would leave percent-encoded. */
export function checkPercentEncoding(url: string): void {
  if (!url.includes('%')) return;
  try {
    decodeURIComponent(url);
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'The URL is not percent-encoded UTF-8.', {
      hint: 'Encode each parameter as a whole, a percent sign as %25.',
    });
  }
}

function readParameter(
  name: string,
  given: string | readonly string[],
  type: string | undefined,
): unknown {
  if (type === 'array') return typeof given === 'string' ? [given] : given;
  if (typeof given !== 'string') {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      `/${name}`,
      `The parameter '${name}' appears in the URL ${given.length} times.`,
      'Send it once.',
    );
  }
  if (type === 'integer') {
    const integer = readInteger(given);
    if (integer !== undefined) return integer;
    throw unreadable(name, given, 'a whole number');
  }
  if (type === 'boolean') {
    if (given === 'true' || given === 'false') return given === 'true';
    throw unreadable(name, given, 'true or false');
  }
  return given;
}

function unreadable(name: string, written: string, expected: string): ServiceError {
  return ServiceError.atPointer(
    'INVALID_REQUEST',
    `/${name}`,
    `'${name}' must be ${expected}; it is '${written.slice(0, 100)}'.`,
    '/openapi.json describes the request.',
  );
}
