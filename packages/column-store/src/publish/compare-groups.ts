import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { AttachedRecords } from './check-records.ts';
import { asNumber } from './result-row.ts';
import { shortText } from './short-text.ts';

/**
 * Groups the records of versions by period or by feature, and finds the groups that appeared, vanished or
 * jumped. Data that grows with the number of groups stays in temporary tables, which DuckDB spills to disk.
 */
export type GroupStore = AttachedRecords['connection'];

/** The sums over the records of a group, in addition to their number. */
export type GroupValues = {
  /** The field of the group. */
  readonly field: string;
  readonly measures: readonly string[];
  readonly fold: 'sum' | 'mean';
  /** Only records whose field has a value of a group in this table are included. */
  readonly within?: { readonly field: string; readonly table: string } | undefined;
};

/** Makes a table of the groups of a version: the value of each, its records, and its measures. */
export async function groupRecords(
  { run }: GroupStore,
  table: string,
  records: AttachedRecords,
  { field, measures, fold, within }: GroupValues,
): Promise<void> {
  const group = quoteIdentifier(field);
  const filter = within === undefined ? '' : ' FILTER (_is_within)';
  const aggregate = fold === 'sum' ? 'sum' : 'avg';
  const values = measures.map((measure, index) => {
    const folded = `${aggregate}(${quoteIdentifier(measure)})${filter}::DOUBLE`;
    // The sum of finite floats can overflow.
    return `CASE WHEN isfinite(${folded}) THEN ${folded} END AS value_${index + 1}`;
  });
  const isWithin =
    within === undefined
      ? ''
      : `, (${quoteIdentifier(within.field)} IN (SELECT of FROM ${within.table})) AS _is_within`;
  await run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS
      SELECT ${[`${group} AS of`, `count(*)${filter}::DOUBLE AS value_0`, ...values].join(', ')}
      FROM (SELECT *${isWithin} FROM ${records.table} WHERE ${group} IS NOT NULL)
      GROUP BY ${group}`,
  );
}

/** Makes a table of the groups of both versions whose records or measures differ, and returns their number. */
export async function correctedGroups(
  { run, list }: GroupStore,
  table: string,
  { before, after }: GroupTables,
  measureCount: number,
): Promise<number> {
  const numbers = Array.from({ length: measureCount + 1 }, (_, index) => index);
  const differences = numbers.map((number) => differs(number));
  await run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT of
      FROM ${before} AS base JOIN ${after} AS new USING (of) WHERE ${differences.join(' OR ')}`,
  );
  return countGroups({ run, list }, table);
}

/** The measure of a group in both versions; null if it has none there. */
export type GroupTotal = {
  readonly of: string;
  readonly before: number | null;
  readonly after: number | null;
};

/** The groups whose measure differs, those with the greatest differences first. */
export async function listChangedTotals(
  { list }: GroupStore,
  { before, after }: GroupTables,
  measure: number,
): Promise<ListedGroups<GroupTotal>> {
  const value = `value_${measure + 1}`;
  const difference = `abs(coalesce(new.${value}, 0) - coalesce(base.${value}, 0))`;
  const rows = await list(
    `SELECT ${shortText('of')} AS of, base.${value} AS from_value, new.${value} AS to_value,
        (count(*) OVER ())::DOUBLE AS count
      FROM ${before} AS base FULL JOIN ${after} AS new USING (of) WHERE ${differs(measure + 1)}
      ORDER BY ${difference} DESC, of LIMIT ${EXAMPLES_MAX}`,
  );
  return {
    count: rows[0] === undefined ? 0 : asNumber(rows[0]['count']),
    examples: rows.map((row) => ({
      of: String(row['of']),
      before: roundedOrNull(row['from_value']),
      after: roundedOrNull(row['to_value']),
    })),
  };
}

/** Several threads add up floats, so that sums of the same numbers differ in their last digits. */
function differs(number: number): string {
  const [from, to] = [`base.value_${number}`, `new.value_${number}`];
  return `((${from} IS NULL) <> (${to} IS NULL)
    OR abs(${to} - ${from}) > 1e-12 * greatest(abs(${from}), abs(${to})))`;
}

/** The sums of measures over all records; null if no record has a value. */
export async function sumMeasures(
  { connection, table }: AttachedRecords,
  measures: readonly string[],
): Promise<readonly (number | null)[]> {
  if (measures.length === 0) return [];
  const sums = measures.map((measure, index) => {
    const sum = `sum(${quoteIdentifier(measure)})::DOUBLE`;
    return `CASE WHEN isfinite(${sum}) THEN ${sum} END AS value_${index}`;
  });
  const [row] = await connection.list(`SELECT ${sums.join(', ')} FROM ${table}`);
  return measures.map((_, index) => roundedOrNull(row?.[`value_${index}`]));
}

