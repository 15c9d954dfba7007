import type { Period } from '@locmetrics/core/dates/period';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import { quoteIdentifier, quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { ROW_COLUMN } from '../record-table.ts';
import { type AttachedRecords, type FoundRecords, findRecords } from './check-records.ts';
import { asNumber } from './result-row.ts';

/** A query for the records of an attached version that remain when those of a period are replaced. */
export function keptRecordsSql(
  dataset: Dataset,
  {
    table,
    replaced,
    column,
    withRow = false,
  }: {
    /** SQL of the table of the version. */
    readonly table: string;
    /** Undefined: all remain. */
    readonly replaced: Period | undefined;
    /** The name of the column for a field index. */
    readonly column: (fieldIndex: number) => string;
    /** Whether the first column is the ordinal of a record in its version. */
    readonly withRow?: boolean;
  },
): string {
  const columns = [
    ...(withRow ? [ROW_COLUMN] : []),
    ...dataset.fields.map(({ name }, index) => `${quoteIdentifier(name)} AS ${column(index)}`),
  ];
  return `SELECT ${columns.join(', ')} FROM ${table}
    WHERE ${isKept(dataset, replaced)}`;
}

/** The number of records that remain, and of those that are replaced. */
export async function countKept(
  { connection, table }: AttachedRecords,
  dataset: Dataset,
  replaced: Period | undefined,
): Promise<{ readonly kept: number; readonly replaced: number }> {
  const [row] = await connection.list(
    `SELECT count(*)::DOUBLE AS total, count(*) FILTER (${isKept(dataset, replaced)})::DOUBLE AS kept
      FROM ${table}`,
  );
  const kept = asNumber(row?.['kept']);
  return { kept, replaced: asNumber(row?.['total']) - kept };
}

/** Records with some days inside a period and others outside. */
export function findCutRecords(
  records: AttachedRecords,
  dataset: Dataset,
  period: Period,
  wanted: readonly string[],
): Promise<FoundRecords> {
  const { start, end, first, last } = periodSql(dataset, period);
  const condition = `${start} <= ${last} AND ${end} >= ${first} AND (${start} < ${first} OR ${end} > ${last})`;
  return findRecords(records, condition, wanted);
}

/** A record that lacks one of its days is in no period. */
function isKept(dataset: Dataset, replaced: Period | undefined): string {
  if (replaced === undefined) return 'true';
  const { start, end, first, last } = periodSql(dataset, replaced);
  return `(${start} >= ${first} AND ${end} <= ${last}) IS NOT true`;
}

function periodSql({ name, period }: Dataset, { start: first, end: last }: Period) {
  if (period === undefined) throw new Error(`${name} has no period.`);
  return {
    start: quoteIdentifier(period.start),
    end: quoteIdentifier(period.end),
    first: `DATE ${quoteLiteral(first)}`,
    last: `DATE ${quoteLiteral(last)}`,
  };
}
