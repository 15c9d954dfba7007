import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { placeText } from '../problems/import-error.ts';
import { locateRows, type StagedRows } from './find-row-problems.ts';

/** The kept rows of the files, with what finds them there. */
export type LocatedRows = StagedRows & {
  /** SQL of the rows, with their `rowid`. */
  readonly table: string;
  /** SQL of their coordinates. */
  readonly latitude: string;
  readonly longitude: string;
};

/** The number of rows for which each condition is true, in one pass over the rows. */
export async function countPoints(
  { connection, table }: LocatedRows,
  conditions: readonly string[],
): Promise<readonly number[]> {
  const counts = conditions.map(
    (condition, index) => `count(*) FILTER (${condition})::DOUBLE AS count_${index}`,
  );
  const [row] = await connection.list(`SELECT ${counts.join(', ')} FROM ${table}`);
  return conditions.map((_, index) => (row === undefined ? 0 : numberOf(row, `count_${index}`)));
}

/** The first of the rows with a condition, each with its place and its point: `places.csv:7 (47.4, 8.5)`. */
export async function listPoints(
  rows: LocatedRows,
  { condition, count }: { readonly condition: string; readonly count: number },
): Promise<string> {
  const listed = await rows.connection.list(
    `SELECT rowid::DOUBLE AS row_number, ${rows.latitude} AS latitude, ${rows.longitude} AS longitude
      FROM ${rows.table} WHERE ${condition} ORDER BY rowid LIMIT ${EXAMPLES_MAX}`,
  );
  const places = await locateRows(
    rows,
    listed.map((row) => numberOf(row, 'row_number')),
  );
  const examples = listed.map((row) => {
    const found = places.get(numberOf(row, 'row_number'));
    const place = found === undefined ? '' : placeText({ file: found.file.label, ...found.place });
    const { latitude, longitude } = row;
    return latitude === null ? place : `${place} (${latitude}, ${longitude})`;
  });
  const hidden = count - examples.length;
  return hidden > 0
    ? `${examples.join(', ')} and ${hidden.toLocaleString('en-US')} more`
    : new Intl.ListFormat('en', { type: 'conjunction' }).format(examples).replace(', and', ' and');
}

const EXAMPLES_MAX = 3;
