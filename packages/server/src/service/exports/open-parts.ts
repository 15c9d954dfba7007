import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenFile } from '@locmetrics/core/requests/export-job';
import { syncDirectory, writeDurably } from '@locmetrics/data-directory/files/durable-file';
import type { StreamPiece } from '../streams/read-ahead.ts';

/** The files of an export while they are written. Each is whole by itself. */
export type ExportParts = {
  /** Resolves to the number of bytes that were added. */
  readonly add: (piece: StreamPiece) => Promise<number>;
  /** Completes the last file. All are on the disk then, with a text beside them if one is given. */
  readonly finish: (licence: string | undefined) => Promise<readonly WrittenFile[]>;
  /** The size of all files. */
  readonly bytes: () => number;
  /** Ends the file that is not complete, which may be left. */
  readonly close: () => Promise<void>;
};

/** A file of an export while it is written. */
export type ExportPart = {
  /** Adds records; false if the file would become too large with them, and nothing was added. The first ones always fit. */
  readonly add: (piece: StreamPiece) => Promise<boolean>;
  /** The size so far, or about that. */
  readonly bytes: () => number;
  /** Completes the file, so that it is on the disk; resolves to its size. */
  readonly finish: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export type OpenPart = (path: string) => Promise<ExportPart>;

/** The text with the licences of the records, beside the files. */
export const LICENCE_FILE = 'LICENSE.txt';

export function openParts({
  folder,
  prefix,
  extension,
  openPart,
}: {
  readonly folder: string;
  readonly prefix: string;
  readonly extension: string;
  readonly openPart: OpenPart;
}): ExportParts {
  const written: WrittenFile[] = [];
  let current: { readonly part: ExportPart; readonly createdMs: number } | undefined;
  let bytesComplete = 0;
  const bytes = (): number => bytesComplete + (current?.part.bytes() ?? 0);
  const nameOfNext = (): string => `${prefix}${written.length}.${extension}`;
  const begin = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    current = { part: await openPart(join(folder, nameOfNext())), createdMs: Date.now() };
    return current;
  };
  const end = async ({ part, createdMs }: NonNullable<typeof current>): Promise<void> => {
    const name = nameOfNext();
    const sizeBytes = await part.finish();
    current = undefined;
    bytesComplete += sizeBytes;
    written.push({ name, sizeBytes, createdMs, updatedMs: Date.now() });
  };
  return {
    add: async (piece) => {
      const before = bytes();
      let open = current ?? (await begin());
      if (!(await open.part.add(piece))) {
        await end(open);
        open = await begin();
        await open.part.add(piece);
      }
      return Math.max(0, bytes() - before);
    },
    finish: async (licence) => {
      if (current !== undefined || written.length === 0) await end(current ?? (await begin()));
      if (licence !== undefined) await writeDurably(join(folder, LICENCE_FILE), licence);
      await syncDirectory(folder);
      return written;
    },
    bytes,
    close: async () => {
      await current?.part.close();
      current = undefined;
    },
  };
}
