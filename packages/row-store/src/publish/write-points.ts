import type { DatabaseSync } from 'node:sqlite';
import type { NewRecords } from '@locmetrics/column-store/publish/version-writer';
import { RECORD_TABLE, ROW_COLUMN } from '@locmetrics/column-store/record-table';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Value } from '@locmetrics/core/domain/value';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import {
  type BlockSizes,
  BOXES_TABLE,
  coveredFields,
  POINTS_TABLE,
  type RowFacts,
} from '../row-file.ts';
import { writeEntries } from './write-entries.ts';

/**
 * Writes the records that have a point, neighbours into the same block, and the box of each block. Blocks are
 * the leaves of an R-tree that is packed by Sort-Tile-Recursive: slices of longitude, each sorted by latitude.
 */
export async function writePoints(
  database: DatabaseSync,
  connection: NewRecords['connection'],
  { dataset, sizes }: { readonly dataset: Dataset; readonly sizes: BlockSizes },
): Promise<Pick<RowFacts, 'points'>> {
  const { point } = dataset;
  if (point === undefined) return {};
  const [longitude, latitude] = [point.longitude, point.latitude].map(quoteIdentifier);
  const hasPoint = `WHERE ${longitude} IS NOT NULL AND ${latitude} IS NOT NULL`;
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS points FROM ${RECORD_TABLE} ${hasPoint}`,
  );
  const blocks = Math.ceil(Number(row?.['points']) / sizes.points);
  const slices = Math.max(1, Math.round(Math.sqrt(blocks)));
  const fields = coveredFields(dataset).map(({ name }) => name);
  // The first column of a block is the ordinal.
  const [lngColumn, latColumn] = [point.longitude, point.latitude].map(
    (name) => fields.indexOf(name) + 1,
  );
  const boxes: number[] = [];
  const points = await writeEntries(database, connection, {
    dataset,
    table: POINTS_TABLE,
    // The ordinal makes the order, and with it the bytes of the file, the same each time.
    rest: `${hasPoint} ORDER BY
      ntile(${slices}) OVER (ORDER BY ${longitude}, ${latitude}, ${quoteIdentifier(ROW_COLUMN)}),
      ${latitude}, ${longitude}, ${quoteIdentifier(ROW_COLUMN)}`,
    blockEntries: sizes.points,
    onBlock: (columns) => boxes.push(...boxOf(columns[lngColumn ?? 0], columns[latColumn ?? 0])),
  });
  database.exec(`CREATE TABLE ${BOXES_TABLE} (data BLOB NOT NULL) STRICT`);
  const data = new Uint8Array(new Float64Array(boxes).buffer);
  database.prepare(`INSERT INTO ${BOXES_TABLE} VALUES (?)`).run(data);
  return { points };
}

/** The edges of the smallest box around points. */
function boxOf(
  longitudes: readonly Value[] = [],
  latitudes: readonly Value[] = [],
): readonly number[] {
  const [lngs, lats] = [longitudes.map(Number), latitudes.map(Number)];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}
