import type { Dataset } from '@locmetrics/core/domain/dataset';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { RECORD_TABLE } from '../record-table.ts';
import type { ImportConnection } from './import-connection.ts';
import { asNumber } from './result-row.ts';

/** The number of records in a new column file, and the first and the last day of their periods. */
export type RecordSummary = {
  readonly rowCount: number;
  /** Absent without a period or rows. */
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
};

export async function summarizeRecords(
  { list }: ImportConnection,
  { period }: Dataset,
): Promise<RecordSummary> {
  const dates =
    period === undefined
      ? ''
      : `, min(${quoteIdentifier(period.start)})::VARCHAR AS first_date,
          max(${quoteIdentifier(period.end)})::VARCHAR AS last_date`;
  const [row] = await list(`SELECT count(*)::DOUBLE AS count${dates} FROM ${RECORD_TABLE}`);
  const first = row?.['first_date'];
  const last = row?.['last_date'];
  return {
    rowCount: asNumber(row?.['count']),
    ...(typeof first === 'string' ? { firstObservationDate: first } : {}),
    ...(typeof last === 'string' ? { lastObservationDate: last } : {}),
  };
}
