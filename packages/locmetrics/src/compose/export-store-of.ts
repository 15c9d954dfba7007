import type { FileUse } from '@locmetrics/data-directory/sqlite/followed-file';
import type { ExportStore } from '@locmetrics/server/exports/export-store';
import { openExportStore } from '@locmetrics/server/exports/open-export-store';
import type { Config } from '../config/settings.ts';
import { areVersionsShared, type OpenedDirectory } from './open-data.ts';
import { CONTROL_ANSWER_TIMEOUT_MS } from './open-store-of-nodes.ts';

/** Whether this service has exports. Nodes have them if they share all versions, and can ask each other for files. */
export function hasExports(config: Config): boolean {
  const { exportSpaceBytes, control, nodeUrl } = config;
  return (
    exportSpaceBytes > 0 &&
    (control === undefined || (areVersionsShared(config) && nodeUrl !== undefined))
  );
}

/** Statements on exports take milliseconds; a scrape of the metrics waits for one. */
const STATEMENT_TIMEOUT_MS = 5_000;

/** Opens the exports of the settings: in the data directory, or in the PostgreSQL that nodes share. */
export async function exportStoreOf(
  { config, directory }: OpenedDirectory,
  use: FileUse,
): Promise<ExportStore> {
  const { control, nodeUrl = '' } = config;
  if (control === undefined) return openExportStore(directory.exports.store, { use });
  const [{ openPostgres }, { openSharedExports }] = await Promise.all([
    import('@locmetrics/cluster/postgres/open-postgres'),
    import('@locmetrics/cluster/exports/open-shared-exports'),
  ]);
  const postgres = openPostgres(control, {
    connectionsMax: 2,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    answerTimeoutMs: CONTROL_ANSWER_TIMEOUT_MS,
  });
  return { ...openSharedExports({ postgres, node: nodeUrl }), close: postgres.close };
}
