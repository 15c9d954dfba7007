import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { DraftField } from '../values/draft-fields.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import { isMeasure } from './combine-repeated.ts';
import type { FoundKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';
import { isAreaName } from './key-roles.ts';

/**
 * The measures that are the same in all rows that differ in one field of the key alone, such as the votes of a county beside
 * those of each candidate: a sum would count them several times. The value is that field.
 */
export async function findRepeatedValues(
  connection: ImportConnection,
  {
    fields,
    keyFields,
    key,
    hour,
    placeSql,
    rowCount,
  }: {
    readonly fields: readonly DraftField[];
    readonly keyFields: readonly KeyField[];
    readonly key: FoundKey;
    /** The field of the key with the hour, whose days have a rule of their own. */
    readonly hour: string | undefined;
    /** The place of a row, if the key has the first of several codes. */
    readonly placeSql: string | undefined;
    readonly rowCount: number;
  },
): Promise<ReadonlyMap<string, string>> {
  const measures = fields.flatMap((field, index) =>
    isMeasure(field, key) ? [{ name: field.name, sql: `v${index}` }] : [],
  );
  const parts = key.fields.flatMap((name) => {
    const index = fields.findIndex((field) => field.name === name);
    const { type } = fields[index]?.document ?? {};
    return index < 0 ? [] : [{ name, sql: `v${index}`, type, role: keyFields[index]?.role }];
  });
  const found = new Map<string, string>();
  if (measures.length < 2 || key.repeatedCount > 0 || rowCount > ROWS_MAX) return found;
  for (const part of parts) {
    // Places can have equal numbers, as those of a test have.
    const isPlace = part.role === 'code' || part.role === 'place' || isAreaName(part.name);
    if (part.type === 'date' || part.name === hour || isPlace) continue;
    const others = [
      ...(placeSql === undefined ? [] : [`(${placeSql})`]),
      ...parts.filter((one) => one !== part).map(({ sql }) => sql),
    ];
    if (others.length === 0) continue;
    const values = measures.flatMap(({ sql }, index) => [
      `count(${sql}) AS rows_${index}`,
      `count(DISTINCT ${sql}) AS different_${index}`,
      `min(${sql}) AS value_${index}`,
    ]);
    const counts = measures.flatMap((_, index) => [
      `count(*) FILTER (rows_${index} > 1 AND different_${index} > 1)::DOUBLE AS unlike_${index}`,
      `count(DISTINCT value_${index}) FILTER (rows_${index} > 1)::DOUBLE AS values_${index}`,
    ]);
    const [row] = await connection.list(
      `SELECT ${counts.join(', ')} FROM (SELECT ${values.join(', ')} FROM ${TYPED_ROWS} GROUP BY ${others.join(', ')})`,
    );
    for (const [index, { name }] of measures.entries()) {
      const isRepeated =
        row !== undefined &&
        numberOf(row, `unlike_${index}`) === 0 &&
        numberOf(row, `values_${index}`) >= VALUES_MIN;
      if (isRepeated && !found.has(name)) found.set(name, part.name);
    }
  }
  // If nothing changes, the field tells copies of the rows apart.
  return found.size < measures.length ? found : new Map();
}

/** Few equal values are so by chance. */
const VALUES_MIN = 3;
/** More take too long to group. */
const ROWS_MAX = 5_000_000;
