import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { BoundingBox } from '@locmetrics/core/geometry/bounding-box';

/** `west,south,east,north` in degrees; undefined for an empty text. */
export function readBoxParameter(name: string, text: string): BoundingBox | undefined {
  if (text === '') return undefined;
  const edges = text.split(',').map((edge) => edge.trim());
  if (edges.length !== 4 || !edges.every((edge) => DEGREES.test(edge))) {
    throw ServiceError.atPointer(
      'INVALID_BOUNDING_BOX',
      `/${name}`,
      `'${text.slice(0, 100)}' is not four numbers separated by commas.`,
      'Write the edges in degrees: west,south,east,north, for example -125,32,-114,42.',
    );
  }
  const [minLng = 0, minLat = 0, maxLng = 0, maxLat = 0] = edges.map(Number);
  return { minLng, minLat, maxLng, maxLat };
}

const DEGREES = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/;
