import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import { addUpRecords } from '@locmetrics/server/metering/add-up-records';
import type { Chunk, MergeTarget } from '@locmetrics/server/metering/merge-segments';
import type { Postgres } from '../postgres/open-postgres.ts';

/**
 * Merges into the tables of PostgreSQL. If the connection is lost during a commit, it is not known whether it was made.
 * The next attempt waits for the lock of the segment, and then reads how far it is merged.
 */
export function postgresTarget(postgres: Pick<Postgres, 'query' | 'transaction'>): MergeTarget {
  return {
    mergedBytes: async (names) => {
      const rows = await postgres.query(
        'SELECT name, merged_bytes FROM usage_segment WHERE name = ANY($1::text[])',
        [names],
      );
      return new Map(rows.map((row) => [String(row['name']), Number(row['merged_bytes'])]));
    },
    addChunk: (name, read) =>
      postgres.transaction(async (query) => {
        const [row] = await query(LOCK_SEGMENT, [name]);
        const chunk = read(Number(row?.['merged_bytes']));
        if (chunk !== undefined) await query(ADD_CHUNK, valuesOf(name, chunk));
        return chunk;
      }),
    forget: async (names) => {
      await postgres.query(
        'UPDATE usage_segment SET removed_at = now() WHERE name = ANY($1::text[])',
        [names],
      );
    },
  };
}

/**
 * Locks the row of a segment, and reads it as it is once the lock is held. A file is removed after its commit, so that
 * commit must be on the disk of the database.
 */
const LOCK_SEGMENT = `INSERT INTO usage_segment AS segment (name, merged_bytes) VALUES ($1, 0)
  ON CONFLICT (name) DO UPDATE SET removed_at = NULL
  RETURNING merged_bytes, CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN set_config('synchronous_commit', 'on', true) END`;

/**
 * One statement, so that the locks of the sums are held for a moment. They are taken in the order of the keys, because
 * otherwise two nodes could wait for each other.
 */
const ADD_CHUNK = `WITH merged AS (
    UPDATE usage_segment SET merged_bytes = $2 WHERE name = $1
  ), added AS (
    INSERT INTO usage_record (time, organisation, token, operation, resource, rows, bytes, request)
    SELECT * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::bigint[], $10::text[])
  )
  INSERT INTO usage_sum AS sum (organisation, day, token, operation, resource, requests, rows, bytes)
  SELECT * FROM unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::bigint[], $17::bigint[], $18::bigint[])
  ON CONFLICT (organisation, day, token, operation, resource) DO UPDATE SET
    requests = sum.requests + excluded.requests,
    rows = sum.rows + excluded.rows,
    bytes = sum.bytes + excluded.bytes`;

function valuesOf(name: string, { lines, endBytes }: Chunk): readonly unknown[] {
  const records = lines.map(withStorableTexts);
  const sums = addUpRecords(records);
  return [
    ...[name, endBytes],
    ...RECORD_NAMES.map((column) => records.map((record) => record[column])),
    ...[0, 1, 2, 3, 4].map((part) => sums.map(({ parts }) => parts[part])),
    ...SUM_NAMES.map((column) => sums.map((sum) => sum[column])),
  ];
}

const RECORD_NAMES = [
  'time',
  'organisationId',
  'tokenId',
  'operation',
  'resource',
  'rows',
  'bytes',
  'requestId',
] as const;
const SUM_NAMES = ['requests', 'rows', 'bytes'] as const;

/**
 * A text of PostgreSQL has no zero character, and the key of an index a limited length. The service writes neither, but
 * a damaged line must not block the lines after it.
 */
const TEXT_MAX_LENGTH = 200;

function withStorableTexts(record: UsageRecord): UsageRecord {
  const { organisationId, tokenId, operation, resource, requestId } = record;
  return {
    ...record,
    organisationId: storable(organisationId),
    tokenId: storable(tokenId),
    operation: storable(operation),
    resource: storable(resource),
    requestId: storable(requestId),
  };
}

function storable(text: string): string {
  const short = text.length > TEXT_MAX_LENGTH ? text.slice(0, TEXT_MAX_LENGTH) : text;
  return short.replaceAll('\0', '\uFFFD');
}
