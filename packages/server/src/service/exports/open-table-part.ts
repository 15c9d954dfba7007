import { stat } from 'node:fs/promises';
import type { TypedColumn, ValueVisitor } from '@locmetrics/core/domain/value-visitor';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { OpenTableFile } from '@locmetrics/core/storage/table-file';
import { syncFile } from '@locmetrics/data-directory/files/durable-file';
import type { StreamPiece } from '../streams/read-ahead.ts';
import type { ExportPart } from './open-parts.ts';

/**
 * Opens a Parquet file. Its size is not known before it is complete: it ends before its values have more bytes than it
 * may, and compressed they have fewer.
 */
export async function openTablePart(
  path: string,
  {
    columns,
    metadata,
    openFile,
    signal,
    bytesMax,
  }: {
    readonly columns: readonly TypedColumn[];
    readonly metadata: Readonly<Record<string, string>>;
    readonly openFile: OpenTableFile;
    readonly signal: StopSignal;
    readonly bytesMax: number;
  },
): Promise<ExportPart> {
  const file = await openFile({ path, columns, metadata, signal });
  let bytes = 0;
  let rows = 0;
  return {
    add: async (piece) => {
      if ('bytes' in piece) throw new Error('A table is written of values, not of lines.');
      const more = bytesOf(piece);
      if (rows > 0 && bytes + more > bytesMax) return false;
      await file.add(piece);
      bytes += more;
      rows += piece.size;
      return true;
    },
    bytes: () => bytes,
    finish: async () => {
      await file.finish();
      await syncFile(path);
      const { size } = await stat(path);
      bytes = size;
      return size;
    },
    close: file.abort,
  };
}

/** The bytes of the values of records as Parquet has them, before it compresses them. */
function bytesOf({ size, visit }: Exclude<StreamPiece, { readonly bytes: Buffer }>): number {
  let bytes = 0;
  const visitor: ValueVisitor = {
    text: (_field, _bytes, start, end) => {
      bytes += TEXT_LENGTH_BYTES + end - start;
    },
    number: () => {
      bytes += NUMBER_BYTES;
    },
    day: () => {
      bytes += NUMBER_BYTES;
    },
    value: (_field, value) => {
      bytes +=
        typeof value === 'string' ? TEXT_LENGTH_BYTES + Buffer.byteLength(value) : NUMBER_BYTES;
    },
  };
  for (let index = 0; index < size; index += 1) visit(index, visitor);
  return bytes;
}

const TEXT_LENGTH_BYTES = 4;
const NUMBER_BYTES = 8;
