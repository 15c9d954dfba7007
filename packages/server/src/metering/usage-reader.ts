import { ServiceError } from '../domain/service-error.ts';
import type { Observe } from '../observe/observation.ts';
import { openUsageThread } from './open-usage-thread.ts';
import type { UsageFiles } from './usage-files.ts';
import type { UsageQuery, UsageReport } from './usage-query.ts';

/** Tells callers what was used. */
export type UsageReader = {
  /** Everything that was answered before is in it. Rejects with a ServiceError. */
  readonly read: (query: UsageQuery, signal: AbortSignal) => Promise<UsageReport>;
};

/** Where nothing is recorded. */
export const NO_USAGE: UsageReader = {
  read: async () => {
    throw cannotRead();
  },
};

/** Questions take milliseconds, one after another. */
const WAITING_MAX = 100;

/** Reads in a thread that is started with the first question. */
export function openUsageReader({
  files,
  observe,
}: {
  readonly files: UsageFiles;
  readonly observe: Observe;
}): UsageReader & { readonly close: () => Promise<void> } {
  const thread = openUsageThread({ files, use: 'service' });
  return {
    read: async (query, signal) => {
      if (thread.waiting() >= WAITING_MAX) {
        throw new ServiceError('OVERLOADED', 'Too many requests for usage are waiting.', {
          hint: 'Try again after a second.',
        });
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
  return new ServiceError('NOT_READY', 'Not answering: the usage store.', {
    hint: 'Try again after a second; if it stays, tell whoever runs the service.',
    cause,
  });
}
