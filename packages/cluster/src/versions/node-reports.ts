import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import {
  type LeasedVersion,
  leaseKey,
  readLeases,
} from '@locmetrics/data-directory/versions/version-lease';
import type { Postgres, PostgresRow, RunStatement } from '../postgres/open-postgres.ts';

/** Tells the other nodes, as long as it is open, which versions the processes of this one may use. */
export type NodeReports = {
  readonly id: string;
  /** Tells where this node is served from now on: URLs. The next report has them. */
  readonly describe: (addresses: readonly string[]) => void;
  /** Ends the reports: call it when no process of this node uses versions any more. */
  readonly close: () => Promise<void>;
};

export type NodeReportOptions = {
  readonly postgres: Postgres;
  readonly directory: DataDirectory;
  /** The version of Locmetrics. */
  readonly release: string;
  /** See `SharedVersionOptions`. */
  readonly usesForMs: number;
  /** Called with each report that fails. */
  readonly onFailed?: ((error: unknown) => void) | undefined;
};

const REPORT_EVERY_MS = 3_000;
/** For late reports, and for clocks that run at different rates. */
export const REPORT_MARGIN_MS = 15_000;
/** A node that has not reported for this long is forgotten. */
const FORGET_AFTER = '1 day';

/** The first report is made before it returns, unless it fails. */
export async function openNodeReports(options: NodeReportOptions): Promise<NodeReports> {
  const { postgres, onFailed = () => {} } = options;
  // Of this run, not of the data directory, which may be copied.
  const id = randomBytes(6).toString('hex');
  let addresses: readonly string[] = [];
  await report({ id, addresses }, options).catch(onFailed);
  let reporting: Promise<void> | undefined;
  const timer = setInterval(() => {
    reporting ??= report({ id, addresses }, options)
      .catch(onFailed)
      .finally(() => {
        reporting = undefined;
      });
  }, REPORT_EVERY_MS);
  timer.unref();
  return {
    id,
    describe: (given) => {
      addresses = given;
    },
    close: async () => {
      clearInterval(timer);
      await reporting;
      await postgres.query('DELETE FROM node WHERE id = $1', [id]).catch(onFailed);
    },
  };
}

/** Unknown leases, of a damaged file, are written as null: then all versions count as used. */
async function report(
  { id, addresses }: { readonly id: string; readonly addresses: readonly string[] },
  { postgres, directory, release, usesForMs }: NodeReportOptions,
): Promise<void> {
  const { versions } = readLeases(directory);
  const leased = versions === undefined ? null : JSON.stringify([...versions].sort());
  await postgres.query(
    `INSERT INTO node (id, host, release, uses_for_ms, leased, addresses, last_switch)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO UPDATE SET last_seen = clock_timestamp(), leased = excluded.leased,
       uses_for_ms = excluded.uses_for_ms, addresses = excluded.addresses, last_switch = excluded.last_switch`,
    [
      id,
      hostname(),
      release,
      Math.ceil(usesForMs),
      leased,
      JSON.stringify(addresses),
      readLastSwitch(directory),
    ],
  );
  await postgres.query(
    `DELETE FROM node WHERE last_seen < clock_timestamp() - interval '${FORGET_AFTER}'`,
  );
}

/** Null if `current.json` cannot be read: a mirror that is damaged, or about to be made. */
function readLastSwitch({ current }: DataDirectory): number | null {
  try {
    return readCurrentFile(current).lastSwitch;
  } catch (error) {
    if (error instanceof DataDirectoryError) return null;
    throw error;
  }
}

export type ReportedNode = {
  readonly id: string;
  readonly host: string;
  /** URLs; empty for a command, and for a service that does not listen yet. */
  readonly addresses: readonly string[];
  /** The version of Locmetrics. */
  readonly release: string;
  /** RFC 3339, UTC, by the clock of the database. */
  readonly started: string;
  readonly lastSeen: string;
  /** How long ago that was, in milliseconds. */
  readonly lastSeenAgeMs: number;
  /** Whether it has reported in time, so that what it has leased is not removed. */
  readonly isLive: boolean;
  readonly usesForMs: number;
  /** The number of the last switch in its mirror at its last report; null if it is not known. */
  readonly lastSwitch: number | null;
  /** `dataset/version`; null if it is not known. */
  readonly leased: readonly string[] | null;
};

/** The nodes that have reported within a day, the last one first. */
export async function listNodes(
  query: RunStatement,
  { marginMs = REPORT_MARGIN_MS }: { readonly marginMs?: number } = {},
): Promise<readonly ReportedNode[]> {
  const rows = await query(
    `SELECT id, host, release, uses_for_ms, leased, addresses, last_switch, ${timeSql('started')}, ${timeSql('last_seen')},
       (extract(epoch FROM clock_timestamp() - last_seen) * 1000)::float8 AS age,
       last_seen + (uses_for_ms + $1) * interval '1 ms' > clock_timestamp() AS is_live
     FROM node ORDER BY node.last_seen DESC`,
    [marginMs],
  );
  return rows.map(toNode);
}

export function isUsedBy({ isLive, leased }: ReportedNode, version: LeasedVersion): boolean {
  return isLive && (leased === null || leased.includes(leaseKey(version)));
}

function toNode(row: PostgresRow): ReportedNode {
  return {
    id: String(row['id']),
    host: String(row['host']),
    addresses: readTexts(row['addresses']) ?? [],
    release: String(row['release']),
    started: toTime(row['started']),
    lastSeen: toTime(row['last_seen']),
    lastSeenAgeMs: Math.max(0, Math.round(Number(row['age']))),
    isLive: row['is_live'] === true,
    usesForMs: Number(row['uses_for_ms']),
    lastSwitch: row['last_switch'] === null ? null : Number(row['last_switch']),
    leased: readTexts(row['leased']),
  };
}

function timeSql(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8 AS ${column}`;
}

function toTime(milliseconds: unknown): string {
  return new Date(Number(milliseconds)).toISOString();
}

function readTexts(text: unknown): readonly string[] | null {
  if (typeof text !== 'string') return null;
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.map(String) : null;
}
