import type { Geometry } from 'geojson';
import type { Box } from '../../data/box.ts';
import type { Key } from '../../data/map-queries.ts';

/** A record of the map, as its tile has it. */
export type FoundRecord = {
  readonly key: Key;
  readonly values: Readonly<Record<string, unknown>>;
  readonly longitude: number;
  readonly latitude: number;
  /** How far the point may be from that of the record: tiles have rounded points. */
  readonly toleranceDegrees: number;
};

export type FoundCell = {
  readonly box: Box;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Everything at the place of a click: records, or else a cell. */
export type Found =
  | { readonly kind: 'records'; readonly records: readonly FoundRecord[] }
  | { readonly kind: 'cell'; readonly cell: FoundCell };

type Feature = {
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** The records of features of tiles, each once: neighbouring tiles share what is at their edge. */
export function recordsOf({
  features,
  keyFields,
  toleranceDegrees,
}: {
  readonly features: readonly Feature[];
  readonly keyFields: readonly string[];
  readonly toleranceDegrees: number;
}): readonly FoundRecord[] {
  const byKey = new Map<string, FoundRecord>();
  for (const { geometry, properties } of features) {
    if (geometry.type !== 'Point') continue;
    const key: Record<string, string | number | boolean> = {};
    for (const name of keyFields) {
      const value = properties[name];
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
        key[name] = value;
      }
    }
    const [longitude = 0, latitude = 0] = geometry.coordinates;
    const record = { key, values: properties, longitude, latitude, toleranceDegrees };
    byKey.set(JSON.stringify(key), record);
  }
  return [...byKey.values()];
}

export function cellOf({ geometry, properties }: Feature): FoundCell | undefined {
  if (geometry.type !== 'Polygon') return undefined;
  const ring = geometry.coordinates[0] ?? [];
  const longitudes = ring.map(([longitude = 0]) => round(longitude));
  const latitudes = ring.map(([, latitude = 0]) => round(latitude));
  return {
    box: [
      Math.min(...longitudes),
      Math.min(...latitudes),
      Math.max(...longitudes),
      Math.max(...latitudes),
    ],
    values: properties,
  };
}

function round(degrees: number): number {
  return Number(degrees.toFixed(6));
}
