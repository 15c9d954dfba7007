import { createReadStream, type ReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { FileFormat } from '../manifest/file-formats.ts';
import { isAddress, shownAddress } from '../manifest/source-address.ts';
import type { RowProblem } from '../problems/import-error.ts';
import { nameFileKind } from './file-kind.ts';
import { isPattern } from './list-source-files.ts';

/** An existing file of a dataset that may contain rows. */
export type SourceFile = {
  readonly path: string;
  /** The name in messages: the shortest that distinguishes it from the other files of the dataset. */
  readonly label: string;
  /** For the copy of a file at an address: its address without secrets, and its tag. */
  readonly remote?: { readonly address: string; readonly etag?: string | undefined } | undefined;
  /** Its index among the files of the dataset, from 0. */
  readonly number: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly isGzip: boolean;
  /** Whether it is a zip archive, of which one file is read. */
  readonly isZip: boolean;
  /** The number of its first line, which is above 1 if a copy leaves out the lines above the header. */
  readonly firstLine: number;
  /** The offset of its first byte in the original text. */
  readonly firstByte: number | undefined;
  /** The file on disk that this one is a copy of; absent: it is no copy. */
  readonly original?: ImportedFile & { readonly modifiedMs: number };
  /** For the copy of a sheet or of an array of JSON: the row of a line. */
  readonly rowOfLine?: (line: number) => number;
  /** Remarks for the owner, for example on lines that are not read. */
  readonly notices: readonly string[];
  /** Aborts all reading of the file. */
  readonly stop: AbortSignal | undefined;
  /** Is told how much of it was read, from 0 to 1, before the engine reads it. */
  readonly onRead?: ((fraction: number) => void) | undefined;
};

/** A source file, as recorded with its version. */
export type ImportedFile = {
  /** Or its address, without secrets. */
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal, of the bytes on disk. */
  readonly sha256: string;
  /** For an address: the tag of the server. */
  readonly etag?: string;
};

/** Inspects a file without reading its rows: whether it exists, is gzipped, and could have the format. */
export async function inspectSourceFile(options: {
  readonly path: string;
  readonly label: string;
  readonly remote?: SourceFile['remote'];
  readonly number: number;
  /** The place of its name in the manifest. */
  readonly manifestPlace: string;
  readonly format: FileFormat;
  readonly stop: AbortSignal | undefined;
}): Promise<{ readonly file: SourceFile } | { readonly problem: RowProblem }> {
  const { path, label, remote, number, manifestPlace: place, format, stop } = options;
  const problem = (reason: string, hint: string) => ({ problem: { file: label, reason, hint } });
  let start: Buffer;
  let status: Awaited<ReturnType<typeof stat>>;
  try {
    status = await stat(path);
    if (!status.isFile()) {
      return problem('is not a file', `Name a file under ${place} of the manifest: ${path}`);
    }
    start = await readStart(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' && isPattern(path)) {
      return problem(
        'matches no file',
        `Correct the pattern under ${place} of the manifest: ${path}`,
      );
    }
    return code === 'ENOENT'
      ? problem('does not exist', `Correct the name under ${place} of the manifest: ${path}`)
      : problem(`cannot be read (${String(code ?? error)})`, `Check the permissions of ${path}`);
  }
  const kind = nameFileKind(start, format);
  if (kind !== undefined) return problem(`is ${kind.name}, not ${format}`, kind.hint);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  if (!isGzip && path.toLowerCase().endsWith('.gz')) {
    return problem(
      'is not compressed with gzip, although its name ends with .gz',
      'Remove .gz from the name, or compress the file.',
    );
  }
  if (isGzip && format === 'parquet') {
    return problem(
      'is compressed with gzip',
      'Decompress it: Parquet files are already compressed inside.',
    );
  }
  const { size: bytes, mtimeMs: modifiedMs } = status;
  const isSheet = format === 'xlsx';
  const isZip = start.subarray(0, ZIP_MARK.length).equals(ZIP_MARK);
  if (isSheet && !isZip) {
    return problem('is not an Excel workbook', 'Save it as .xlsx, or declare its format.');
  }
  if (format === 'shapefile' && !isZip) {
    return problem(
      'is not a zip archive',
      'A shapefile is several files: put the .shp into a zip archive with its .dbf, .prj and .cpg.',
    );
  }
  const file = { path, label, remote, number, bytes, modifiedMs, isGzip, isZip, stop };
  return { file: { ...file, firstLine: 1, firstByte: 0, notices: [] } };
}

const ZIP_MARK = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

/** The length of the longest signature of a kind of file. */
const START_BYTES = 16;

async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The path of a file as it was named, or its address without secrets. */
export function namedPath({ remote, original, path }: SourceFile): string {
  return remote?.address ?? original?.path ?? path;
}

/** The paths of the files relative to their deepest common folder. Addresses are shown without their secrets. */
export function fileLabels(paths: readonly string[]): readonly string[] {
  const local = pathLabels(paths.filter((path) => !isAddress(path)));
  let next = 0;
  return paths.map((path) => {
    if (isAddress(path)) return shownAddress(path);
    next += 1;
    return local[next - 1] ?? path;
  });
}

function pathLabels(paths: readonly string[]): readonly string[] {
  let folder = dirname(paths[0] ?? '');
  while (!paths.every((path) => path.startsWith(folder.endsWith(sep) ? folder : folder + sep))) {
    if (dirname(folder) === folder) return paths;
    folder = dirname(folder);
  }
  return paths.map((path) => relative(folder, path) || basename(path));
}

/** The decompressed bytes of a file, until its end or the abort. */
export async function* readBytes(file: SourceFile): AsyncGenerator<Buffer> {
  const packed = openChunks(file);
  const unpacked = file.isGzip ? createGunzip({ chunkSize: CHUNK_BYTES }) : undefined;
  if (unpacked !== undefined) packed.on('error', (error) => unpacked.destroy(error));
  try {
    const chunks: AsyncIterable<Buffer> = unpacked === undefined ? packed : packed.pipe(unpacked);
    for await (const chunk of chunks) {
      file.stop?.throwIfAborted();
      file.onRead?.(packed.bytesRead / file.bytes);
      yield chunk;
    }
  } finally {
    packed.destroy();
  }
}

export const CHUNK_BYTES = 2 ** 20;

/** The bytes of a file as they are. A buffer is no larger than the file, so that small files cost little. */
export function openChunks(file: SourceFile): ReadStream {
  return createReadStream(file.path, { highWaterMark: Math.min(file.bytes + 1, CHUNK_BYTES) });
}
