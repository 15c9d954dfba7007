import type { Dataset } from '../domain/dataset.ts';
import type { Predicate } from '../domain/predicate.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  type GeoCoordinate,
  type GeoPolygon,
  POLYGON_POINTS_MAX,
  POLYGON_POINTS_MIN,
} from '../geometry/polygon.ts';
import {
  boxAround,
  extentOf,
  FULL_TURN,
  HALF_TURN,
  type Ring,
  toUnits,
  UNITS_PER_DEGREE,
  type Vertex,
} from '../geometry/ring.ts';
import { findContact } from './find-contact.ts';
import { roleField } from './role-fields.ts';

/**
 * Records whose point is in a polygon, which is at a pointer of the request. The box around it comes first: engines find
 * records by boxes. Refused: a dataset without points, and a polygon that is not one simple ring.
 */
export function planPolygon(
  polygon: GeoPolygon,
  dataset: Dataset,
  pointer: string,
): readonly Predicate[] {
  const { point } = dataset;
  if (point === undefined) {
    throw ServiceError.atPointer(
      'UNAVAILABLE_OPTION',
      pointer,
      `The records of ${dataset.name} have no point, so they cannot be filtered by a polygon.`,
      'Leave polygon out; getDataReference lists the available options.',
    );
  }
  return planInside(polygon, point, dataset, pointer);
}

/** Records whose point, in these fields, is in a polygon; see `planPolygon`. */
export function planInside(
  polygon: GeoPolygon,
  point: NonNullable<Dataset['point']>,
  dataset: Dataset,
  pointer: string,
): readonly Predicate[] {
  const ring = planRing(polygon, `${pointer}${polygon.pointsAt}`);
  const latitude = roleField(dataset, point.latitude);
  const longitude = roleField(dataset, point.longitude);
  return [
    { kind: 'box', latitude, longitude, box: boxAround(ring) },
    { kind: 'polygon', latitude, longitude, ring },
  ];
}

function planRing({ coordinates }: GeoPolygon, pointer: string): Ring {
  checkPoints(coordinates, pointer);
  const rounded = coordinates.map(({ longitude, latitude }) => ({
    x: toUnits(longitude),
    y: toUnits(latitude),
  }));
  checkIsClosed(rounded, coordinates, pointer);
  const turned = unwrap(rounded);
  checkIsNotAroundPole(turned, pointer);
  const vertices = withoutRepeats(turned);
  checkIsSimple(vertices, coordinates, pointer);
  const ring = fromFirstTurn(vertices);
  const { minX, maxX } = extentOf(ring);
  if (maxX - minX <= FULL_TURN) return ring;
  throw invalid(
    pointer,
    `The ring is ${(maxX - minX) / UNITS_PER_DEGREE} degrees wide.`,
    'A polygon can go around the earth once: split it into several, and send a request for each.',
  );
}

type Coordinates = GeoPolygon['coordinates'];

function checkPoints(coordinates: Coordinates, pointer: string): void {
  const { length } = coordinates;
  if (length < POLYGON_POINTS_MIN || length > POLYGON_POINTS_MAX) {
    throw invalid(
      pointer,
      `The ring has ${length} ${length === 1 ? 'point' : 'points'}.`,
      length < POLYGON_POINTS_MIN
        ? `Send at least ${POLYGON_POINTS_MIN} points, of which the last repeats the first.`
        : `Simplify the polygon to at most ${POLYGON_POINTS_MAX} points.`,
    );
  }
  for (const [index, { longitude, latitude }] of coordinates.entries()) {
    if (!(longitude >= -180 && longitude <= 180)) {
      throw invalid(
        `${pointer}/${index}`,
        `The point ${index} has the longitude ${longitude}, which is not between -180 and 180.`,
        'Longitudes are from -180 to 180. An edge longer than 180 degrees goes the short way, over the antimeridian.',
      );
    }
    if (!(latitude >= -90 && latitude <= 90)) {
      throw invalid(
        `${pointer}/${index}`,
        `The point ${index} has the latitude ${latitude}, which is not between -90 and 90.`,
        'Latitudes are from -90 to 90; longitude and latitude may be swapped.',
      );
    }
  }
}

function checkIsClosed(points: Ring, coordinates: Coordinates, pointer: string): void {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return;
  if (first.x === last.x && first.y === last.y) return;
  throw invalid(
    `${pointer}/${points.length - 1}`,
    `The last point ${placeOf(coordinates.at(-1))} is not the first one ${placeOf(coordinates[0])}.`,
    'Repeat the first point at the end, so that the ring is closed.',
  );
}

/** Moves points by full turns, so that no edge is longer than 180 degrees of longitude. */
function unwrap(points: Ring): Ring {
  let turn = 0;
  return points.map(({ x, y }, index) => {
    const step = x - (points[index - 1]?.x ?? x);
    if (step > HALF_TURN) turn -= FULL_TURN;
    if (step < -HALF_TURN) turn += FULL_TURN;
    return { x: x + turn, y };
  });
}

function checkIsNotAroundPole(points: Ring, pointer: string): void {
  if (points[0]?.x === points.at(-1)?.x) return;
  throw invalid(
    pointer,
    'The ring goes around a pole.',
    'To include a pole, use a boundingBox up to its latitude, or a ring along the edge of such a box. An edge longer than 180 degrees of longitude goes the short way.',
  );
}

/** A vertex of a ring, with its number in the request. */
type NumberedVertex = Vertex & { readonly index: number };

/** The vertices without the last one, which is the first, and without those that repeat the one before. */
function withoutRepeats(points: Ring): readonly NumberedVertex[] {
  const numbered = points.slice(0, -1).map((point, index) => ({ ...point, index }));
  return numbered.filter(({ x, y }, index) => {
    const before = numbered.at(index - 1);
    return before?.x !== x || before.y !== y;
  });
}

function checkIsSimple(
  vertices: readonly NumberedVertex[],
  coordinates: Coordinates,
  pointer: string,
): void {
  const count = vertices.length;
  if (count < 3) {
    throw invalid(
      pointer,
      'The ring has fewer than three different points.',
      'Send at least three different points that are not on a line. An edge longer than 180 degrees of longitude goes the short way; add points in between if it should not.',
    );
  }
  const contact = findContact(vertices);
  if (contact === undefined) return;
  const [first, second] = contact.map((edge) => {
    const [from = 0, to = 0] = [vertices[edge]?.index, vertices[(edge + 1) % count]?.index];
    const text = `${from} from ${placeOf(coordinates[from])} to ${placeOf(coordinates[to])}`;
    return { from, text };
  });
  throw invalid(
    `${pointer}/${second?.from}`,
    `The edges ${first?.text} and ${second?.text} cross or touch each other.`,
    'Edges are numbered from 0 by their first point. Two edges may share only the point at which one follows the other. An edge longer than 180 degrees of longitude goes the short way over the antimeridian; add points in between if it should not.',
  );
}

/** The ring moved by full turns, so that its least longitude is from -180 up to 180 degrees. */
function fromFirstTurn(vertices: readonly NumberedVertex[]): Ring {
  const turns = Math.floor((extentOf(vertices).minX + HALF_TURN) / FULL_TURN);
  return vertices.map(({ x, y }) => ({ x: x - turns * FULL_TURN, y }));
}

function placeOf(coordinate: GeoCoordinate | undefined): string {
  return `(${coordinate?.longitude}, ${coordinate?.latitude})`;
}

function invalid(pointer: string, message: string, hint: string): ServiceError {
  return ServiceError.atPointer('INVALID_POLYGON', pointer, message, hint);
}
