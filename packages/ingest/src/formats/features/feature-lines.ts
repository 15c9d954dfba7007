import type { ToDegrees } from './coordinate-system.ts';
import { type FileGeometry, WrongGeometry } from './outline.ts';
import { outlineJson } from './outline-json.ts';
import { pointOnOutline } from './point-on-outline.ts';

/** Whether a field uses the point of a feature, and its outline. */
export type NeededGeometry = { readonly point: boolean; readonly outline: boolean };

/**
 * A line of GeoJSON for a feature of another format. Its geometry is the one point that is served, or the reason why
 * there is none, which is reported if a field uses it. Its outline is beside it, if a field uses that.
 */
export function featureLine(feature: {
  /** JSON. */
  readonly id: string;
  readonly geometry: FileGeometry;
  readonly toDegrees: ToDegrees;
  readonly needsOutline: boolean;
  /** The JSON of each value, by column. */
  readonly properties: readonly (readonly [string, string])[];
}): string {
  const { id, geometry, toDegrees, needsOutline, properties } = feature;
  const outline = needsOutline ? `"outline":${outlineJson(geometry, toDegrees)},` : '';
  const members = properties.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{"type":"Feature","id":${id},"geometry":${pointJson(geometry, toDegrees)},${outline}"properties":{${members.join(',')}}}\n`;
}

function pointJson(geometry: FileGeometry, { convert, isDegrees }: ToDegrees): string {
  if (geometry === undefined) return 'null';
  try {
    const point = pointOnOutline(geometry.outline(), { isDegrees });
    if (point === undefined) return 'null';
    const coordinates = convert(point);
    if (!coordinates.every(Number.isFinite)) {
      throw new WrongGeometry('is outside its coordinate system');
    }
    return JSON.stringify({ type: 'Point', coordinates });
  } catch (error) {
    if (!(error instanceof WrongGeometry)) throw error;
    // A Point has coordinates, and no problem.
    const type = geometry.type === 'Point' ? 'MultiPoint' : geometry.type;
    return JSON.stringify({ type, problem: error.message });
  }
}

/** A decimal number as JSON in its shortest form, digit by digit; undefined for another text. */
export function numberJson(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent] =
    /^([+-]?)0*([0-9]*)\.?([0-9]*?)0*(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined || !/[0-9]/.test(text)) return undefined;
  if (exponent !== undefined) {
    const number = Number(text);
    return Number.isFinite(number) ? JSON.stringify(number) : undefined;
  }
  const digits = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}
