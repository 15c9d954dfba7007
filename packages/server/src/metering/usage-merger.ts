import { setTimeout as passTime } from 'node:timers/promises';
import { dayText } from '@locmetrics/core/dates/calendar-date';
import type { Observe } from '../observe/observation.ts';
import { openUsageThread } from './open-usage-thread.ts';
import type { UsagePlace } from './usage-files.ts';
import type { UsedRows } from './usage-query.ts';

/** Merges usage while the service runs. */
export type UsageMerger = {
  /** The age that the oldest unmerged record can have. */
  readonly lagMs: () => number;
  /** How many rows an organisation has used today and this month, UTC. */
  readonly usedRows: (organisationId: string) => Promise<UsedRows>;
  /** Merges the last records of the workers, as far as that is possible within some seconds. */
  readonly close: () => Promise<void>;
};

const MERGE_EVERY_MS = 1000;
const CLOSE_MAX_MS = 10_000;

/** Merges in a thread, so that the event loop that accepts connections never waits for the disk. */
export function openUsageMerger({
  place,
  code,
  keepMs,
  observe,
}: {
  readonly place: UsagePlace;
  /** The entry point of the thread. */
  readonly code: URL;
  /** How long single records are kept. */
  readonly keepMs: number;
  readonly observe: Observe;
}): UsageMerger {
  const thread = openUsageThread({ place, code, use: 'start' });
  let mergedMs = performance.now();
  let merging: Promise<void> | undefined;
  let isFailing = false;

  const merge = async (): Promise<void> => {
    const begunMs = performance.now();
    try {
      const { unreadableLines } = await thread.ask({ kind: 'merge', keepMs });
      mergedMs = begunMs;
      isFailing = false;
      if (unreadableLines > 0) observe({ kind: 'usage_unreadable', lines: unreadableLines });
    } catch (error) {
      if (!isFailing) observe({ kind: 'usage_merge_failed', error });
      isFailing = true;
    }
  };
  const mergeOnce = (): Promise<void> => {
    merging ??= merge().finally(() => {
      merging = undefined;
    });
    return merging;
  };
  const timer = setInterval(mergeOnce, MERGE_EVERY_MS);
  void mergeOnce();

  return {
    lagMs: () => performance.now() - mergedMs,
    usedRows: (organisationId) =>
      thread.ask({ kind: 'used_rows', organisationId, day: dayText(Date.now()) }),
    close: async () => {
      clearInterval(timer);
      let hasTime = true;
      const last = (async () => {
        await merging;
        if (hasTime) await mergeOnce();
      })();
      const waiting = new AbortController();
      const { signal } = waiting;
      const late = passTime(CLOSE_MAX_MS, undefined, { ref: false, signal }).catch(() => {});
      await Promise.race([last, late]);
      waiting.abort();
      hasTime = false;
      // The rest is merged after the next start.
      await thread.close();
      await last;
    },
  };
}
