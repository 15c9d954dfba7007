import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { isNoSpace } from '@locmetrics/data-directory/sqlite/disk-full';
import type { Observe } from '../observe/observation.ts';
import type { Ledger } from './ledger.ts';
import type { UsageFiles } from './usage-files.ts';
import { toUsageLine } from './usage-line.ts';
import { openSegment, type UsageSegment, type UsageSync } from './usage-segment.ts';

export type OpenLedger = Ledger & {
  /** Rejects if usage cannot be recorded: the last record failed, or the disk is full. */
  readonly check: () => Promise<void>;
  /** Waits for the running write. Nothing may be recorded afterwards. */
  readonly close: () => Promise<void>;
};

/** At this size or age a new segment is started, so that this one can be merged and removed. */
const SEGMENT_MAX_BYTES = 8 * 2 ** 20;
const SEGMENT_MAX_AGE_MS = 60_000;

/** A record is about 240 bytes, and a disk allocates space in blocks. */
const TRIED_BYTES = 4096;

/** Records that are queued during the running write; they are written together. */
type Group = {
  readonly done: PromiseWithResolvers<void>;
  lines: string;
  records: number;
};

/**
 * Records usage in segments of this process. One write runs at a time. Records of the same event-loop tick, and those that
 * arrive during a write, are written together, so that load makes each record cheaper.
 *
 * Data handed to the operating system survives the process, so that needs no fsync.
 *
 * Usage is appended before the answer is sent. The event loop writes itself: the system only copies the bytes, and
 * passing them to another thread costs each request 15 µs. Nothing more is appended to a segment whose write failed,
 * so a record is never sent twice. `--usage-sync full` syncs each write, in another thread.
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
      // The next record tries a new segment, so that the ledger recovers by itself.
      await retire();
      if (!isFailing) observe({ kind: 'usage_write_failed', error });
      isFailing = true;
      done.reject(notRecorded(error));
    }
  };

  const writeWaiting = async (): Promise<void> => {
    // The other requests of this event-loop tick are recorded with the first one.
    await nextLoopTick();
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

/** Whether the file system reports any free space; other problems show at the next write. */
async function hasRoom({ segments }: UsageFiles): Promise<boolean> {
  const { bavail } = await statfs(dirname(segments));
  return bavail > 0;
}

/** A test write: recording may have recovered although no request has tried it. */
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
  // If the clock was set back, the segment must not stay open for long.
  return bytes() >= SEGMENT_MAX_BYTES || ageMs >= SEGMENT_MAX_AGE_MS || ageMs < 0;
}

function cannotRecord(cause: unknown): ServiceError {
  const message = isNoSpace(cause)
    ? 'The disk is full: requests for data are refused, because their usage cannot be recorded, and nothing can be added to the control store. Tokens can be revoked, grants removed and organisations suspended.'
    : 'Requests for data are refused, because their usage cannot be recorded.';
  return new ServiceError('USAGE_NOT_RECORDED', message, { cause });
}

function notRecorded(cause: unknown): ServiceError {
  const message = isNoSpace(cause)
    ? 'The usage of the request could not be recorded: the disk is full.'
    : 'The usage of the request could not be recorded.';
  return new ServiceError('USAGE_NOT_RECORDED', message, {
    hint: 'Try again after a second. If the error persists, report it to the operator of the service.',
    cause,
  });
}
