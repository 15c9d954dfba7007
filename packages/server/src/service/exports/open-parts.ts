import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenFile } from '@locmetrics/core/domain/records-export';
import type { NamedColumn } from '@locmetrics/core/domain/value-visitor';
import { releaseBuffer } from '@locmetrics/core/encoding/buffer-pool';
import type { RecordLineFormat } from '@locmetrics/core/encoding/record-lines';
import { syncDirectory } from '@locmetrics/data-directory/files/durable-file';
import type { StreamPiece } from '../read-ahead.ts';

/** The files of an export while they are written. Each is whole by itself, with its head and its tail. */
export type ExportParts = {
  /** Returns the number of bytes that were written. */
  readonly add: (piece: StreamPiece) => Promise<number>;
  /** Completes the last file. All are on the disk then. */
  readonly finish: () => Promise<readonly WrittenFile[]>;
  /** The size of all files. */
  readonly bytes: () => number;
  /** Closes the open file, which stays incomplete. */
  readonly close: () => Promise<void>;
};

type OpenPart = {
  readonly handle: FileHandle;
  readonly name: string;
  readonly createdMs: number;
  bytes: number;
  rows: number;
};

/** A file ends before a piece with which it would exceed `partMaxBytes`. */
export function openParts({
  folder,
  prefix,
  extension,
  encoding: { head, lines, tail },
  columns,
  partMaxBytes,
}: {
  readonly folder: string;
  readonly prefix: string;
  readonly extension: string;
  readonly encoding: RecordLineFormat;
  readonly columns: readonly NamedColumn[];
  readonly partMaxBytes: number;
}): ExportParts {
  const written: WrittenFile[] = [];
  let current: OpenPart | undefined;
  let bytesWritten = 0;

  const write = async (part: OpenPart, bytes: Uint8Array): Promise<void> => {
    await part.handle.writeFile(bytes);
    part.bytes += bytes.length;
    bytesWritten += bytes.length;
  };
  const begin = async (): Promise<OpenPart> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${prefix}${written.length}.${extension}`;
    const handle = await open(join(folder, name), 'wx', 0o600);
    current = { handle, name, createdMs: Date.now(), bytes: 0, rows: 0 };
    await write(current, head(columns));
    return current;
  };
  const end = async (part: OpenPart): Promise<void> => {
    await write(part, Buffer.from(tail));
    await part.handle.sync();
    await part.handle.close();
    current = undefined;
    const { name, bytes: sizeBytes, createdMs } = part;
    written.push({ name, sizeBytes, createdMs, updatedMs: Date.now() });
  };
  const encode = (piece: StreamPiece, isFirst: boolean): Buffer | Promise<Buffer> =>
    'bytes' in piece ? piece.bytes : lines(columns, piece, isFirst);

  return {
    add: async (piece) => {
      const before = bytesWritten;
      let part = current ?? (await begin());
      let bytes = await encode(piece, part.rows === 0);
      if (part.rows > 0 && part.bytes + bytes.length + tail.length > partMaxBytes) {
        await end(part);
        part = await begin();
        releaseBuffer(bytes);
        // In some formats the first record of a file is written otherwise.
        bytes = await encode(piece, true);
      }
      await write(part, bytes);
      part.rows += piece.size;
      releaseBuffer(bytes);
      return bytesWritten - before;
    },
    finish: async () => {
      await end(current ?? (await begin()));
      await syncDirectory(folder);
      return written;
    },
    bytes: () => bytesWritten,
    close: async () => {
      await current?.handle.close();
      current = undefined;
    },
  };
}
