import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { DraftField, Point } from './draft-fields.ts';

/** The places that the rows of a dataset repeat for each period. */
export type RepeatedPlaces = {
  /** The field that identifies a place. */
  readonly id: string;
  /** The other fields with one value for each place. */
  readonly fields: readonly string[];
  /** Those of them that no two places share. */
  readonly unique: readonly string[];
  readonly count: number;
};

/** Finds them by a code of the key with which the point never changes. */
export async function findPlaces(
  connection: ImportConnection,
  {
    table,
    fields,
    keyFields,
    point,
  }: {
    /** The table with a column for each field: v0, v1, … */
    readonly table: string;
    readonly fields: readonly DraftField[];
    readonly keyFields: readonly string[];
    readonly point: Point;
  },
): Promise<RepeatedPlaces | undefined> {
  const others = fields.flatMap((field, index) =>
    keyFields.includes(field.name) ? [] : { name: field.name, sql: `v${index}` },
  );
  for (const id of keyFields) {
    const index = fields.findIndex(({ name }) => name === id);
    if (fields[index]?.document.type !== 'string') continue;
    const counts = others.map(
      ({ sql }, number) =>
        `count(DISTINCT (v${index}, ${sql}))::DOUBLE AS count_${number}, count(DISTINCT ${sql})::DOUBLE AS own_${number}`,
    );
    const [row] = await connection.list(
      `SELECT count(DISTINCT v${index})::DOUBLE AS ids, ${counts.join(', ')} FROM ${table}
        WHERE v${index} IS NOT NULL`,
    );
    if (row === undefined) continue;
    const count = numberOf(row, 'ids');
    const same = others.flatMap(({ name }, number) =>
      numberOf(row, `count_${number}`) === count ? [name] : [],
    );
    const unique = others.flatMap(({ name }, number) =>
      same.includes(name) && numberOf(row, `own_${number}`) === count ? [name] : [],
    );
    const [whole] = await connection.list(`SELECT count(*)::DOUBLE AS rows FROM ${table}`);
    // A row of its own for nearly each id is no repeated place.
    const isRepeated = whole !== undefined && numberOf(whole, 'rows') >= count * REPEATED_MIN;
    const hasPoint = isRepeated && same.includes(point.latitude) && same.includes(point.longitude);
    if (hasPoint) return { id, fields: same, unique, count };
  }
  return undefined;
}

/** The rows of a place, in the mean. */
const REPEATED_MIN = 1.5;
