import type { UsageRecord } from '@locmetrics/core/domain/usage-record';

/** Records usage. */
export type Ledger = {
  /**
   * Resolves when the record survives the end of the process, even a kill. Rejects with a ServiceError with
   * an `UNAVAILABLE` reason if it cannot be written: an answer that cannot be billed is not sent.
   */
  readonly record: (record: UsageRecord) => Promise<void>;
};

/** For a process that records no usage. */
export const NO_LEDGER: Ledger = { record: async () => {} };
