import type { Cadence, PeriodDay } from '@locmetrics/core/domain/metric';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { ROW_COLUMN } from '../record-table.ts';
import { asNumber } from './result-row.ts';
import type { WatchedConnection } from './watched-connection.ts';

/** The records of a version whose column file is attached. */
export type AttachedRecords = {
  /** The connection that it is attached to. */
  readonly connection: Pick<WatchedConnection, 'run' | 'list'>;
  /** SQL of the table of its records. */
  readonly table: string;
};

/** The number of matching records, and the values of the wanted fields of the first one. */
export type FoundRecords = { readonly count: number; readonly example: readonly string[] };

/** Records without a value in a field. */
export function findAbsentValues(
  records: AttachedRecords,
  field: string,
  wanted: readonly string[],
): Promise<FoundRecords> {
  return findRecords(records, `${quoteIdentifier(field)} IS NULL`, wanted);
}

/** Records whose field has this text form. */
export function findText(
  records: AttachedRecords,
  field: string,
  text: string,
): Promise<FoundRecords> {
  const condition = `CAST(${quoteIdentifier(field)} AS VARCHAR) = ${quoteLiteral(text)}`;
  return findRecords(records, condition, []);
}

/** Records whose number exceeds the range of a 32-bit float, which gRPC sends. */
export function findUnsendableNumbers(
  records: AttachedRecords,
  field: string,
  wanted: readonly string[],
): Promise<FoundRecords> {
  return findRecords(records, `abs(${quoteIdentifier(field)}) > ${FLOAT_MAX}`, wanted);
}

/** Numbers up to half a step beyond the greatest float are rounded to it. */
const FLOAT_MAX = '3.4028235677973362e38';

/** Records with only one coordinate, or with a coordinate out of range. */
export function findWrongPoints(
  records: AttachedRecords,
  point: { readonly latitude: string; readonly longitude: string },
  wanted: readonly string[],
): Promise<FoundRecords> {
  const [latitude, longitude] = [point.latitude, point.longitude].map(quoteIdentifier);
  return findRecords(
    records,
    `(${latitude} IS NULL) <> (${longitude} IS NULL)
      OR ${latitude} NOT BETWEEN -90 AND 90 OR ${longitude} NOT BETWEEN -180 AND 180`,
    wanted,
  );
}

/** Records that match a condition, sorted by key. */
export async function findRecords(
  { connection, table }: AttachedRecords,
  condition: string,
  wanted: readonly string[],
): Promise<FoundRecords> {
  const columns = wanted.map(
    (name, index) => `${quoteIdentifier(name)}::VARCHAR AS value_${index}`,
  );
  const [row] = await connection.list(
    `SELECT ${[...columns, 'count(*) OVER ()::DOUBLE AS count'].join(', ')}
      FROM ${table} WHERE ${condition}
      ORDER BY ${ROW_COLUMN} LIMIT 1`,
  );
  return {
    count: row === undefined ? 0 : asNumber(row['count']),
    example: wanted.map((_, index) => String(row?.[`value_${index}`] ?? '')),
  };
}

/** The number of records whose period lacks a day, and of those whose period ends before it starts. */
export async function countWrongPeriods(
  { connection, table }: AttachedRecords,
  { start, end }: Period,
): Promise<{ readonly withoutDay: number; readonly endingBefore: number }> {
  const [first, last] = [daySql(start), daySql(end)];
  const [row] = await connection.list(
    `SELECT count(*) FILTER (${first} IS NULL OR ${last} IS NULL)::DOUBLE AS without_day,
        count(*) FILTER (${first} > ${last})::DOUBLE AS ending_before
      FROM ${table}`,
  );
  return {
    withoutDay: asNumber(row?.['without_day']),
    endingBefore: asNumber(row?.['ending_before']),
  };
}

type Period = { readonly start: PeriodDay; readonly end: PeriodDay };

/** The number of records with a period, of those whose period is not one of a cadence, and the first of these. */
export async function findOtherPeriods(
  { connection, table }: AttachedRecords,
  { start, end }: Period,
  cadence: Exclude<Cadence, 'unspecified'>,
): Promise<{ readonly all: number; readonly others: number; readonly example: string }> {
  const [first, last] = [daySql(start), daySql(end)];
  const isOther = `NOT (${PERIOD_SQL[cadence](first, last)})`;
  const [row] = await connection.list(
    `SELECT count(${first} <= ${last})::DOUBLE AS all_periods,
        count(*) FILTER (${isOther})::DOUBLE AS others,
        arg_min(${first}::VARCHAR || ' to ' || ${last}::VARCHAR, ${ROW_COLUMN})
          FILTER (${isOther}) AS example
      FROM ${table}`,
  );
  return {
    all: asNumber(row?.['all_periods']),
    others: asNumber(row?.['others']),
    example: String(row?.['example'] ?? ''),
  };
}

type PeriodCondition = (first: string, last: string) => string;
const ofDays =
  (days: number): PeriodCondition =>
  (first, last) =>
    `${last} = ${first} + ${days - 1}`;
const ofWeekFrom =
  (isoDay: number): PeriodCondition =>
  (first, last) =>
    `${ofDays(7)(first, last)} AND isodow(${first}) = ${isoDay}`;
/** Whole months, the first of which is a multiple of `step`. */
const ofMonths =
  (months: number, step = 1): PeriodCondition =>
  (first, last) =>
    `day(${first}) = 1 AND (month(${first}) - 1) % ${step} = 0 AND ${last} + 1 = ${first} + INTERVAL ${months} MONTH`;

/** Conditions on the first and last day of a period; a year and three months can begin with any month. */
const PERIOD_SQL: Readonly<Record<Exclude<Cadence, 'unspecified'>, PeriodCondition>> = {
  hourly: ofDays(1),
  daily: ofDays(1),
  weekly: ofDays(7),
  weekly_mon_sun: ofWeekFrom(1),
  weekly_tue_mon: ofWeekFrom(2),
  monthly: ofMonths(1),
  trimonthly: ofMonths(3),
  quarterly: ofMonths(3, 3),
  yearly: ofMonths(12),
};

/** The number of records that refer to an unknown feature, with the least of those ids. */
export async function findUnknownFeatures(
  { connection, table }: AttachedRecords,
  featureId: string,
  features: { readonly table: string; readonly featureId: string },
): Promise<{ readonly count: number; readonly examples: readonly string[] }> {
  const field = quoteIdentifier(featureId);
  // Each id is checked once, not once per record.
  const rows = await connection.list(
    `SELECT id, sum(count) OVER ()::DOUBLE AS count
      FROM (
        SELECT ${field} AS id, count(*) AS count
        FROM ${table} WHERE ${field} IS NOT NULL GROUP BY ${field}
      )
      WHERE id NOT IN (
        SELECT ${quoteIdentifier(features.featureId)} FROM ${features.table}
      )
      ORDER BY id LIMIT ${EXAMPLES_MAX}`,
  );
  return {
    count: rows[0] === undefined ? 0 : asNumber(rows[0]['count']),
    examples: rows.map((row) => String(row['id'])),
  };
}

const EXAMPLES_MAX = 3;

function daySql(day: PeriodDay): string {
  return 'field' in day ? quoteIdentifier(day.field) : `${quoteLiteral(day.day)}::DATE`;
}
