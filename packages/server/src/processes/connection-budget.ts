/** The maximum numbers of connections of the processes. */
export type ConnectionBudget = {
  readonly ofWorker: number;
  /** The connections in the primary that wait for a worker, or are being passed to one. */
  readonly ofPrimary: number;
};

/**
 * Descriptors that each process reserves for other uses than connections: published files, databases, the
 * ledger, channels, `/metrics`. An idle worker has 30 of them, and one more for each version in use.
 */
const KEPT_DESCRIPTORS = 256;

/** Connections that may wait for a worker, or be on their way to one, half of them each. */
const WAITING_AND_HANDED_MAX = 2000;

/** The connections of the setting, or fewer if the system allows fewer descriptors. */
export function budgetConnections({
  connectionsMax,
  descriptorLimit = Number.POSITIVE_INFINITY,
}: {
  readonly connectionsMax: number;
  /** The limit of each process. Default: unlimited. */
  readonly descriptorLimit?: number | undefined;
}): ConnectionBudget {
  // If there are few descriptors, connections and other uses get half each.
  const kept = Math.min(KEPT_DESCRIPTORS, Math.ceil(descriptorLimit / 2));
  const left = Math.max(1, descriptorLimit - kept);
  return {
    ofWorker: Math.min(connectionsMax, left),
    ofPrimary: Math.min(WAITING_AND_HANDED_MAX, left),
  };
}

/** The descriptor limit that the setting needs. */
export function descriptorsFor(connectionsMax: number): number {
  return connectionsMax + KEPT_DESCRIPTORS;
}
