import type { DatabaseSync } from 'node:sqlite';
import type { UsageRecord } from '../domain/usage-record.ts';
import { readInteger, readText, type SqliteRow } from '../sqlite/sqlite-row.ts';
import { DAY_MS } from './usage-calendar.ts';
import type {
  UsageGroup,
  UsagePeriod,
  UsageQuery,
  UsageRecordsQuery,
  UsageReport,
  UsageSums,
  UsedRows,
} from './usage-query.ts';

export type UsageReads = {
  /** Sums of the merged records. */
  readonly read: (query: UsageQuery) => Omit<UsageReport, 'completeUntil'>;
  /** Single records, the oldest first, as far back as they are kept. */
  readonly records: (query: UsageRecordsQuery) => Iterable<UsageRecord>;
  /** The organisations with any usage in a period. */
  readonly organisations: (period: UsagePeriod) => readonly string[];
  /** Fast: it takes microseconds for an organisation with a few tokens and datasets. */
  readonly usedRows: (organisationId: string, day: string) => UsedRows;
};

const COLUMNS: Readonly<Record<UsageGroup, string>> = {
  organisation: 'organisation',
  day: 'day',
  dataset: 'resource',
  operation: 'operation',
  token: 'token',
};

const SUMS = 'count(*) AS parts, sum(requests) AS requests, sum(rows) AS rows, sum(bytes) AS bytes';

export function prepareReads(database: DatabaseSync): UsageReads {
  const selectRecords = database.prepare(
    `SELECT time, organisation, token, operation, resource, rows, bytes, request FROM record
     WHERE organisation = ? AND time >= ? AND time < ? ORDER BY time, id`,
  );
  const selectOrganisations = database.prepare(
    'SELECT DISTINCT organisation FROM used WHERE day BETWEEN ? AND ? ORDER BY organisation',
  );
  const selectUsedRows = database.prepare(
    `SELECT ifnull(sum(rows), 0) AS month, ifnull(sum(iif(day = ?, rows, 0)), 0) AS day
     FROM used WHERE organisation = ? AND day BETWEEN ? AND ?`,
  );

  return {
    read: ({ organisationId, from, to, groupBy, after, rowsMax }) => {
      // The names come from the table above, never from a request.
      const columns = groupBy.map((group) => COLUMNS[group]);
      const where = `day BETWEEN ? AND ?${organisationId === undefined ? '' : ' AND organisation = ?'}`;
      const values = [from, to, ...(organisationId === undefined ? [] : [organisationId])];
      const total = database.prepare(`SELECT ${SUMS} FROM used WHERE ${where}`).get(...values);
      const list = columns.join(', ');
      const behind = after === undefined ? '' : `AND (${list}) > (${columns.map(() => '?')})`;
      const rows = database
        .prepare(
          `SELECT ${list}, ${SUMS} FROM used WHERE ${where} ${behind}
           GROUP BY ${list} ORDER BY ${list} LIMIT ?`,
        )
        .all(...values, ...(after ?? []), rowsMax + 1);
      return {
        rows: rows.slice(0, rowsMax).map((row) => ({
          groups: columns.map((column) => readText(row, column)),
          ...readSums(row),
        })),
        hasMore: rows.length > rowsMax,
        total: readSums(total ?? {}),
      };
    },

    records: function* ({ organisationId, from, to }) {
      const [begin, end] = [Date.parse(from), Date.parse(to) + DAY_MS];
      for (const row of selectRecords.iterate(organisationId, begin, end)) yield toRecord(row);
    },

    organisations: ({ from, to }) =>
      selectOrganisations.all(from, to).map((row) => readText(row, 'organisation')),

    usedRows: (organisationId, day) => {
      const month = day.slice(0, 'YYYY-MM'.length);
      const row = selectUsedRows.get(day, organisationId, `${month}-01`, `${month}-31`) ?? {};
      return { day: readInteger(row, 'day'), month: readInteger(row, 'month') };
    },
  };
}

/** The sums of no rows are NULL. */
function readSums(row: SqliteRow): UsageSums {
  if (readInteger(row, 'parts') === 0) return { requests: 0, rows: 0, bytes: 0 };
  return {
    requests: readInteger(row, 'requests'),
    rows: readInteger(row, 'rows'),
    bytes: readInteger(row, 'bytes'),
  };
}

function toRecord(row: SqliteRow): UsageRecord {
  return {
    time: readInteger(row, 'time'),
    organisationId: readText(row, 'organisation'),
    tokenId: readText(row, 'token'),
    operation: readText(row, 'operation'),
    resource: readText(row, 'resource'),
    rows: readInteger(row, 'rows'),
    bytes: readInteger(row, 'bytes'),
    requestId: readText(row, 'request'),
  };
}
