import { type FileHandle, open, rm } from 'node:fs/promises';
import { metadataTexts } from '@locmetrics/core/domain/table-metadata';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { NewTableFile, OpenTableFile } from '@locmetrics/core/storage/table-file';
import type { Call } from '../service-context.ts';
import { type FileContext, inFilePlace } from './in-file-place.ts';
import type { TableStream } from './stream-records.ts';

/**
 * Writes a table to a Parquet file, which is removed at once and exists until it is closed. So nothing is left of it,
 * even if the process is killed while it is read. Refused: too many files at once, a missed deadline, a full disk.
 */
export async function writeTableFile(
  context: FileContext,
  { signal }: Pick<Call, 'signal'>,
  table: TableStream,
): Promise<FileHandle> {
  const { pieces, totalSize: rows = 0 } = table;
  try {
    return await inFilePlace(context, { signal, rows, end: 'parquet' }, async (path, stop) => {
      try {
        await write(table, { path, signal: stop, openFile: context.tableFiles.open });
        return await open(path);
      } finally {
        await rm(path, { force: true });
      }
    });
  } finally {
    await pieces.return();
  }
}

async function write(
  { columns, metadata: facts, pieces, copy }: TableStream,
  { path, signal, openFile }: FileToWrite,
): Promise<void> {
  const metadata = metadataTexts(facts);
  if (copy !== undefined) return copy({ path, metadata }, signal);
  const file = await openFile({ path, columns, metadata, signal });
  try {
    for await (const piece of pieces) {
      if ('bytes' in piece) throw new Error('A file is written of values, not of lines.');
      await file.add(piece);
    }
    await file.finish();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

type FileToWrite = Required<Pick<NewTableFile, 'path'>> & {
  readonly signal: StopSignal;
  readonly openFile: OpenTableFile;
};
