import { ServiceError } from '../domain/service-error.ts';
import type { Observe } from '../observe/observation.ts';
import type { Ledger } from './ledger.ts';
import type { UsageFiles } from './usage-files.ts';
import { toUsageLine } from './usage-line.ts';
import { openSegment, type UsageSegment, type UsageSync } from './usage-segment.ts';

export type OpenLedger = Ledger & {
  /** Waits for what is being written. Nothing may be recorded after. */
  readonly close: () => Promise<void>;
};

/** After so much, or so long, the next records go to another segment, so that this one can be removed. */
const SEGMENT_MAX_BYTES = 8 * 2 ** 20;
const SEGMENT_MAX_AGE_MS = 60_000;

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

  const append = async (lines: string): Promise<void> => {
    if (segment !== undefined && isFull(segment)) await retire();
    segment ??= await openSegment(files, sync);
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
    close: async () => {
      await writing;
      await retire();
    },
  };
}

function isFull({ bytes, openedMs }: UsageSegment): boolean {
  const ageMs = Date.now() - openedMs;
  // A clock that was set back must not keep a segment open for long.
  return bytes() >= SEGMENT_MAX_BYTES || ageMs >= SEGMENT_MAX_AGE_MS || ageMs < 0;
}

function notRecorded(cause: unknown): ServiceError {
  return new ServiceError('USAGE_NOT_RECORDED', 'The usage of the request could not be recorded.', {
    hint: 'Try again after a second; if it stays, tell whoever runs the service.',
    cause,
  });
}
