import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Period } from '@locmetrics/core/dates/period';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { readSealed } from '../files/sealed-json.ts';
import { VERSION_FILE } from './data-directory.ts';

/** The description file of a version, with summaries of its files and sources. */
export type VersionFile = {
  readonly format: 1;
  readonly version: DatasetVersion;
  /** The same in all versions of one publish; earlier releases wrote none. */
  readonly publish?: string;
  /** Files of the version by name. */
  readonly files: Readonly<Record<string, FileSummary>>;
  /**
   * Files that were made from the others, and can be made again; earlier releases wrote none. Without them
   * the version is whole, but slower.
   */
  readonly derived?: Readonly<Record<string, FileSummary>>;
  /** The source files of the rows with their paths or addresses, including those of the version that it is built upon. */
  readonly sources: readonly (FileSummary & { readonly path: string; readonly etag?: string })[];
  /** The version that it is built upon, and the replaced days; absent if it is built from scratch. */
  readonly base?: { readonly version: string; readonly replacedPeriod: Period | null } | undefined;
};

export type FileSummary = {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

/** Size and checksum of a file of a version. */
export async function summarizeFile(
  path: string,
  options: {
    /** Called for each part that was read. */
    readonly onBytes?: (bytes: number) => void;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<FileSummary> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) {
    options.signal?.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
    options.onBytes?.(chunk.length);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Reads the description file in a folder; undefined if there is none. */
export function readVersionFile(directory: string): VersionFile | undefined {
  const path = join(directory, VERSION_FILE);
  const text = readIfPresent(path);
  if (text === undefined) return undefined;
  const file = readSealed(text, { path, hint: DAMAGED_HINT });
  if (!isVersionFile(file)) {
    throw new DataDirectoryError(`${path} is damaged: it describes no version.`, DAMAGED_HINT);
  }
  return { ...file, version: { layers: [], metrics: [], ...file.version } };
}

/** The file is complete before its folder is renamed, so a file with the right structure is complete. */
function isVersionFile(file: object): file is WrittenVersionFile {
  return (
    'version' in file &&
    isObject(file.version) &&
    'dataset' in file.version &&
    isObject(file.version.dataset) &&
    'fields' in file.version.dataset &&
    Array.isArray(file.version.dataset.fields) &&
    'files' in file &&
    isObject(file.files)
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const DAMAGED_HINT =
  'Restore it from a backup, or remove its folder and publish the dataset again.';

/** The stored format: earlier releases wrote no checksum, layers and metrics. */
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
