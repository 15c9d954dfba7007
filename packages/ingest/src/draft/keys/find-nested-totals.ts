import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { FoundKey } from './find-key.ts';
import type { FoundTotal } from './found-total.ts';
import { type Column, type Match, match, sumsOf } from './sums-of-records.ts';

/** Whether the records of a code are the sums of those whose codes begin with it: AT1 of AT11 and AT12, whatever else is in the table. */
export async function sumsOfLongerCodes(
  connection: ImportConnection,
  {
    table,
    column,
    lengths,
    by,
    measures,
  }: {
    readonly table: string;
    readonly column: Column;
    readonly lengths: readonly number[];
    /** The other fields of the key. */
    readonly by: readonly Column[];
    readonly measures: readonly Column[];
  },
): Promise<Match | undefined> {
  const code = `CAST(${column.sql} AS VARCHAR)`;
  const pairs = lengths.map(
    (length) =>
      `SELECT longer.code, shorter.code AS parent FROM codes longer JOIN codes shorter
        ON length(longer.code) > ${length} AND length(shorter.code) = ${length} AND left(longer.code, ${length}) = shorter.code`,
  );
  const families = `(WITH codes AS (SELECT DISTINCT ${code} AS code FROM ${table} WHERE ${column.sql} IS NOT NULL),
    parents AS (SELECT code, max_by(parent, length(parent)) AS parent FROM (${pairs.join(' UNION ALL ')}) GROUP BY code)
    SELECT of_code.*, 'part' AS part, parent AS family FROM ${table} of_code JOIN parents ON ${code} = code
    UNION ALL
    SELECT of_code.*, 'total', ${code} FROM ${table} of_code WHERE ${code} IN (SELECT parent FROM parents))`;
  const grouped = await sumsOf(connection, {
    table: families,
    kinds: 'part',
    by: [{ ...column, sql: 'family' }, ...by],
    measures,
  });
  return match(grouped, measures, { total: 'total', isSure: true, partsOf: 'finest' });
}

/** Records that lack the fields of a smaller place, such as the country beside its states, and are the sums of those that have one. */
export async function findBlankTotals(
  connection: ImportConnection,
  {
    table,
    columns,
    key: { fallback },
    by,
    measures,
  }: {
    readonly table: string;
    readonly columns: readonly Column[];
    readonly key: FoundKey;
    readonly by: readonly Column[];
    readonly measures: readonly Column[];
  },
): Promise<FoundTotal | undefined> {
  const places = (fallback?.first ?? []).flatMap(
    (name) => columns.find(({ field }) => field.name === name) ?? [],
  );
  for (let count = places.length - 1; count > 0; count -= 1) {
    const smaller = places.slice(0, count);
    const grouped = await sumsOf(connection, {
      table,
      kinds: `CASE WHEN coalesce(${smaller.map(({ sql }) => `CAST(${sql} AS VARCHAR)`).join(', ')}) IS NULL THEN 'total' ELSE 'part' END`,
      by: [...places.slice(count), ...by],
      measures,
    });
    const { proof } =
      match(grouped, measures, { total: 'total', isSure: true, partsOf: 'all' }) ?? {};
    const [first] = smaller;
    if (proof === undefined || first === undefined) continue;
    return {
      field: first.field.name,
      value: '',
      kind: 'blank',
      blank: smaller.map(({ field }) => field.column ?? field.name),
      proof,
    };
  }
  return undefined;
}

/** SQL of whether a row has one of these columns. */
export function hasOneOf(columns: readonly string[]): string {
  const texts = columns.map((column) => `trim(${quoteIdentifier(column)})`);
  return texts.length === 1 ? `${texts[0]} <> ''` : `concat(${texts.join(', ')}) <> ''`;
}
