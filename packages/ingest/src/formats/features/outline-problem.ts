import { toOutline } from './geojson-point.ts';
import { WrongGeometry } from './outline.ts';
import { pointOnOutline } from './point-on-outline.ts';

/** The function of the engine that checks outlines. */
export const OUTLINE_FUNCTION = 'outline_problem';

/** The result for an outline without positions, which is absent. */
export const EMPTY_OUTLINE = '-';

/** Why a text is not an outline, for the engine; empty text if it is one. */
export function outlineProblem(text: string): string {
  try {
    const geometry = parseGeometry(text);
    const outline = toOutline(geometry);
    if (outline.kind !== 'area') return `is a ${typeOf(geometry)}, not a Polygon or MultiPolygon`;
    for (const [longitude, latitude] of outline.parts.flat()) {
      if (Math.abs(longitude) > 360 || Math.abs(latitude) > 90) {
        return `has the position ${longitude}, ${latitude}, which is not a longitude and a latitude`;
      }
    }
    const isEmpty = pointOnOutline(outline, { isDegrees: true }) === undefined;
    if (isEmpty) return EMPTY_OUTLINE;
    return outline.parts.some(({ length }) => length === 0) ? 'has a ring without positions' : '';
  } catch (error) {
    if (error instanceof WrongGeometry) return error.message;
    throw error;
  }
}

function parseGeometry(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WrongGeometry('is not JSON');
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    throw new WrongGeometry('is not a GeoJSON geometry');
  }
  const type = typeOf(value);
  if (type === 'Polygon' || type === 'MultiPolygon' || 'problem' in value) return value;
  throw new WrongGeometry(`is a ${type}, not a Polygon or MultiPolygon`);
}

function typeOf(geometry: object): string {
  return 'type' in geometry ? String(geometry.type).slice(0, 40) : '';
}
