import { nearestName } from '@locmetrics/core/errors/nearest-name';
import { type ErrorDetail, ServiceError } from '@locmetrics/core/errors/service-error';
import type { FastifySchemaValidationError } from 'fastify';

/** A body of 1 MiB can have half a million errors; the first ones are enough. */
const FOUND_MAX = 200;
const DETAILS_MAX = 20;

/** Converts the errors of the validator to messages: the field, the value, the problem and the action. */
export function toInvalidRequest(
  everythingFound: readonly FastifySchemaValidationError[],
): ServiceError {
  const found = everythingFound.slice(0, FOUND_MAX);
  const details = new Map<string, ErrorDetail>();
  for (const error of found) {
    const detail = describe(error, found);
    // The branches of a union and the union itself report the same pointer; one error is enough.
    if (detail !== undefined && !details.has(detail.pointer)) details.set(detail.pointer, detail);
  }
  const all = [...details.values()].slice(0, DETAILS_MAX);
  return new ServiceError('INVALID_REQUEST', all[0]?.detail ?? 'The request is not valid.', {
    hint: '/openapi.json describes the request.',
    details: all,
  });
}

function describe(
  error: FastifySchemaValidationError,
  found: readonly FastifySchemaValidationError[],
): ErrorDetail | undefined {
  const { instancePath: pointer, params } = error;
  const name = pointer === '' ? 'The body' : `'${pointer.slice(1).replaceAll('/', '.')}'`;
  const data = 'data' in error ? error.data : undefined;
  switch (error.keyword) {
    case 'anyOf':
      return undefined;
    case 'required': {
      const missing = String(params['missingProperty']);
      return {
        pointer: `${pointer}/${missing}`,
        detail: `${pointer === '' ? 'The field' : `In ${name} the field`} '${missing}' is missing.`,
      };
    }
    case 'type':
      // A matching branch of the union reports a more precise error, for example a missing member.
      if (isInsideDescribed(found, error)) return undefined;
      return {
        pointer,
        detail: `${name} must be ${typeNames(expectedTypes(found, pointer))}; it is ${shown(data)}.`,
      };
    case 'enum': {
      const allowed = namesOf(params['allowedValues']);
      const nearest = typeof data === 'string' ? nearestName(data, allowed) : undefined;
      const known =
        nearest === undefined ? `It can be ${allowed.join(', ')}.` : `Did you mean '${nearest}'?`;
      return { pointer, detail: `${name} has no value ${shown(data)}. ${known}` };
    }
    case 'maxItems':
      return { pointer, detail: `${name} has more than ${params['limit']} items.` };
    case 'maxProperties':
      return { pointer, detail: `${name} has more than ${params['limit']} members.` };
    case 'maxLength':
      return { pointer, detail: `${name} has more than ${params['limit']} characters.` };
    default:
      return { pointer, detail: `${name} ${error.message ?? 'is not valid'}.` };
  }
}

/** Whether another error is about a member of the same value. */
function isInsideDescribed(
  found: readonly FastifySchemaValidationError[],
  { instancePath: pointer }: FastifySchemaValidationError,
): boolean {
  return found.some(
    ({ keyword, instancePath }) =>
      (instancePath === pointer && keyword === 'required') ||
      instancePath.startsWith(`${pointer}/`),
  );
}

/** Each branch of a union reports its expected type. */
function expectedTypes(
  found: readonly FastifySchemaValidationError[],
  pointer: string,
): readonly string[] {
  return found
    .filter(({ keyword, instancePath }) => keyword === 'type' && instancePath === pointer)
    .flatMap(({ params }) => String(params['type']).split(','));
}

/** The names of an enum. Its numbers and its prefixed names are branches of their own, which come later. */
function namesOf(allowed: unknown): readonly string[] {
  return Array.isArray(allowed) ? allowed.filter((name) => typeof name === 'string') : [];
}

function typeNames(types: readonly string[]): string {
  return types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** Lists and objects are not quoted, because deep nesting would overflow the stack. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  // JSON.stringify would write a number that is too large as null.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'absent');
  return text.length <= SHOWN_LENGTH_MAX
    ? text
    : `${text.slice(0, SHOWN_LENGTH_MAX)}… (${text.length} characters)`;
}

const SHOWN_LENGTH_MAX = 100;
