import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { keepRoom } from '../queries/keep-room.ts';
import { openDeadline } from '../queries/run-until-deadline.ts';
import type { ServiceContext } from '../service-context.ts';

export type FileContext = Pick<ServiceContext, 'tableFiles' | 'filePlaces' | 'queryTimeoutMs'>;

/** How long a file may take beyond the time of a query, for each of its rows. */
const MS_PER_ROW = 0.05;
/** The longest time of a timer. */
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/**
 * Runs work that writes a file of a request, in one of the few places for it, with the path of a new file. Refused: too
 * many files at once, a missed deadline, a full disk.
 */
export async function inFilePlace<Result>(
  { tableFiles, filePlaces, queryTimeoutMs }: FileContext,
  file: {
    /** Of the caller. */
    readonly signal: StopSignal;
    /** At most so many: they decide its time. */
    readonly rows: number;
    /** Of its name. */
    readonly end: string;
  },
  work: (path: string, signal: StopSignal) => Promise<Result>,
): Promise<Result> {
  const { signal: callerSignal, rows, end } = file;
  const { folder } = tableFiles;
  const timeoutMs = fileTimeoutMs(queryTimeoutMs, rows);
  const deadline = openDeadline({ callerSignal, timeoutMs });
  try {
    const { signal } = deadline;
    const place = await filePlaces.acquire(signal);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${randomUUID()}.${end}`);
      return await keepRoom({ folder, signal }, (stop) => work(path, stop));
    } finally {
      filePlaces.release(place);
    }
  } finally {
    deadline.end();
  }
}

/** How long a file of so many rows may take. */
export function fileTimeoutMs(queryTimeoutMs: number, rows: number): number {
  return Math.min(TIMEOUT_MAX_MS, queryTimeoutMs + Math.ceil(rows * MS_PER_ROW));
}
