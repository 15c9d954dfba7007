import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isNoSpace } from '../auth/disk-full.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Observe } from '../observe/observation.ts';
import type { Ledger } from './ledger.ts';
import type { UsageFiles } from './usage-files.ts';
import { toUsageLine } from './usage-line.ts';
import { openSegment, type UsageSegment, type UsageSync } from './usage-segment.ts';

export type OpenLedger = Ledger & {
  /** Rejects where usage cannot be recorded: the last record could not be, or the disk is full. */
  readonly check: () => Promise<void>;
  /** Waits for what is being written. Nothing may be recorded after. */
  readonly close: () => Promise<void>;
};

/** After so much, or so long, the next records go to another segment, so that this one can be removed. */
const SEGMENT_MAX_BYTES = 8 * 2 ** 20;
const SEGMENT_MAX_AGE_MS = 60_000;

/** A record is some 300 bytes, and a disk gives room by the block. */
const TRIED_BYTES = 4096;

/** Records that wait for the write that is running; they are written together. */
type Group = {
  readonly done: PromiseWithResolvers<void>;
  lines: string;
  records: number;
};

/**
 * Writes usage down in segments of this process. One write runs at a time, off the event loop, and what
 * comes meanwhile is one write together: the more there is to do, the less each record costs.
 *
 * What a write gave to the system survives the process, so nothing has to be synced for that.
 */
export function openLedger({
  files,
  sync,
  observe,
}: {
  readonly files: UsageFiles;
  readonly sync: UsageSync;
  readonly observe: Observe;
}): OpenLedger {
  let segment: UsageSegment | undefined;
  let waiting: Group | undefined;
  let writing: Promise<void> | undefined;
  let isFailing = false;

  const retire = async (): Promise<void> => {
    const last = segment;
    segment = undefined;
    await last?.retire();
  };

  /** The next one is opened first: without a free descriptor this one gets more. */
  const changeSegment = async (full: UsageSegment): Promise<void> => {
    const next = await openSegment(files, sync).catch(() => undefined);
    if (next === undefined) return;
    segment = next;
    await full.retire();
  };

  const append = async (lines: string): Promise<void> => {
    segment ??= await openSegment(files, sync);
    if (isFull(segment)) await changeSegment(segment);
    await segment.append(lines);
  };

  const write = async ({ lines, records, done }: Group): Promise<void> => {
    try {
      await append(lines);
      isFailing = false;
      observe({ kind: 'usage_recorded', records });
      done.resolve();
    } catch (error) {
      // The next record tries a new segment, so that what goes wrong passes by itself.
      await retire();
      if (!isFailing) observe({ kind: 'usage_write_failed', error });
      isFailing = true;
      done.reject(notRecorded(error));
    }
  };

  const writeWaiting = async (): Promise<void> => {
    for (let group = waiting; group !== undefined; group = waiting) {
      waiting = undefined;
      await write(group);
    }
    writing = undefined;
  };

  return {
    record: (record) => {
      waiting ??= { done: Promise.withResolvers(), lines: '', records: 0 };
      waiting.lines += toUsageLine(record);
      waiting.records += 1;
      const { promise } = waiting.done;
      writing ??= writeWaiting();
      return promise;
    },
    check: async () => {
      if (!isFailing && (await hasRoom(files))) return;
      await writing;
      await tryWriting(files, sync).catch((error: unknown) => {
        throw cannotRecord(error);
      });
      isFailing = false;
    },
    close: async () => {
      await writing;
      await retire();
    },
  };
}

/** Whether the file system says that it has any room; what else is wrong shows when it is written to. */
async function hasRoom({ segments }: UsageFiles): Promise<boolean> {
  const { bavail } = await statfs(dirname(segments));
  return bavail > 0;
}

/** As a record would be written: what has failed may pass without another request. */
async function tryWriting(files: UsageFiles, sync: UsageSync): Promise<void> {
  const segment = await openSegment(files, sync);
  try {
    await segment.append(' '.repeat(TRIED_BYTES));
  } finally {
    await segment.discard();
  }
}

function isFull({ bytes, openedMs }: UsageSegment): boolean {
  const ageMs = Date.now() - openedMs;
  // A clock that was set back must not keep a segment open for long.
  return bytes() >= SEGMENT_MAX_BYTES || ageMs >= SEGMENT_MAX_AGE_MS || ageMs < 0;
}

function cannotRecord(cause: unknown): ServiceError {
  const message = isNoSpace(cause)
    ? 'The disk is full: requests for data are refused, because their usage cannot be recorded, and nothing can be added to the control store. Tokens can be revoked and grants removed.'
    : 'Requests for data are refused, because their usage cannot be recorded.';
  return new ServiceError('USAGE_NOT_RECORDED', message, { cause });
}

function notRecorded(cause: unknown): ServiceError {
  const message = isNoSpace(cause)
    ? 'The usage of the request could not be recorded: the disk is full.'
    : 'The usage of the request could not be recorded.';
  return new ServiceError('USAGE_NOT_RECORDED', message, {
    hint: 'Try again after a second; if it stays, tell whoever runs the service.',
    cause,
  });
}
