import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { REPORT_FILE, VERSION_FILE } from './data-directory.ts';
import { readDerived } from './own-derived.ts';
import type { ReadOptions } from './read-version.ts';
import { readVersionFile, summarizeFile, type VersionFile } from './version-file.ts';

export type VerifiedVersion = {
  /** The size of its checked files. */
  readonly bytes: number;
  /** The problem of the version, as a sentence; absent if it is intact. */
  readonly problem?: string;
};

/**
 * Checks the files of a version against the sizes and checksums recorded at its publish, or only against
 * the sizes. Damage is returned, not thrown.
 */
export function verifyVersion(
  directory: string,
  options: VerifyOptions & {
    /** Whether the content is checked too. */
    readonly content: boolean;
  },
): Promise<VerifiedVersion> {
  return verifyFiles(directory, ({ files }) => files, options);
}

/** Checks the derived files of a version: without a problem they are as they were written. */
export function verifyDerived(
  directory: string,
  options: VerifyOptions = {},
): Promise<VerifiedVersion> {
  const filesOf = (file: VersionFile) => readDerived(directory, file);
  return verifyFiles(directory, filesOf, { ...options, content: true });
}

type VerifyOptions = {
  /** Called with the progress, from 0 to 1. */
  readonly onFraction?: (fraction: number) => void;
  readonly signal?: AbortSignal | undefined;
} & ReadOptions;

async function verifyFiles(
  directory: string,
  filesOf: (file: VersionFile) => VersionFile['files'],
  options: VerifyOptions & { readonly content: boolean },
): Promise<VerifiedVersion> {
  let bytes = 0;
  try {
    const file = readVersionFile(directory);
    if (file === undefined) return { bytes, problem: `${VERSION_FILE} is missing.` };
    const { dataset, version } = file.version;
    if (version !== basename(directory) || dataset.name !== basename(dirname(directory))) {
      return { bytes, problem: `${VERSION_FILE} is that of ${dataset.name} ${version}.` };
    }
    const files = filesOf(file);
    const progress = countProgress(files, options.onFraction);
    for (const [name, written] of Object.entries(files)) {
      options.signal?.throwIfAborted();
      const path = join(directory, name);
      const isOptional = options.isInDatabase === true && name !== REPORT_FILE;
      if (isOptional && !(await isThere(path))) continue;
      const size = (await stat(path)).size;
      bytes += size;
      if (size !== written.bytes) {
        return { bytes, problem: `${name} has ${size} bytes instead of ${written.bytes}.` };
      }
      // The engine would apply such a file to the data file.
      if (await isThere(`${path}.wal`)) {
        return {
          bytes,
          problem: `There is a file ${name}.wal next to ${name}, which the engine would apply to it.`,
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

/** Converts the progress of all files into one fraction. */
function countProgress(
  files: VersionFile['files'],
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
  // A file without a checksum, from an earlier release, can be any JSON.
  if (error instanceof TypeError) return `${VERSION_FILE} was not written by locmetrics.`;
  if (!(error instanceof Error && 'code' in error && 'path' in error)) throw error;
  const name = basename(String(error.path));
  return error.code === 'ENOENT' ? `${name} is missing.` : `${name} cannot be read: ${error.code}.`;
}
