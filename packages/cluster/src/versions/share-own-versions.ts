import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import {
  type CurrentFile,
  readCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { whileNoneSwitches } from '@locmetrics/data-directory/versions/switch-lock';
import type { Postgres } from '../postgres/open-postgres.ts';
import { readFiles, writeFiles } from './commit-switch.ts';
import { writeMirrorMark } from './mirror-mark.ts';
import { mirrorVersions } from './mirror-versions.ts';
import { migrateVersionStore } from './version-store-schema.ts';

/** Refuses a shared store that has other versions than the data directory, before anything is loaded for them. */
export async function expectShareable(postgres: Postgres, directory: DataDirectory): Promise<void> {
  await migrateVersionStore(postgres);
  const [row] = await postgres.query('SELECT content FROM current_versions');
  expectNothingElse(String(row?.['content'] ?? ''), readCurrentFile(directory.current), postgres);
}

/**
 * Copies what is current in a data directory, with the small files of its kept versions, into a shared store in which
 * nothing was published, in one transaction. Then the data directory is a mirror of it, and keeps its column files and row
 * files. After a kill in between, it can be called again.
 */
export async function shareOwnVersions(
  postgres: Postgres,
  directory: DataDirectory,
): Promise<void> {
  await whileNoneSwitches(directory, async () => {
    const current = readCurrentFile(directory.current);
    const files = await readFiles(listKept(directory, current));
    await postgres.transaction(async (query) => {
      const [row] = await query('SELECT content FROM current_versions FOR UPDATE');
      const content = String(row?.['content'] ?? '');
      expectNothingElse(content, current, postgres);
      if (content !== '') return;
      await writeFiles(query, files);
      await query('UPDATE current_versions SET content = $1, revision = revision + 1', [
        sealedText(current),
      ]);
    });
    // All files are compared with the first poll.
    await writeMirrorMark(directory, { storeId: '', number: null });
  });
  await mirrorVersions(postgres, directory, { isThorough: true });
}

function listKept(directory: DataDirectory, { datasets }: CurrentFile) {
  return Object.entries(datasets).flatMap(([datasetName, { kept }]) =>
    kept.map((version) => ({
      datasetName,
      version,
      folder: directory.version(datasetName, version),
    })),
  );
}

/** The same content is that of an earlier attempt. */
function expectNothingElse(
  content: string,
  current: CurrentFile,
  { address }: Pick<Postgres, 'address'>,
): void {
  if (content === '' || content === sealedText(current)) return;
  throw new DataDirectoryError(
    `PostgreSQL at ${address} already has versions that nodes share. Those of another data directory cannot be added.`,
    'Name another data directory with --data, and publish the datasets again.',
  );
}
