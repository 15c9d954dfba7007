import { relative } from 'node:path';
import type { CurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type {
  CollectedGarbage,
  GarbageOptions,
} from '@locmetrics/data-directory/versions/version-store';
import type { Postgres, RunStatement } from '../postgres/open-postgres.ts';
import { isUsedBy, listNodes, REPORT_MARGIN_MS } from './node-reports.ts';
import { takeSharedLock } from './shared-lock.ts';

export type SharedDirectory = {
  readonly postgres: Postgres;
  readonly directory: DataDirectory;
  /**
   * How long a node may use a version after it is kept no more: how long it answers without news from PostgreSQL, and the
   * longest request, in milliseconds.
   */
  readonly usesForMs: number;
  /** Is added to it for late reports, and for clocks that run at different rates; default: 15,000. */
  readonly marginMs?: number | undefined;
  /** Has the records of the versions as tables; absent: there is none. */
  readonly database?: VersionDatabase | undefined;
};

/**
 * Removes the versions that no node can use any more, and the data of killed publishes. The data are removed first: if the
 * process is killed in between, the next removal finds the version again.
 */
export async function removeUnused(
  options: SharedDirectory,
  current: CurrentFile,
  garbage: GarbageOptions,
): Promise<CollectedGarbage> {
  const { postgres, database } = options;
  const { over, held } = await findUnused(options, current);
  if (over.length > 0) {
    for (const version of over) await database?.remove({ ...version, isLoading: false });
    await postgres.transaction(async (query) => {
      for (const { datasetName, version } of over) {
        const key = [datasetName, version];
        await query('DELETE FROM version_file WHERE dataset = $1 AND version = $2', key);
        await query('DELETE FROM unkept_version WHERE dataset = $1 AND version = $2', key);
      }
    });
  }
  // While a service runs, an interrupted load can still resume.
  if (!garbage.onlyKnown) await removeAbandoned(options, garbage);
  const pathOf = ({ datasetName, version }: LeasedVersion) => ({
    path: relative(options.directory.root, options.directory.version(datasetName, version)),
  });
  return {
    removed: over.map((version) => ({ ...pathOf(version), bytes: 0 })),
    held: held.map(pathOf),
  };
}

/**
 * A version can be removed when no node holds it that lives, and so much time has passed since it was kept that a node that
 * does not know of it refuses requests by now.
 */
async function findUnused(
  { postgres, usesForMs, marginMs = REPORT_MARGIN_MS }: SharedDirectory,
  { datasets }: CurrentFile,
): Promise<{ readonly over: readonly LeasedVersion[]; readonly held: readonly LeasedVersion[] }> {
  const over: LeasedVersion[] = [];
  const held: LeasedVersion[] = [];
  const nodes = await listNodes(postgres.query, { marginMs });
  const live = nodes.filter(({ isLive }) => isLive);
  const waitMs = Math.max(usesForMs, ...live.map((node) => node.usesForMs)) + marginMs;
  const unkept = await readUnkept(postgres.query);
  const isStarting = await isJustStarted(postgres.query, marginMs);
  for (const { age, ...version } of unkept) {
    // The row of a version that is kept is an error, and then nothing is removed.
    if (datasets[version.datasetName]?.kept.includes(version.version) === true) continue;
    const isUsed = age < waitMs || isStarting || live.some((node) => isUsedBy(node, version));
    (isUsed ? held : over).push(version);
  }
  return { over, held };
}

async function readUnkept(
  query: RunStatement,
): Promise<readonly (LeasedVersion & { readonly age: number })[]> {
  const rows = await query(
    `SELECT dataset, version, (extract(epoch FROM clock_timestamp() - since) * 1000)::float8 AS age
     FROM unkept_version ORDER BY dataset, version`,
  );
  return rows.map((row) => ({
    datasetName: String(row['dataset']),
    version: String(row['version']),
    age: Number(row['age']),
  }));
}

/** While the database was away no node could report, so all look dead at first. */
async function isJustStarted(query: RunStatement, marginMs: number): Promise<boolean> {
  const [row] = await query(
    `SELECT pg_postmaster_start_time() > clock_timestamp() - $1 * interval '1 ms' AS yes`,
    [marginMs],
  );
  return row?.['yes'] === true;
}

/** Versions that were announced, while no publish runs: its process was killed, or is cut off and can no longer switch. */
async function removeAbandoned(
  { postgres, database }: SharedDirectory,
  { isPublishing }: GarbageOptions,
): Promise<void> {
  const [row] = await postgres.query('SELECT count(*) AS count FROM announced_version');
  if (Number(row?.['count']) === 0) return;
  const lock = isPublishing ? undefined : await takeSharedLock(postgres, 'publish', 0);
  if (!isPublishing && lock === undefined) return;
  try {
    const rows = await postgres.query(
      'UPDATE announced_version SET is_abandoned = true RETURNING dataset, version',
    );
    const versions = rows.map(({ dataset, version }) => ({
      datasetName: String(dataset),
      version: String(version),
    }));
    for (const version of versions) {
      await database?.remove({ ...version, isLoading: true });
      await database?.remove({ ...version, isLoading: false });
    }
    await postgres.query('DELETE FROM announced_version WHERE is_abandoned');
  } finally {
    await lock?.release();
  }
}
