import { type Dataset, hasVectorsOf } from '../domain/dataset.ts';
import type { Predicate } from '../domain/predicate.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  boxAroundCircle,
  chordLimit,
  type GeoCircle,
  RADIUS_MAX_METRES,
} from '../geometry/circle.ts';
import type { GeoCoordinate } from '../geometry/polygon.ts';
import { type UnitVector, unitVector } from '../geometry/unit-vector.ts';
import { roleField } from './role-fields.ts';

/**
 * Records whose point is in a circle, which is at a pointer of the request. The box around it comes first: engines find
 * records by boxes. Refused: a dataset without points or their vectors, and a circle out of range.
 */
export function planCircle(
  circle: GeoCircle,
  dataset: Dataset,
  pointer: string,
): readonly Predicate[] {
  return planInCircle(circle, expectVectors(dataset, pointer, 'circle'), dataset, pointer);
}

/** Records whose point, in these fields, is in a circle; see `planCircle`. */
export function planInCircle(
  circle: GeoCircle,
  point: NonNullable<Dataset['point']>,
  dataset: Dataset,
  pointer: string,
): readonly Predicate[] {
  const center = planCenter(circle, pointer);
  checkRadius(circle, pointer);
  const latitude = roleField(dataset, point.latitude);
  const longitude = roleField(dataset, point.longitude);
  return [
    { kind: 'box', latitude, longitude, box: boxAroundCircle(circle) },
    {
      kind: 'circle',
      latitude,
      longitude,
      center,
      chordSquaredMax: chordLimit(circle.radiusMetres),
    },
  ];
}

/** The point of the records of a dataset, of which the version has the vectors. */
export function expectVectors(
  dataset: Dataset,
  pointer: string,
  option: 'circle' | 'near',
): NonNullable<Dataset['point']> {
  const { name, point } = dataset;
  const what = option === 'circle' ? 'filtered by a circle' : 'ordered by distance';
  if (point === undefined) {
    throw ServiceError.atPointer(
      'UNAVAILABLE_OPTION',
      pointer,
      `The records of ${name} have no point, so they cannot be ${what}.`,
      `Leave ${option} out; getDataReference lists the available options.`,
    );
  }
  if (hasVectorsOf(point, dataset)) return point;
  throw ServiceError.atPointer(
    'UNAVAILABLE_OPTION',
    pointer,
    `This version of ${name} was published before circles and distances, so its records cannot be ${what}.`,
    `Leave ${option} out. To make it available, the owner of the data has to publish the dataset again.`,
  );
}

/** The unit vector of a point of a request; a degree out of range is refused. */
export function planCenter({ longitude, latitude }: GeoCoordinate, pointer: string): UnitVector {
  checkDegree('longitude', longitude, 180, pointer);
  checkDegree('latitude', latitude, 90, pointer);
  return unitVector(longitude, latitude);
}

function checkDegree(
  name: 'longitude' | 'latitude',
  degree: number,
  limit: number,
  pointer: string,
): void {
  if (degree >= -limit && degree <= limit) return;
  throw invalid(
    `${pointer}/${name}`,
    `The ${name} ${degree} is not between -${limit} and ${limit}.`,
    'Longitudes are from -180 to 180, latitudes from -90 to 90; longitude and latitude may be swapped.',
  );
}

function checkRadius({ radiusMetres }: GeoCircle, pointer: string): void {
  if (radiusMetres > 0 && radiusMetres <= RADIUS_MAX_METRES) return;
  throw invalid(
    `${pointer}/radiusMetres`,
    `The radius ${radiusMetres} is not greater than 0 and at most ${RADIUS_MAX_METRES}.`,
    'Send the radius in metres: up to half the circumference of the earth, which takes everything.',
  );
}

function invalid(pointer: string, message: string, hint: string): ServiceError {
  return ServiceError.atPointer('INVALID_CIRCLE', pointer, message, hint);
}
