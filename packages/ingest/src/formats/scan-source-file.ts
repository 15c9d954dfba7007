import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { sizeText } from '@locmetrics/core/errors/size-text';
import { type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { lineOfOffset, readLineAt } from './line-of-offset.ts';
import { openRowMeter, QUOTED_LINES_MAX, type RowSyntax } from './row-meter.ts';
import {
  CHUNK_BYTES,
  type ImportedFile,
  namedPath,
  openChunks,
  type SourceFile,
} from './source-file.ts';
import { openUtf8Meter, type WrongByte } from './utf8-meter.ts';

export type SourceScan = {
  readonly imported: ImportedFile;
  /** The decompressed size. */
  readonly unpackedBytes: number;
  /** The first bytes that are not UTF-8; always empty for a binary format. */
  readonly wrongBytes: readonly WrongByte[];
  /** Whether a CSV file has a quote that neither opens nor closes a value. */
  readonly hasStrayQuote: boolean;
  /** The offset of the last row of a CSV file, if it has a quote that is not closed. */
  readonly openRow: number | undefined;
};

export type ScanLimits = {
  /** The limit of a gzip or zip file, decompressed. */
  readonly unpackedBytesMax: number;
  /** The limit of a file that is one document, because the engine keeps it in memory. */
  readonly documentBytesMax: number;
};

/**
 * The maximum length of a row of a text format: CSV, TSV, NDJSON, and GeoJSON with a Feature per line. A limit
 * is needed, because an unclosed quote turns the rest of the file into one value. It is also the default limit
 * of DuckDB for a JSON object.
 */
export const ROW_BYTES_MAX = 16 * 2 ** 20;

/**
 * Reads a file once before the engine, in bounded memory: computes the checksum, decompresses it, and refuses it
 * as soon as it exceeds a limit. The engine has no such limits. It keeps a long JSON line in memory several
 * times, and reads a long CSV line to its end. Without an error, it skips a CSV row that is larger than its
 * buffer, and accepts a truncated gzip file as complete.
 */
export async function scanSourceFile(
  file: SourceFile,
  syntax: RowSyntax | 'binary',
  limits: ScanLimits,
): Promise<{ readonly scan: SourceScan } | { readonly found: FoundProblems }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let unpackedBytes = 0;
  let passed: 'row' | 'quote' | 'bytes' | undefined;
  let rowStart = 0;
  const bytesMax = bytesMaxOf(file, syntax, limits);
  if (file.bytes > bytesMax) return { found: tooLargeFound(file, syntax, limits) };
  const rows = syntax === 'binary' ? undefined : openRowMeter(syntax, ROW_BYTES_MAX);
  const utf8 = syntax === 'binary' ? undefined : openUtf8Meter();
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      file.stop?.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
      file.onRead?.(bytes / file.bytes);
      yield chunk;
    }
  };
  const measured = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      file.stop?.throwIfAborted();
      unpackedBytes += chunk.length;
      if (unpackedBytes > bytesMax) passed = 'bytes';
      const longRow = rows?.add(chunk);
      if (longRow !== undefined) {
        passed = 'row';
        rowStart = longRow;
      }
      const longQuote = rows?.longQuote();
      if (longQuote !== undefined && passed === undefined) {
        passed = 'quote';
        rowStart = longQuote;
      }
      // Leaving the loop destroys the input streams.
      if (passed !== undefined) return;
      utf8?.add(chunk);
    }
    utf8?.end();
  };
  const packed = openChunks(file);
  try {
    await (file.isGzip
      ? pipeline(packed, hashed, createGunzip({ chunkSize: CHUNK_BYTES }), measured)
      : pipeline(packed, hashed, measured));
  } catch (error) {
    file.stop?.throwIfAborted();
    // A pipeline whose last step returns early ends with its own error.
    if (passed === undefined) {
      const broken = brokenGzip(file, error);
      if (broken === undefined) throw error;
      return { found: broken };
    }
  }
  if (passed === 'row') return { found: await longRowFound(file, rowStart) };
  if (passed === 'quote') return { found: await longQuoteFound(file, rowStart) };
  if (passed === 'bytes') return { found: tooLargeFound(file, syntax, limits) };
  if (bytes !== file.bytes) return { found: changedFound(file) };
  return {
    scan: {
      imported: importedFile(file, hash.digest('hex')),
      unpackedBytes,
      wrongBytes: utf8?.wrongBytes ?? [],
      hasStrayQuote: rows?.hasStrayQuote() ?? false,
      openRow: rows?.openRow(),
    },
  };
}

