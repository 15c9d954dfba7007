import type { DatabaseSync } from 'node:sqlite';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import {
  readInteger,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import { DAY_MS } from './usage-calendar.ts';
import { USAGE_COLUMNS, type UsageSums } from './usage-query.ts';
import type { UsageReads } from './usage-store.ts';
import { usageOfAccount } from './viewing.ts';

const SUMS = 'count(*) AS parts, sum(requests) AS requests, sum(rows) AS rows, sum(bytes) AS bytes';

export function prepareReads(database: DatabaseSync): UsageReads {
  const selectRecords = database.prepare(
    `SELECT time, organisation, token, operation, resource, rows, bytes, request FROM record
     WHERE organisation = ? AND time >= ? AND time < ? ORDER BY time, id`,
  );
  const selectOrganisations = database.prepare(
    'SELECT DISTINCT organisation FROM used WHERE day BETWEEN ? AND ? ORDER BY organisation',
  );

  return {
    read: async ({ organisationId, from, to, groupBy, after, rowsMax }) => {
      // The names come from the table above, never from a request.
      const columns = groupBy.map((group) => USAGE_COLUMNS[group]);
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

    records: async function* ({ organisationId, from, to }) {
      const [start, end] = [Date.parse(from), Date.parse(to) + DAY_MS];
      for (const row of selectRecords.iterate(organisationId, start, end)) yield toRecord(row);
    },

    organisations: async ({ from, to }) =>
      selectOrganisations.all(from, to).map((row) => readText(row, 'organisation')),

    usedRows: async (account, day) => {
      const { organisationId, operations } = usageOfAccount(account);
      const month = day.slice(0, 'YYYY-MM'.length);
      const select = database.prepare(
        `SELECT ifnull(sum(rows), 0) AS month, ifnull(sum(iif(day = ?, rows, 0)), 0) AS day
         FROM used WHERE organisation = ? AND day BETWEEN ? AND ? AND ${operations}`,
      );
      const row = select.get(day, organisationId, `${month}-01`, `${month}-31`) ?? {};
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
