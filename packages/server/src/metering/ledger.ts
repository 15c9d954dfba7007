import type { UsageRecord } from '../domain/usage-record.ts';

/** Records usage. */
export type Ledger = {
  /**
   * Resolves when the record outlives the process, even one that is killed. Rejects with a
   * ServiceError `UNAVAILABLE` reason when it cannot be written: what cannot be billed is not sent.
   */
  readonly record: (record: UsageRecord) => Promise<void>;
};

/** For a process that records no usage. */
export const NO_LEDGER: Ledger = { record: async () => {} };
