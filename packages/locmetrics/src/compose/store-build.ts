import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { NewerFormatError } from '@locmetrics/data-directory/files/parse-format';
import { readSchemaVersion } from '@locmetrics/data-directory/sqlite/read-schema-version';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import { CONTROL_SCHEMA } from '@locmetrics/server/auth/control-schema';
import { USAGE_SCHEMA } from '@locmetrics/server/metering/usage-schema';
import { buildText, readBuildInfo } from './build-info.ts';

/** The name of the file in a data directory that says which build wrote it last. */
const BUILD_FILE = 'build.json';

/** Writes into a data directory which build uses it, if another one did. A full disk prevents no command. */
export function recordBuild({ root }: Pick<DataDirectory, 'root'>): void {
  const text = `${JSON.stringify({ format: 1, ...readBuildInfo() })}\n`;
  const path = join(root, BUILD_FILE);
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // There is none yet.
  }
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch {
    // A later write of the command itself fails with a message.
  }
}

/**
 * Refuses a data directory with a file in a newer format than this build knows, before anything in it is opened or
 * written. All other problems are reported by the part that needs the file.
 */
export function refuseNewerStore(directory: DataDirectory): void {
  for (const [path, { migrations }] of [
    [directory.control, CONTROL_SCHEMA],
    [directory.usage.store, USAGE_SCHEMA],
  ] as const) {
    const version = readSchemaVersion(path) ?? 0;
    if (version <= migrations.length) continue;
    throw newer(
      directory,
      `${path} was written by a newer version of locmetrics: its schema is ${version}, and this version knows those up to ${migrations.length}.`,
    );
  }
  try {
    for (const [name, { version }] of Object.entries(readCurrentFile(directory.current).datasets)) {
      readVersionFile(directory.version(name, version));
    }
  } catch (error) {
    if (error instanceof NewerFormatError) throw newer(directory, error.message);
  }
}

function newer(directory: DataDirectory, message: string): DataDirectoryError {
  return new DataDirectoryError(
    `${message} Nothing was changed.`,
    `The data directory was last written by ${writtenBy(directory)}; this is ${buildText()}. Run that version, or restore the backup that was made before the update: see docs/how-to/back-up-and-restore.md.`,
  );
}

/** The build that wrote a data directory last. */
function writtenBy({ root }: DataDirectory): string {
  try {
    const { version, commit, date } = JSON.parse(readFileSync(join(root, BUILD_FILE), 'utf8'));
    return buildText({ version: String(version), commit: String(commit), date: String(date) });
  } catch {
    return 'an unknown version';
  }
}