function importedFile(file: SourceFile, sha256: string): ImportedFile {
  const { bytes, sha256: digest } = file.original ?? { bytes: file.bytes, sha256 };
  const etag = file.remote?.etag;
  return {
    path: namedPath(file),
    bytes,
    sha256: digest,
    ...(etag === undefined ? {} : { etag }),
  };
}

/** A problem if the file has changed since its inspection, because the checksum then belongs to other rows. */
export async function findChange(file: SourceFile): Promise<FoundProblems | undefined> {
  const { path, bytes, modifiedMs } = file.original ?? file;
  const { size, mtimeMs } = await stat(path);
  return size === bytes && mtimeMs === modifiedMs ? undefined : changedFound(file);
}

function changedFound(file: SourceFile): FoundProblems {
  return fileProblem(file, {
    reason: 'was changed while it was read',
    hint: 'Publish again when the file is complete.',
  });
}

async function longRowFound(file: SourceFile, rowStart: number): Promise<FoundProblems> {
  const long = fileProblem(file, {
    line: await lineOfOffset(file, rowStart),
    reason: 'the row is too long',
    hint: `A row has at most ${ROW_BYTES_MAX / 2 ** 20} MiB. The value may have an unclosed quote, which then includes the following lines.`,
  });
  return { ...long, isOfFile: true };
}

/** An open quote takes in the rows after it, up to the next quote, and can so become a valid text. */
async function longQuoteFound(file: SourceFile, offset: number): Promise<FoundProblems> {
  const { line, text } = await readLineAt(file, offset);
  const long = fileProblem(file, {
    line,
    value: text.split(/[\r\n]/)[0],
    reason: `opens a quote that spans more than ${QUOTED_LINES_MAX.toLocaleString('en-US')} lines`,
    hint: `Close the quote, and write a quote inside a quoted value twice. If the file has no quoted values, declare it: read: { quote: '' }.`,
  });
  return { ...long, isOfFile: true };
}

function bytesMaxOf(
  file: SourceFile,
  syntax: RowSyntax | 'binary',
  { unpackedBytesMax, documentBytesMax }: ScanLimits,
): number {
  return Math.min(
    syntax === 'document' ? documentBytesMax : Number.POSITIVE_INFINITY,
    file.isGzip ? unpackedBytesMax : Number.POSITIVE_INFINITY,
  );
}

export function tooLargeFound(
  file: SourceFile,
  syntax: RowSyntax | 'binary',
  { unpackedBytesMax, documentBytesMax }: ScanLimits,
): FoundProblems {
  if (syntax === 'document' && documentBytesMax <= unpackedBytesMax) return documentFound(file);
  return fileProblem(file, {
    reason: `is larger than ${sizeText(unpackedBytesMax)} when it is decompressed`,
    hint: 'Split the file, or raise the limit: --publish-unpacked SIZE.',
  });
}

/** A document that does not fit into the memory of the engine. */
export function documentFound(file: SourceFile): FoundProblems {
  return fileProblem(file, {
    reason: 'is one JSON document that is too large for the memory of the publish',
    hint: 'Write a Feature on each line instead, or allow more memory: --publish-memory SIZE.',
  });
}

/** The problem of a file that cannot be decompressed; undefined for any other error. */
export function brokenGzip(file: SourceFile, error: unknown): FoundProblems | undefined {
  if (!isZlibError(error)) return undefined;
  return fileProblem(file, {
    reason: `is not a complete gzip file (${error.message})`,
    hint: 'It was cut short or damaged: download or compress it again.',
  });
}

/** The errors of zlib have the codes Z_DATA_ERROR, Z_BUF_ERROR and similar. */
function isZlibError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('Z_')
  );
}
