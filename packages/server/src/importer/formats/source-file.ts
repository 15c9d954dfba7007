import { createReadStream, type ReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { FileFormat } from '../../manifest/manifest-schema.ts';
import type { RowProblem } from '../problems/import-error.ts';
import { nameFileKind } from './file-kind.ts';

/** An existing file of a dataset that may contain rows. */
export type SourceFile = {
  readonly path: string;
  /** The name in messages: the shortest that distinguishes it from the other files of the dataset. */
  readonly label: string;
  /** Its index among the files of the dataset, from 0. */
  readonly number: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly isGzip: boolean;
  /** Aborts all reading of the file. */
  readonly stop: AbortSignal | undefined;
};

/** Inspects a file without reading its rows: whether it exists, is gzipped, and could have the format. */
export async function inspectSourceFile(options: {
  readonly path: string;
  readonly label: string;
  readonly number: number;
  readonly dataset: string;
  readonly format: FileFormat;
  readonly stop: AbortSignal | undefined;
}): Promise<{ readonly file: SourceFile } | { readonly problem: RowProblem }> {
  const { path, label, number, format, stop } = options;
  const problem = (reason: string, hint: string) => ({ problem: { file: label, reason, hint } });
  const place = `datasets.${options.dataset}.files`;
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
  const isUtf16 =
    (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  if (isUtf16 && format !== 'parquet') return problem('is UTF-16, not UTF-8', SAVE_AS_UTF8);
  const { size: bytes, mtimeMs: modifiedMs } = status;
  return { file: { path, label, number, bytes, modifiedMs, isGzip, stop } };
}

export const SAVE_AS_UTF8 = 'Save the file as UTF-8.';

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

/** The paths of the files relative to their deepest common folder. */
export function fileLabels(paths: readonly string[]): readonly string[] {
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
