import { type Polygon, PolygonSchema } from '@locmetrics/contract';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { GeoPolygon } from '@locmetrics/core/geometry/polygon';
import { Ajv } from 'ajv';
import { BODY_VALIDATION } from './read-bodies.ts';
import { readJsonBody } from './read-json-body.ts';
import { readSpelling } from './read-spelling.ts';
import type { RequestState } from './request-state.ts';
import { toInvalidRequest } from './validation-error.ts';

/** Parses a polygon: the points of its ring, or a GeoJSON Polygon with one ring. */
export function readPolygon({ coordinates }: Polygon, pointer: string): GeoPolygon {
  if (!areRings(coordinates)) return { coordinates, pointsAt: '/coordinates' };
  const [ring = []] = coordinates;
  if (coordinates.length > 1) {
    throw ServiceError.atPointer(
      'INVALID_POLYGON',
      `${pointer}/coordinates/1`,
      `The polygon has ${coordinates.length} rings.`,
      'Send one ring: a polygon has no holes.',
    );
  }
  return {
    coordinates: ring.map(([longitude = 0, latitude = 0]) => ({ longitude, latitude })),
    pointsAt: '/coordinates/0',
  };
}

type Coordinates = Polygon['coordinates'];

function areRings(
  coordinates: Coordinates,
): coordinates is Extract<Coordinates, readonly (readonly unknown[])[]> {
  return Array.isArray(coordinates[0]);
}

/** Parses the parameter `polygon` of features; refusals point to it, and not to the member of a body. */
export function readPolygonFilter(
  text: string | undefined,
  state: Pick<RequestState, 'writtenPointers'>,
): GeoPolygon | undefined {
  state.writtenPointers = new Map([...state.writtenPointers, ['/polygonFilter', '/polygon']]);
  return readPolygonParameter(text ?? '');
}

/** Parses the parameter `polygon`, a JSON text; undefined for an empty one. */
export function readPolygonParameter(text: string): GeoPolygon | undefined {
  if (text === '') return undefined;
  try {
    // The schemas of the contract are plain JSON Schema objects.
    const { body } = readSpelling(readJsonBody(Buffer.from(text)), PolygonSchema as object);
    if (!isPolygon(body)) throw toInvalidRequest(isPolygon.errors ?? []);
    return readPolygon(body, '/polygon');
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason === 'INVALID_POLYGON') throw error;
    const isJson = error.reason !== 'MALFORMED_JSON';
    const message = isJson
      ? error.message
      : `The parameter 'polygon' is not JSON: '${text.slice(0, 100)}'.`;
    throw ServiceError.atPointer(
      'INVALID_POLYGON',
      '/polygon',
      message,
      'Write a GeoJSON Polygon, and percent-encode it as part of a URL: {"type":"Polygon","coordinates":[[[-118.7,33.7],[-117.6,33.7],[-118.1,34.4],[-118.7,33.7]]]}.',
    );
  }
}

const isPolygon = new Ajv(BODY_VALIDATION).compile<Polygon>(PolygonSchema);
