import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { openAreas } from '../../enrich/point-values.ts';
import type { Region } from '../../manifest/point-source.ts';

/** The part of the world that has all points, as `region` declares it. */
export type FoundRegion =
  | { readonly kind: 'us_states'; readonly outside: number; readonly points: number }
  | Extract<Region, { readonly kind: 'box' }>;

/** Finds it by some of the points, whose coordinates are columns of a table; undefined for points all over the world. */
export async function findRegion(
  connection: ImportConnection,
  {
    table,
    latitude,
    longitude,
  }: { readonly table: string; readonly latitude: string; readonly longitude: string },
): Promise<FoundRegion | undefined> {
  const from = `FROM ${table} WHERE ${latitude} IS NOT NULL AND ${longitude} IS NOT NULL`;
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS points, coalesce(min(${latitude}), 0)::DOUBLE AS south,
      coalesce(max(${latitude}), 0)::DOUBLE AS north, coalesce(min(${longitude}), 0)::DOUBLE AS west,
      coalesce(max(${longitude}), 0)::DOUBLE AS east ${from}`,
  );
  if (row === undefined || numberOf(row, 'points') < POINTS_MIN) return undefined;
  const [south, north] = [numberOf(row, 'south'), numberOf(row, 'north')];
  const [west, east] = [numberOf(row, 'west'), numberOf(row, 'east')];
  if (south > -15 && north < 72 && (east < -64 || west > 140 || east - west > 200)) {
    const listed = await connection.list(
      `SELECT DISTINCT ${latitude}::DOUBLE AS latitude, ${longitude}::DOUBLE AS longitude ${from}
        ORDER BY hash(${latitude}, ${longitude}) LIMIT ${POINTS_MAX}`,
    );
    const states = (await openAreas([{ name: 'us_states' }])).get('us_states');
    const outside = listed.filter(
      (point) =>
        (states?.index.find(numberOf(point, 'latitude'), numberOf(point, 'longitude')) ?? -1) < 0,
    ).length;
    if (outside <= listed.length * OUTSIDE_MAX) {
      return { kind: 'us_states', outside, points: listed.length };
    }
  }
  if (east - west > SPAN_MAX || north - south > SPAN_MAX) return undefined;
  return {
    kind: 'box',
    south: Math.floor(south * 10) / 10,
    west: Math.floor(west * 10) / 10,
    north: Math.ceil(north * 10) / 10,
    east: Math.ceil(east * 10) / 10,
  };
}

const POINTS_MIN = 3;
const POINTS_MAX = 2000;
/** The boundaries are simplified, so that some points near the water lie outside. */
const OUTSIDE_MAX = 0.05;
const SPAN_MAX = 60;
