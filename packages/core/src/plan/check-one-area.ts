import { ServiceError } from '../errors/service-error.ts';
import type { BoundingBox } from '../geometry/bounding-box.ts';
import type { GeoCircle } from '../geometry/circle.ts';
import type { GeoPolygon } from '../geometry/polygon.ts';

/** The areas of a request, by their names in it. */
type Areas = {
  readonly boundingBox?: BoundingBox | undefined;
  readonly polygon: GeoPolygon | undefined;
  readonly circle: GeoCircle | undefined;
};

/** Refuses a request with several areas: what is inside all of them would be asked for with filters. */
export function checkOneArea(
  { boundingBox, polygon, circle }: Areas,
  pointers: Readonly<Record<'polygon' | 'circle', string>>,
): void {
  if (polygon !== undefined && boundingBox !== undefined) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      pointers.polygon,
      'The request has both a polygon and a bounding box.',
      'Send one of them. The polygon can have the corners of the box.',
    );
  }
  if (circle === undefined || (polygon === undefined && boundingBox === undefined)) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    pointers.circle,
    `The request has both a circle and a ${polygon === undefined ? 'bounding box' : 'polygon'}.`,
    'Send one of them.',
  );
}
