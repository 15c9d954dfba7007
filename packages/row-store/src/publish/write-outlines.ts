import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE, ROW_COLUMN } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { OutlineRing } from '@locmetrics/core/domain/outline';
import { TILE_EXTENT } from '@locmetrics/core/geometry/tile';
import { withoutJumps } from '@locmetrics/core/geometry/without-jumps';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { encodeRings } from '../outline-bytes.ts';
import {
  CREATE_OUTLINES_SQL,
  OUTLINE_ROWS,
  type RowFacts,
  seriesFieldOf,
  WORLD_BITS,
} from '../row-file.ts';
import { openBulkInsert } from './bulk-insert.ts';
import { type Position, type ProjectedOutline, simplifyOutlines } from './simplify-outlines.ts';

/** About so many positions are simplified together: they need about 200 bytes each. */
const POSITIONS_AT_ONCE = 4_000_000;

/**
 * Writes the outlines of features for tiles: simplified for each zoom up to the one at which nearly all positions are
 * seen, and as they are for that zoom and all deeper ones. A feature that is not seen at a zoom is left out.
 */
export async function writeOutlines(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  { dataset, onNotice }: { readonly dataset: Dataset } & Pick<NewRecords, 'onNotice'>,
): Promise<Pick<RowFacts, 'outlines'>> {
  const field = dataset.fields.find(({ outline }) => outline === true);
  const id = seriesFieldOf(dataset);
  // A feature is one record with a text as its id.
  if (field === undefined || dataset.key.length > 1 || id.type !== 'string') return {};
  for (const statement of CREATE_OUTLINES_SQL) database.exec(statement);
  const insert = openBulkInsert(database, 'outlines', 3);
  const levels: { readonly rows: number[]; readonly boxes: number[] }[] = [];
  let wholeFrom: number | undefined;
  let parts = 0;

  const writePart = async (part: readonly ReadOutline[]): Promise<void> => {
    if (part.length === 0) return;
    parts += 1;
    const simplified = simplifyOutlines(part.map(({ outline }) => outline));
    wholeFrom ??= simplified.wholeFrom;
    for (let zoom = 0; zoom <= wholeFrom; zoom += 1) {
      await nextTick();
      const isWhole = zoom === wholeFrom;
      const bits = isWhole ? WORLD_BITS : zoom + Math.log2(TILE_EXTENT);
      const { rows, boxes } = levels[zoom] ?? { rows: [], boxes: [] };
      levels[zoom] = { rows, boxes };
      for (const [index, rings] of simplified.at(isWhole ? 'all' : zoom, bits).entries()) {
        const { row, id: featureId } = part[index] ?? { row: 0, id: '' };
        if (rings.length === 0) continue;
        rows.push(row);
        for (const edge of boxOf(rings)) boxes.push(edge);
        insert.add(zoom * OUTLINE_ROWS + row, featureId, encodeRings(rings));
      }
    }
  };

  let part: ReadOutline[] = [];
  let positions = 0;
  for await (const outline of readOutlines(connection, { id: id.name, outline: field.name })) {
    part.push(outline);
    positions += outline.outline.flat().reduce((sum, ring) => sum + ring.length, 0);
    if (positions < POSITIONS_AT_ONCE) continue;
    await writePart(part);
    part = [];
    positions = 0;
  }
  await writePart(part);
  insert.end();
  const insertLevel = database.prepare('INSERT INTO outline_levels VALUES (?, ?, ?)');
  for (const [zoom, { rows, boxes }] of levels.entries()) {
    insertLevel.run(
      zoom,
      new Uint8Array(Float64Array.from(rows).buffer),
      new Uint8Array(Int32Array.from(boxes).buffer),
    );
  }
  if (parts > 1) {
    onNotice?.(
      `The outlines of ${dataset.name} are simplified in ${parts} parts, in the order of the key: at low zooms, borders between two parts can differ.`,
    );
  }
  return { outlines: { wholeFrom: wholeFrom ?? 0 } };
}

type ReadOutline = {
  readonly row: number;
  readonly id: string;
  readonly outline: ProjectedOutline;
};

async function* readOutlines(
  { read }: NewRecords['connection'],
  names: { readonly id: string; readonly outline: string },
): AsyncGenerator<ReadOutline> {
  const outline = quoteIdentifier(names.outline);
  const columns = [`${ROW_COLUMN}::DOUBLE`, quoteIdentifier(names.id), outline].join(', ');
  const query = `SELECT ${columns} FROM ${RECORD_TABLE} WHERE ${outline} IS NOT NULL ORDER BY ${ROW_COLUMN}`;
  for await (const chunk of read(query)) {
    const [rows, ids, outlines] = [chunk.column(0), chunk.column(1), chunk.column(2)];
    for (let index = 0; index < chunk.count; index += 1) {
      yield {
        row: Number(rows(index)),
        id: String(ids(index)),
        outline: projectOutline(String(outlines(index))),
      };
    }
  }
}

/** A Polygon or MultiPolygon in units of the world. A part beyond the antimeridian is also drawn on the other side. */
function projectOutline(text: string): ProjectedOutline {
  // The publish has checked it.
  const { type, coordinates } = JSON.parse(text) as Area;
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  const unbroken = withoutJumps(polygons.flat());
  let ring = 0;
  const projected = polygons.map((rings) => rings.map(() => (unbroken[ring++] ?? []).map(project)));
  const shifted = (by: number): ProjectedOutline =>
    projected
      .filter((rings) => rings.some((one) => one.some(([x]) => x + by < WORLD && x + by > 0)))
      .map((rings) => rings.map((one) => one.map(([x, y]): Position => [x + by, y])));
  const isEast = projected.flat(2).some(([x]) => x > WORLD);
  const isWest = projected.flat(2).some(([x]) => x < 0);
  return [...projected, ...(isEast ? shifted(-WORLD) : []), ...(isWest ? shifted(WORLD) : [])];
}

type Area =
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | {
      readonly type: 'MultiPolygon';
      readonly coordinates: readonly (readonly (readonly Position[])[])[];
    };

const WORLD = 2 ** WORLD_BITS;

/** Whole units, so that positions that differ by less are the same. The map ends before the poles. */
function project([longitude, latitude]: Position): Position {
  const south = 0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI);
  return [
    Math.round(((longitude + 180) / 360) * WORLD),
    Math.round(Math.min(Math.max(south, 0), 1) * WORLD),
  ];
}

function boxOf(rings: readonly OutlineRing[]): readonly number[] {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { points } of rings) {
    for (let index = 0; index < points.length; index += 2) {
      const [x = 0, y = 0] = [points[index], points[index + 1]];
      west = Math.min(west, x);
      north = Math.min(north, y);
      east = Math.max(east, x);
      south = Math.max(south, y);
    }
  }
  return [west, north, east, south];
}
