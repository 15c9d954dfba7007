import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { GeoCircle } from '@locmetrics/core/geometry/circle';
import type { GeoCoordinate } from '@locmetrics/core/geometry/polygon';
import type { RequestState } from './request-state.ts';

/**
 * Parses the parameter `circle`, `longitude,latitude,metres`; undefined for an empty text. Refusals point to it, and not to
 * the circle or its members at the pointer of a body.
 */
export function readCircleParameter(
  text: string | undefined,
  pointer: string,
  state: Pick<RequestState, 'writtenPointers'>,
): GeoCircle | undefined {
  const written = MEMBERS.map((member) => [`${pointer}${member}`, '/circle'] as const);
  state.writtenPointers = new Map([...state.writtenPointers, ...written]);
  if (text === undefined || text === '') return undefined;
  const [longitude = 0, latitude = 0, radiusMetres = 0] = readNumbers('circle', text, {
    count: 3,
    hint: 'Write the longitude and the latitude of the centre in degrees, and the radius in metres: -118.2,34.1,5000.',
  });
  return { longitude, latitude, radiusMetres };
}

/** The same of the parameter `near`, `longitude,latitude`. */
export function readNearParameter(
  text: string | undefined,
  pointer: string,
  state: Pick<RequestState, 'writtenPointers'>,
): GeoCoordinate | undefined {
  const written = MEMBERS.map((member) => [`${pointer}${member}`, '/near'] as const);
  state.writtenPointers = new Map([...state.writtenPointers, ...written]);
  if (text === undefined || text === '') return undefined;
  const [longitude = 0, latitude = 0] = readNumbers('near', text, {
    count: 2,
    hint: 'Write the longitude and the latitude of a point in degrees: -118.2,34.1.',
  });
  return { longitude, latitude };
}

const MEMBERS = ['', '/longitude', '/latitude', '/radiusMetres'] as const;

function readNumbers(
  name: string,
  text: string,
  { count, hint }: { readonly count: number; readonly hint: string },
): readonly number[] {
  const numbers = text.split(',').map((number) => number.trim());
  if (numbers.length === count && numbers.every((number) => NUMBER.test(number))) {
    return numbers.map(Number);
  }
  throw ServiceError.atPointer(
    'INVALID_CIRCLE',
    `/${name}`,
    `'${text.slice(0, 100)}' is not ${count} numbers separated by commas.`,
    hint,
  );
}

const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
