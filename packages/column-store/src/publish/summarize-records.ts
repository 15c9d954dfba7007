import type { Dataset } from '@locmetrics/core/domain/dataset';
import { findCadence } from '@locmetrics/core/domain/find-cadence';
import type { Cadence } from '@locmetrics/core/domain/metric';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { RECORD_TABLE } from '../record-table.ts';
import type { ImportConnection } from './import-connection.ts';
import { asNumber, textOf } from './result-row.ts';

/** The number of records in a new column file, and the first and the last day of their periods. */
export type RecordSummary = {
  readonly rowCount: number;
  /** Absent without a period or rows. */
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
  /** Absent if the periods have none. */
  readonly cadence?: Cadence;
};

export async function summarizeRecords(
  connection: ImportConnection,
  { period }: Dataset,
): Promise<RecordSummary> {
  const { list } = connection;
  const dates =
    period === undefined
      ? ''
      : `, min(${quoteIdentifier(period.start)})::VARCHAR AS first_date,
          max(${quoteIdentifier(period.end)})::VARCHAR AS last_date`;
  const [row] = await list(`SELECT count(*)::DOUBLE AS count${dates} FROM ${RECORD_TABLE}`);
  const first = row?.['first_date'];
  const last = row?.['last_date'];
  const cadence =
    period === undefined ? undefined : findCadence(await listStarts(connection, period));
  return {
    rowCount: asNumber(row?.['count']),
    ...(typeof first === 'string' ? { firstObservationDate: first } : {}),
    ...(typeof last === 'string' ? { lastObservationDate: last } : {}),
    ...(cadence === undefined ? {} : { cadence }),
  };
}

/** The first of the different starts; more would not change the cadence of regular periods. */
async function listStarts(
  { list }: ImportConnection,
  { start }: NonNullable<Dataset['period']>,
): Promise<readonly string[]> {
  const rows = await list(
    `SELECT DISTINCT ${quoteIdentifier(start)}::VARCHAR AS start FROM ${RECORD_TABLE}
      WHERE ${quoteIdentifier(start)} IS NOT NULL ORDER BY start LIMIT ${STARTS_MAX}`,
  );
  return rows.map((row) => textOf(row, 'start'));
}

const STARTS_MAX = 10_000;
