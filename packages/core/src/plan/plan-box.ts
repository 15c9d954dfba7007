import type { Dataset } from '../domain/dataset.ts';
import type { Predicate } from '../domain/predicate.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { BoundingBox } from '../geometry/bounding-box.ts';
import { roleField } from './role-fields.ts';

/** The pointer of each edge of a box in the request. */
export type BoxPointers = Readonly<Record<keyof BoundingBox, string>>;

/**
 * Records whose point is in the box. Refuses degrees out of range.
 *
 * The request must have all four edges, because a forgotten one would silently be 0.
 */
export function planBox(
  box: BoundingBox,
  point: NonNullable<Dataset['point']>,
  dataset: Dataset,
  pointers: BoxPointers,
): Predicate {
  const [west, east] = [nameOf(pointers.minLng), nameOf(pointers.maxLng)];
  const latitudeHint = 'Latitudes are from -90 to 90; latitude and longitude may be swapped.';
  const longitudeHint = `Longitudes are between -180 and 180; a box across the antimeridian has ${west} > ${east}.`;
  checkDegree(box.minLat, 90, pointers.minLat, latitudeHint);
  checkDegree(box.maxLat, 90, pointers.maxLat, latitudeHint);
  checkDegree(box.minLng, 180, pointers.minLng, longitudeHint);
  checkDegree(box.maxLng, 180, pointers.maxLng, longitudeHint);
  if (box.minLat > box.maxLat) {
    const [south, north] = [nameOf(pointers.minLat), nameOf(pointers.maxLat)];
    throw ServiceError.atPointer(
      'INVALID_BOUNDING_BOX',
      pointers.minLat,
      `${south} ${box.minLat} is greater than ${north} ${box.maxLat}.`,
      `Swap the two latitudes. Only ${west} may be greater: such a box crosses the antimeridian.`,
    );
  }
  return {
    kind: 'box',
    latitude: roleField(dataset, point.latitude),
    longitude: roleField(dataset, point.longitude),
    box,
  };
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

function checkDegree(degree: number, limit: number, pointer: string, hint: string): void {
  if (degree >= -limit && degree <= limit) return;
  throw ServiceError.atPointer(
    'INVALID_BOUNDING_BOX',
    pointer,
    `The degree ${degree} is not between -${limit} and ${limit}.`,
    hint,
  );
}
