import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Observe } from '../observe/observation.ts';
import { openUsageThread, UsageAwayError } from './open-usage-thread.ts';
import type { UsagePlace } from './usage-files.ts';
import type { UsageQuery, UsageReport } from './usage-query.ts';

/** Queries usage for callers. */
export type UsageReader = {
  /** The report includes every request that was answered before. Rejects with a ServiceError. */
  readonly read: (query: UsageQuery, signal: StopSignal) => Promise<UsageReport>;
};

/** For a process that records no usage. */
export const NO_USAGE: UsageReader = {
  read: async () => {
    throw cannotRead();
  },
};

/** Questions are answered one after another and take milliseconds each. */
const WAITING_MAX = 100;

/** Reads in a thread that is started with the first question. */
export function openUsageReader({
  place,
  code,
  observe,
}: {
  readonly place: UsagePlace;
  /** The entry point of the thread. */
  readonly code: URL;
  readonly observe: Observe;
}): UsageReader & { readonly close: () => Promise<void> } {
  const thread = openUsageThread({ place, code, use: 'service' });
  return {
    read: async (query, signal) => {
      if (thread.waiting() >= WAITING_MAX) {
        throw ServiceError.overloaded('Too many requests for usage are waiting.');
      }
      const left = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      const answer = thread.ask({ kind: 'read', query }).catch((error: unknown) => {
        observe({ kind: 'usage_read_failed', error });
        throw cannotRead(error);
      });
      return Promise.race([answer, left]);
    },
    close: thread.close,
  };
}

function cannotRead(cause?: unknown): ServiceError {
  if (cause instanceof UsageAwayError) {
    return new ServiceError(
      'NOT_READY',
      'Usage cannot be read now: its database cannot be reached.',
      {
        hint: 'Try again in a few seconds. Nothing is lost: requests are answered, and counted later.',
        cause,
      },
    );
  }
  return new ServiceError('NOT_READY', 'Not answering: the usage store.', {
    hint: 'Try again after a second. If the error persists, report it to the operator of the service.',
    cause,
  });
}
