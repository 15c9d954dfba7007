import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import { DAY_MS } from '@locmetrics/server/metering/usage-calendar';
import { USAGE_COLUMNS, type UsageSums } from '@locmetrics/server/metering/usage-query';
import type { UsageReads } from '@locmetrics/server/metering/usage-store';
import { usageOfAccount } from '@locmetrics/server/metering/viewing';
import type { Postgres, PostgresRow } from '../postgres/open-postgres.ts';

const SUMS = `coalesce(sum(requests), 0)::bigint AS requests, coalesce(sum(rows), 0)::bigint AS rows,
  coalesce(sum(bytes), 0)::bigint AS bytes`;

/** Records are read in pieces, without a transaction that stays open while they are printed. */
const PIECE_RECORDS = 5000;

/** Queries the usage of all nodes. Throws a PostgresError. */
export function postgresReads(postgres: Pick<Postgres, 'query' | 'transaction'>): UsageReads {
  return {
    read: ({ organisationId, from, to, groupBy, after, rowsMax }) =>
      postgres.transaction(
        async (query) => {
          // The names come from a table, never from a request.
          const list = groupBy.map((group) => USAGE_COLUMNS[group]).join(', ');
          const where = 'day BETWEEN $1 AND $2 AND ($3::text IS NULL OR organisation = $3)';
          const values = [from, to, organisationId ?? null];
          const [total] = await query(`SELECT ${SUMS} FROM usage_sum WHERE ${where}`, values);
          const behind = groupBy.map((_, index) => `$${index + 5}`).join(', ');
          const rows = await query(
            `SELECT ${list}, ${SUMS} FROM usage_sum
             WHERE ${where} ${after === undefined ? '' : `AND (${list}) > (${behind})`}
             GROUP BY ${list} ORDER BY ${list} LIMIT $4`,
            [...values, rowsMax + 1, ...(after ?? [])],
          );
          return {
            rows: rows.slice(0, rowsMax).map((row) => ({
              groups: groupBy.map((group) => String(row[USAGE_COLUMNS[group]])),
              ...readSums(row),
            })),
            hasMore: rows.length > rowsMax,
            total: readSums(total ?? {}),
          };
        },
        { snapshot: true },
      ),

    records: async function* ({ organisationId, from, to }) {
      const end = Date.parse(to) + DAY_MS;
      let [time, id] = [Date.parse(from), 0];
      for (;;) {
        const rows = await postgres.query(
          `SELECT id, time, organisation, token, operation, resource, rows, bytes, request FROM usage_record
           WHERE organisation = $1 AND time < $2 AND (time, id) > ($3, $4)
           ORDER BY time, id LIMIT ${PIECE_RECORDS}`,
          [organisationId, end, time, id],
        );
        for (const row of rows) yield toRecord(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < PIECE_RECORDS) return;
        [time, id] = [Number(last['time']), Number(last['id'])];
      }
    },

    organisations: async ({ from, to }) => {
      const rows = await postgres.query(
        'SELECT DISTINCT organisation FROM usage_sum WHERE day BETWEEN $1 AND $2 ORDER BY organisation',
        [from, to],
      );
      return rows.map((row) => String(row['organisation']));
    },

    usedRows: async (account, day) => {
      const { organisationId, operations } = usageOfAccount(account);
      const month = day.slice(0, 'YYYY-MM'.length);
      const [row] = await postgres.query(
        `SELECT coalesce(sum(rows), 0)::bigint AS month,
           coalesce(sum(rows) FILTER (WHERE day = $1), 0)::bigint AS day
         FROM usage_sum WHERE organisation = $2 AND day BETWEEN $3 AND $4 AND ${operations}`,
        [day, organisationId, `${month}-01`, `${month}-31`],
      );
      return { day: Number(row?.['day']), month: Number(row?.['month']) };
    },
  };
}

function readSums(row: PostgresRow): UsageSums {
  return {
    requests: Number(row['requests']),
    rows: Number(row['rows']),
    bytes: Number(row['bytes']),
  };
}

function toRecord(row: PostgresRow): UsageRecord {
  return {
    time: Number(row['time']),
    organisationId: String(row['organisation']),
    tokenId: String(row['token']),
    operation: String(row['operation']),
    resource: String(row['resource']),
    rows: Number(row['rows']),
    bytes: Number(row['bytes']),
    requestId: String(row['request']),
  };
}
