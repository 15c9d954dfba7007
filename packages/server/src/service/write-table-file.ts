import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { metadataTexts } from '@locmetrics/core/domain/table-metadata';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { NewTableFile, OpenTableFile } from '@locmetrics/core/storage/table-file';
import { keepRoom } from './keep-room.ts';
import { openDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';
import type { TableStream } from './stream-records.ts';

/** How long a file may take beyond the time of a query, for each of its rows. */
const MS_PER_ROW = 0.05;

/**
 * Writes a table to a Parquet file, which is removed at once and exists until it is closed. So nothing is left of it,
 * even if the process is killed while it is read. Refused: too many files at once, a missed deadline, a full disk.
 */
export async function writeTableFile(
  {
    tableFiles,
    filePlaces,
    queryTimeoutMs,
  }: Pick<ServiceContext, 'tableFiles' | 'filePlaces' | 'queryTimeoutMs'>,
  { signal: callerSignal }: Pick<Call, 'signal'>,
  table: TableStream,
): Promise<FileHandle> {
  const { pieces, totalSize = 0 } = table;
  const timeoutMs = Math.min(TIMEOUT_MAX_MS, queryTimeoutMs + Math.ceil(totalSize * MS_PER_ROW));
  const path = join(tableFiles.folder, `${randomUUID()}.parquet`);
  try {
    const deadline = openDeadline({ callerSignal, timeoutMs });
    try {
      const { signal } = deadline;
      const place = await filePlaces.acquire(signal);
      try {
        await mkdir(tableFiles.folder, { recursive: true, mode: 0o700 });
        const { folder, open: openFile } = tableFiles;
        await keepRoom({ folder, signal }, (stop) =>
          write(table, { path, signal: stop, openFile }),
        );
        return await open(path);
      } finally {
        filePlaces.release(place);
        await rm(path, { force: true });
      }
    } finally {
      deadline.end();
    }
  } finally {
    await pieces.return();
  }
}

/** The longest time of a timer. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

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
