import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DuckDBConnection } from '@duckdb/node-api';
import { feature } from 'topojson-client';

/** The counties of the United States with the borders that they share, for a whole country (about 1:10,000,000). */
const FILE = fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json'));

/** Creates the table `counties`. Each has the position in which its outline starts. */
export async function writeCounties(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    'CREATE TABLE counties (county VARCHAR, name VARCHAR, longitude DOUBLE, latitude DOUBLE, outline VARCHAR)',
  );
  const topology: Parameters<typeof feature>[0] = JSON.parse(await readFile(FILE, 'utf8'));
  const { counties } = topology.objects;
  const found = counties && feature(topology, counties);
  if (found === undefined || !('features' in found)) throw new Error(`${FILE} has no counties.`);
  const appender = await connection.createAppender('counties');
  for (const { id, properties, geometry } of found.features) {
    const [ring = []] = ringsOf(geometry);
    const [longitude, latitude] = ring[0] ?? [];
    if (longitude === undefined || latitude === undefined || areaOf(ring) === 0) continue;
    appender.appendVarchar(String(id));
    appender.appendVarchar(String(properties?.['name']));
    appender.appendDouble(longitude);
    appender.appendDouble(latitude);
    appender.appendVarchar(JSON.stringify(geometry));
    appender.endRow();
  }
  appender.closeSync();
}

type Position = readonly number[];

export function ringsOf(
  geometry: Extract<ReturnType<typeof feature>, { readonly geometry: object }>['geometry'],
): readonly Position[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates;
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
}

/** Twice the area, in square degrees. That of a city is so small that the file has only a line of it. */
export function areaOf(ring: readonly Position[]): number {
  return ring.reduce((area, [x = 0, y = 0], index) => {
    const [fromX = 0, fromY = 0] = ring[index - 1] ?? [x, y];
    return area + fromX * y - x * fromY;
  }, 0);
}
