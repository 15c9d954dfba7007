import type { UsageRecord } from '../domain/usage-record.ts';

/** Where usage is written down. */
export type Ledger = {
  /**
   * Resolves when the record outlives the process, even one that is killed. Rejects with a
   * ServiceError `UNAVAILABLE` reason when it cannot be written: what cannot be billed is not sent.
   */
  readonly record: (record: UsageRecord) => Promise<void>;
};

/** Of a process that bills nobody. */
export const NO_LEDGER: Ledger = { record: async () => {} };
