/** How many connections the processes can hold. */
export type ConnectionBudget = {
  readonly ofWorker: number;
  /** Those that the primary holds because they wait for a worker, or are handed to one. */
  readonly ofPrimary: number;
};

/**
 * Each process keeps descriptors for what is no connection: published files, databases, the ledger, its
 * channels, `/metrics`. A worker at rest has 30 of them, and one more for each version that it reads.
 */
const KEPT_DESCRIPTORS = 256;

/** What may wait for a worker; 1,000 more are on their way to workers. */
const WAITING_AND_HANDED_MAX = 2000;

/** Connections as the setting says, or fewer where the system allows fewer descriptors. */
export function budgetConnections({
  connectionsMax,
  descriptorLimit = Number.POSITIVE_INFINITY,
}: {
  readonly connectionsMax: number;
  /** Of each process. Default: unlimited. */
  readonly descriptorLimit?: number | undefined;
}): ConnectionBudget {
  // Where there are few, both uses get half.
  const kept = Math.min(KEPT_DESCRIPTORS, Math.ceil(descriptorLimit / 2));
  const left = Math.max(1, descriptorLimit - kept);
  return {
    ofWorker: Math.min(connectionsMax, left),
    ofPrimary: Math.min(WAITING_AND_HANDED_MAX, left),
  };
}

/** The limit with which the setting holds. */
export function descriptorsFor(connectionsMax: number): number {
  return connectionsMax + KEPT_DESCRIPTORS;
}
