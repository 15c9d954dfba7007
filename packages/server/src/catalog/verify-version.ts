import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { VERSION_FILE } from './data-directory.ts';
import { DataDirectoryError } from './data-directory-error.ts';
import { readVersionFile, summarizeFile, type VersionFile } from './version-file.ts';

export type VerifiedVersion = {
  /** Of its files, as far as they were looked at. */
  readonly bytes: number;
  /** What is wrong with it, as a sentence; absent: nothing. */
  readonly problem?: string;
};

/**
 * Checks the files of a version against what was written down when it was published: all that they
 * hold, or their sizes alone. What is damaged is told and not thrown.
 */
export async function verifyVersion(
  directory: string,
  options: {
    /** Whether the files are read. */
    readonly content: boolean;
    /** Told how far it is, from 0 to 1. */
    readonly onFraction?: (fraction: number) => void;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<VerifiedVersion> {
  let bytes = 0;
  try {
    const file = readVersionFile(directory);
    if (file === undefined) return { bytes, problem: `${VERSION_FILE} is missing.` };
    const { dataset, version } = file.version;
    if (version !== basename(directory) || dataset.name !== basename(dirname(directory))) {
      return { bytes, problem: `${VERSION_FILE} is that of ${dataset.name} ${version}.` };
    }
    const progress = countProgress(file, options.onFraction);
    for (const [name, written] of Object.entries(file.files)) {
      options.signal?.throwIfAborted();
      const path = join(directory, name);
      const size = (await stat(path)).size;
      bytes += size;
      if (size !== written.bytes) {
        return { bytes, problem: `${name} has ${size} bytes and not ${written.bytes}.` };
      }
      // The engine would read such a file as changes that the other lacks.
      if (await isThere(`${path}.wal`)) {
        return {
          bytes,
          problem: `${name}.wal lies beside ${name}, and would change what is read.`,
        };
      }
      if (!options.content) continue;
      const { sha256 } = await summarizeFile(path, { ...progress, signal: options.signal });
      if (sha256 !== written.sha256) {
        return { bytes, problem: `${name} does not have the content with which it was published.` };
      }
    }
    return { bytes };
  } catch (error) {
    options.signal?.throwIfAborted();
    return { bytes, problem: problemOf(error) };
  }
}

/** Turns the parts of all files into one fraction. */
function countProgress(
  { files }: VersionFile,
  onFraction: (fraction: number) => void = () => {},
): { readonly onBytes: (bytes: number) => void } {
  const total = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  return {
    onBytes: (bytes) => {
      read += bytes;
      onFraction(read / total);
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function problemOf(error: unknown): string {
  if (error instanceof DataDirectoryError) return error.message;
  // A file of before there were checksums can be JSON of any shape.
  if (error instanceof TypeError) return `${VERSION_FILE} is not what locmetrics writes.`;
  if (!(error instanceof Error && 'code' in error && 'path' in error)) throw error;
  const name = basename(String(error.path));
  return error.code === 'ENOENT' ? `${name} is missing.` : `${name} cannot be read: ${error.code}.`;
}
