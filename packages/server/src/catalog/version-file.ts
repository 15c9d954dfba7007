import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatasetVersion } from '../domain/dataset.ts';
import { VERSION_FILE } from './data-directory.ts';
import { parseFormat } from './parse-format.ts';

/** What lies beside the data of a version: what it is, and what its files and sources hold. */
export type VersionFile = {
  readonly format: 1;
  readonly version: DatasetVersion;
  /** Files of the version by name. */
  readonly files: Readonly<Record<string, FileSummary>>;
  /** Files the rows were read from. */
  readonly sources: readonly (FileSummary & { readonly path: string })[];
};

export type FileSummary = {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

/** Size and checksum of a file of a version. */
export async function summarizeFile(path: string): Promise<FileSummary> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Reads the version in a folder; undefined when the folder is gone. */
export function readVersionFile(directory: string): VersionFile | undefined {
  const path = join(directory, VERSION_FILE);
  const text = readIfPresent(path);
  if (text === undefined) return undefined;
  // Written whole before the folder got its name, and never changed.
  const file = parseFormat(text, { path, hint: DAMAGED_HINT }) as WrittenVersionFile;
  return { ...file, version: { layers: [], metrics: [], ...file.version } };
}

const DAMAGED_HINT =
  'Restore it from a backup, or remove its folder and publish the dataset again.';

/** What a file can hold: before there were layers and metrics it was written without them. */
type WrittenVersionFile = Omit<VersionFile, 'version'> & {
  readonly version: Omit<DatasetVersion, 'layers' | 'metrics'> &
    Partial<Pick<DatasetVersion, 'layers' | 'metrics'>>;
};

export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
