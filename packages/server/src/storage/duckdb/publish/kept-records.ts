import { strict as assert } from 'node:assert';
import type { Dataset } from '../../../domain/dataset.ts';
import type { Period } from '../../../domain/period.ts';
import { quoteIdentifier, quoteLiteral } from '../../../sql/quote-identifier.ts';
import { RECORD_TABLE } from '../record-table.ts';
import { type AttachedRecords, type FoundRecords, findRecords } from './check-records.ts';

/** A query for the records of an attached version that remain when those of a period are replaced. */
export function keptRecordsSql(
  dataset: Dataset,
  {
    database,
    replaced,
    column,
  }: {
    readonly database: string;
    /** Undefined: all remain. */
    readonly replaced: Period | undefined;
    /** The name of the column for a field index. */
    readonly column: (fieldIndex: number) => string;
  },
): string {
  const columns = dataset.fields.map(
    ({ name }, index) => `${quoteIdentifier(name)} AS ${column(index)}`,
  );
  return `SELECT ${columns.join(', ')} FROM ${quoteIdentifier(database)}.${RECORD_TABLE}
    WHERE ${isKept(dataset, replaced)}`;
}

/** The number of records that remain, and of those that are replaced. */
export async function countKept(
  { list, database }: AttachedRecords,
  dataset: Dataset,
  replaced: Period | undefined,
): Promise<{ readonly kept: number; readonly replaced: number }> {
  const [row] = await list(
    `SELECT count(*)::DOUBLE AS total, count(*) FILTER (${isKept(dataset, replaced)})::DOUBLE AS kept
      FROM ${quoteIdentifier(database)}.${RECORD_TABLE}`,
  );
  const [total, kept] = [row?.['total'], row?.['kept']];
  assert(typeof total === 'number' && typeof kept === 'number');
  return { kept, replaced: total - kept };
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
