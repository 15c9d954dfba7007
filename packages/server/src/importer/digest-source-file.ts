import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { RowProblem } from './import-error.ts';
import type { SourceFile } from './source-file.ts';

/** What a file was when its rows were read, for the record of a version. */
export type ImportedFile = {
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal, of the bytes as they lie on disk. */
  readonly sha256: string;
};

/**
 * Takes the checksum of a file and, where it is packed, checks that it is whole: DuckDB reads a
 * truncated gzip file up to where it breaks off, and says nothing. It also looks whether the file
 * stayed as it was while its rows were read, so it is called beside the reading.
 */
export async function digestSourceFile(
  file: SourceFile,
  signal: AbortSignal | undefined,
): Promise<{ readonly imported: ImportedFile } | { readonly problem: RowProblem }> {
  const problem = (reason: string, hint: string) => ({
    problem: { file: file.label, reason, hint },
  });
  const hash = createHash('sha256');
  let bytes = 0;
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const packed = createReadStream(file.path, { highWaterMark: CHUNK_BYTES });
  const options = signal === undefined ? {} : { signal };
  try {
    await (file.isGzip
      ? pipeline(packed, hashed, createGunzip({ chunkSize: CHUNK_BYTES }), discard(), options)
      : pipeline(packed, hashed, discard(), options));
  } catch (error) {
    signal?.throwIfAborted();
    const broken = brokenGzip(file, error);
    if (broken === undefined) throw error;
    return { problem: broken };
  }
  const { size, mtimeMs } = await stat(file.path);
  if (bytes !== file.bytes || size !== file.bytes || mtimeMs !== file.modifiedMs) {
    return problem('was changed while it was read', 'Import it again once it is written.');
  }
  return { imported: { path: file.path, bytes, sha256: hash.digest('hex') } };
}

const CHUNK_BYTES = 2 ** 20;

function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** What to say of an error met in unpacking a file; undefined when it is another error. */
export function brokenGzip(file: SourceFile, error: unknown): RowProblem | undefined {
  if (!isZlibError(error)) return undefined;
  return {
    file: file.label,
    reason: `is not a whole gzip file (${error.message})`,
    hint: 'It was cut short or damaged on its way: fetch or pack it again.',
  };
}

/** The errors of zlib have the codes Z_DATA_ERROR, Z_BUF_ERROR and the like. */
function isZlibError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('Z_')
  );
}