/** Makes a table of the groups that are in both of two tables. */
export async function intersectGroups(
  { run }: GroupStore,
  table: string,
  { before, after }: GroupTables,
): Promise<void> {
  await run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT of FROM ${after} SEMI JOIN ${before} USING (of)`,
  );
}

export type GroupTables = { readonly before: string; readonly after: string };

export async function countGroups({ list }: GroupStore, table: string): Promise<number> {
  const [row] = await list(`SELECT count(*)::DOUBLE AS count FROM ${table}`);
  return asNumber(row?.['count']);
}

/** A number of groups, and the first few of them. */
export type ListedGroups<Item> = { readonly count: number; readonly examples: readonly Item[] };

const EXAMPLES_MAX = 10;

/** The groups of one table that another lacks, in ascending order. */
export async function listMissingGroups(
  { list }: GroupStore,
  { table, from }: { readonly table: string; readonly from: string },
): Promise<ListedGroups<string>> {
  const rows = await list(
    `SELECT count, ${shortText('one')} AS example
      FROM (SELECT count, unnest(examples) AS one FROM (
        SELECT count(*)::DOUBLE AS count, min(of, ${EXAMPLES_MAX}) AS examples
        FROM ${table} ANTI JOIN ${from} USING (of)))`,
  );
  return {
    count: rows[0] === undefined ? 0 : asNumber(rows[0]['count']),
    examples: rows.map((row) => String(row['example'])),
  };
}

/** A group whose records or measures changed by more than a percentage. */
export type GroupJump = {
  readonly of: string;
  /** The index of the measure that changed most; null for the number of records. */
  readonly measure: number | null;
  /** Null if no record of the group has a value. */
  readonly before: number | null;
  readonly after: number | null;
  /** The group it is compared with, if that is not the same group of the previous version. */
  readonly comparedWith: string | null;
};

/**
 * The groups that jumped, greatest jumps first, each with its greatest change. A change is measured as the
 * ratio of the greater to the lesser number, so that a fall to a tenth comes before a rise to the double.
 */
export async function listJumpedGroups(
  { list, run }: GroupStore,
  { before, after }: GroupTables,
  options: {
    readonly measureCount: number;
    readonly jumpPercent: number;
    /** Whether a new group is compared with the one before it; of days, with the same weekday before. */
    readonly comparesAppeared: boolean;
  },
): Promise<ListedGroups<GroupJump>> {
  const numbers = Array.from({ length: options.measureCount + 1 }, (_, index) => index);
  const values = numbers.map((number) => `value_${number}`);
  const appeared = `UNION ALL
    SELECT found.of, base.of, ${values.map((value) => `base.${value}`).join(', ')} FROM (
      SELECT of, CASE WHEN min(of - previous) OVER () = 1
          AND of - 7 IN (SELECT of FROM ${after}) THEN of - 7 ELSE previous END AS other
      FROM (SELECT of, lag(of) OVER (ORDER BY of) AS previous FROM ${after})) AS found
    JOIN ${after} AS base ON base.of = found.other
    WHERE found.of NOT IN (SELECT of FROM ${before})`;
  const changes = numbers.map((number) => {
    const [from, to] = [`base.value_${number}`, `new.value_${number}`];
    const [lesser, greater] = [
      `least(abs(${from}), abs(${to}))`,
      `greatest(abs(${from}), abs(${to}))`,
    ];
    return `CASE WHEN (${from} IS NULL) <> (${to} IS NULL)
        OR abs(${to} - ${from}) * 100 > ${options.jumpPercent} * abs(${from})
      THEN struct_pack(
        times := CASE WHEN ${lesser} > 0 AND sign(${from}) = sign(${to}) THEN ${greater} / ${lesser}
          ELSE 'Infinity'::DOUBLE END,
        difference := abs(coalesce(${to}, 0) - coalesce(${from}, 0)),
        preference := ${-number}, from_value := ${from}, to_value := ${to}) END`;
  });
  const table = `${after}_jumped`;
  await run(
    `CREATE OR REPLACE TEMP TABLE ${table} AS SELECT * FROM (
      SELECT of, compared_with, unnest(list_max([${changes.join(', ')}]))
      FROM (SELECT of, NULL AS compared_with, ${values.join(', ')} FROM ${before}
        ${options.comparesAppeared ? appeared : ''}) AS base
      JOIN ${after} AS new USING (of))
      WHERE times IS NOT NULL`,
  );
  const rows = await list(
    `SELECT ${shortText('of')} AS of, ${shortText('compared_with')} AS compared_with,
        (-preference)::DOUBLE AS number, from_value, to_value
      FROM ${table} ORDER BY times DESC, difference DESC, ${table}.of LIMIT ${EXAMPLES_MAX}`,
  );
  return {
    count: await countGroups({ list, run }, table),
    examples: rows.map((row) => {
      const number = asNumber(row['number']);
      return {
        of: String(row['of']),
        measure: number === 0 ? null : number - 1,
        before: roundedOrNull(row['from_value']),
        after: roundedOrNull(row['to_value']),
        comparedWith: row['compared_with'] === null ? null : String(row['compared_with']),
      };
    }),
  };
}

/** Several threads add up floats, so that the last digits differ between runs. */
function roundedOrNull(value: string | number | null | undefined): number | null {
  return typeof value === 'number' ? Number(value.toPrecision(12)) : null;
}
