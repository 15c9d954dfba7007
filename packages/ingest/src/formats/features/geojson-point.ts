import { type Outline, type Position, WrongGeometry } from './outline.ts';
import { pointOnOutline } from './point-on-outline.ts';

/**
 * The point of a geometry of GeoJSON that is not a Point, for the engine: longitude and latitude with a space between
 * them, empty text if the geometry is empty, or `!` and why it has no point.
 */
export function geojsonPoint(geometry: string): string {
  try {
    const point = pointOnOutline(toOutline(JSON.parse(geometry)), { isDegrees: true });
    return point === undefined ? '' : `${point[0]} ${point[1]}`;
  } catch (error) {
    if (error instanceof WrongGeometry) return `!${error.message}`;
    throw error;
  }
}

/** The points of a geometry of GeoJSON. Throws `WrongGeometry` if it has none. */
export function toOutline(geometry: unknown): Outline {
  const { type, coordinates, problem } = membersOf(geometry);
  if (typeof problem === 'string') throw new WrongGeometry(problem);
  switch (type) {
    case 'MultiPoint':
      return { kind: 'points', parts: [toPositions(coordinates)] };
    case 'LineString':
      return { kind: 'lines', parts: [toPositions(coordinates)] };
    case 'MultiLineString':
      return { kind: 'lines', parts: toList(coordinates).map(toPositions) };
    case 'Polygon':
      return { kind: 'area', parts: toList(coordinates).map(toPositions) };
    case 'MultiPolygon':
      return { kind: 'area', parts: toList(coordinates).flatMap(toList).map(toPositions) };
    default:
      throw new WrongGeometry('is a geometry that cannot be represented by one point');
  }
}

function membersOf(geometry: unknown): Readonly<Record<string, unknown>> {
  return typeof geometry === 'object' && geometry !== null ? { ...geometry } : {};
}

function toList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new WrongGeometry('has coordinates that do not match its type');
  return value;
}

function toPositions(value: unknown): readonly Position[] {
  return toList(value).map((position) => {
    const [x, y] = toList(position);
    if (typeof x !== 'number' || typeof y !== 'number') {
      throw new WrongGeometry('has a coordinate that is not a finite number');
    }
    return [x, y];
  });
}
