import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import {
  type CurrentFile,
  NOTHING_CURRENT,
  parseCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import {
  EXTENTS_FILE,
  REPORT_FILE,
  VERSION_FILE,
} from '@locmetrics/data-directory/versions/data-directory';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import type { ChangedFiles } from '@locmetrics/data-directory/versions/version-store';
import { WITHDRAWN_FILE, withdrawnText } from '@locmetrics/data-directory/versions/withdrawn-mark';
import type { Postgres, RunStatement } from '../postgres/open-postgres.ts';
import { isAway, PostgresError } from '../postgres/postgres-error.ts';

/** The connection that held the switch lock was lost, and another process has switched. */
export class SwitchOvertakenError extends DataDirectoryError {}

/** The files of a version that all nodes need. Rows are not among them. */
const SHARED_FILES = [VERSION_FILE, REPORT_FILE, EXTENTS_FILE] as const;

/**
 * Replaces what is current in one transaction, together with the files. It is refused if anything has changed since
 * `before` was read: the lock orders those that switch, but only this check is certain.
 */
export async function commitSwitch(
  postgres: Postgres,
  before: SharedCurrent,
  next: CurrentFile,
  files: ChangedFiles,
): Promise<SharedCurrent> {
  const added = await readFiles(files.added ?? []);
  const withdrawn = toRows(files.withdrawn);
  const changeId = randomUUID();
  const write = async (query: RunStatement): Promise<void> => {
    await expectRevision(query, before.revision);
    await expectAnnounced(query, files.added ?? []);
    await writeFiles(query, [...added, ...withdrawn]);
    await query('UPDATE current_versions SET content = $1, revision = revision + 1', [
      sealedText(next),
    ]);
    await noteUnkept(query, next);
    await query('INSERT INTO made_switch (id) VALUES ($1)', [changeId]);
    await query(`DELETE FROM made_switch WHERE time < clock_timestamp() - interval '1 day'`);
  };
  try {
    await postgres.transaction(write);
  } catch (error) {
    if (!(error instanceof PostgresError) || error.kind !== 'unsure') throw error;
    if (!(await wasMade(postgres, changeId, error))) throw error;
  }
  return { current: next, revision: before.revision + 1 };
}

type FileRow = LeasedVersion & { readonly name: string; readonly content: string };

/** The shared files of versions, from their folders. */
export async function readFiles(
  added: NonNullable<ChangedFiles['added']>,
): Promise<readonly FileRow[]> {
  const rows: FileRow[] = [];
  for (const { folder, datasetName, version } of added) {
    const there = await readdir(folder);
    for (const name of SHARED_FILES) {
      if (!there.includes(name)) continue;
      const content = await readFile(join(folder, name), 'utf8');
      rows.push({ datasetName, version, name, content });
    }
  }
  return rows;
}

function toRows(withdrawn: ChangedFiles['withdrawn']): readonly FileRow[] {
  if (withdrawn === undefined) return [];
  const content = withdrawnText(withdrawn.time);
  return withdrawn.versions.map((one) => ({ ...one, name: WITHDRAWN_FILE, content }));
}

/** Locks the row until the end of the transaction. */
async function expectRevision(query: RunStatement, revision: number): Promise<void> {
  const [row] = await query('SELECT revision FROM current_versions FOR UPDATE');
  if (row?.['revision'] === revision) return;
  throw new SwitchOvertakenError(
    'Another process has switched versions after the connection to PostgreSQL was lost, so nothing was switched.',
    'Check the current versions, then try again: locmetrics versions',
  );
}

/** Without its lock another process may have removed what a publish has written. */
async function expectAnnounced(
  query: RunStatement,
  added: readonly LeasedVersion[],
): Promise<void> {
  for (const { datasetName, version } of added) {
    const rows = await query(
      `DELETE FROM announced_version WHERE dataset = $1 AND version = $2 AND NOT is_abandoned
       RETURNING version`,
      [datasetName, version],
    );
    if (rows.length > 0) continue;
    throw new DataDirectoryError(
      `The data of ${version} of ${datasetName} were removed, because its publish lost its connection to PostgreSQL.`,
      'Nothing was published. Publish again.',
    );
  }
}

export async function writeFiles(query: RunStatement, rows: readonly FileRow[]): Promise<void> {
  for (const { datasetName, version, name, content } of rows) {
    await query(
      `INSERT INTO version_file (dataset, version, name, content) VALUES ($1, $2, $3, $4)
       ON CONFLICT (dataset, version, name) DO UPDATE SET content = excluded.content`,
      [datasetName, version, name, content],
    );
  }
}

/** From now on the time runs after which a version can be removed. */
async function noteUnkept(query: RunStatement, { datasets }: CurrentFile): Promise<void> {
  const kept = Object.entries(datasets).flatMap(([dataset, one]) =>
    one.kept.map((version) => ({ dataset, version })),
  );
  await query(
    `INSERT INTO unkept_version (dataset, version)
     SELECT DISTINCT dataset, version FROM version_file
     WHERE (dataset, version) NOT IN (SELECT * FROM unnest($1::text[], $2::text[]))
     ON CONFLICT (dataset, version) DO NOTHING`,
    [kept.map(({ dataset }) => dataset), kept.map(({ version }) => version)],
  );
}

/**
 * Whether a change was made whose commit was not answered. The lock of the row waits for a transaction that has not ended
 * yet. As long as the database is away it is not known, which is what `error` says.
 */
async function wasMade(postgres: Postgres, changeId: string, error: unknown): Promise<boolean> {
  const giveUpAtMs = performance.now() + FIND_OUT_MS;
  for (;;) {
    try {
      return await postgres.transaction(async (query) => {
        await query('SELECT revision FROM current_versions FOR UPDATE');
        return (await query('SELECT id FROM made_switch WHERE id = $1', [changeId])).length > 0;
      });
    } catch (caught) {
      if (!isAway(caught)) throw caught;
      if (performance.now() > giveUpAtMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
  }
}

const FIND_OUT_MS = 20_000;
const TRY_AGAIN_MS = 250;

/** The current versions, and the number of their change. */
export type SharedCurrent = { readonly current: CurrentFile; readonly revision: number };

/** Reads what PostgreSQL has: a mirror may be behind. */
export async function readCurrent(
  postgres: Pick<Postgres, 'query' | 'address'>,
): Promise<SharedCurrent> {
  const [row] = await postgres.query('SELECT content, revision FROM current_versions');
  const text = String(row?.['content'] ?? '');
  const place = `current_versions in PostgreSQL at ${postgres.address}`;
  const current = text === '' ? NOTHING_CURRENT : parseCurrentFile(text, place);
  return { current, revision: Number(row?.['revision']) };
}
