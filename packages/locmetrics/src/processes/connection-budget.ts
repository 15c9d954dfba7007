/** The maximum numbers of connections of the processes. */
export type ConnectionBudget = {
  readonly ofWorker: number;
  /** The connections of one client in a worker. */
  readonly ofClient: number;
  /** The connections on their way to a worker that has its maximum. */
  readonly handed: number;
  /** The connections in the primary: they send their first bytes, wait for a worker, or are being passed to one. */
  readonly ofPrimary: number;
};

/**
 * Descriptors that each process reserves for other uses than connections: published files, databases, the
 * ledger, channels, `/metrics`. An idle worker has 30 of them, and one more for each version in use.
 *
 * Without a free descriptor a process cannot open a file, start a worker or measure its memory. If a worker has none
 * for a connection, the connection is lost silently, so the primary regularly asks each worker which connections it
 * received, and passes the missing ones again.
 */
const KEPT_DESCRIPTORS = 256;

/** A process with few versions does not work with fewer. */
const NEEDED_DESCRIPTORS = 48;

/** They are ended or declined as soon as the worker sees them. */
const HANDED_MAX = 64;

/** Connections that may send their first bytes, and those that wait for a worker or are on their way: half of them each. */
const OF_PRIMARY_MAX = 2000;

/** The connections of the setting, or fewer if the system allows fewer descriptors. */
export function budgetConnections({
  connectionsMax,
  perClientMax,
  descriptorLimit = Number.POSITIVE_INFINITY,
}: {
  readonly connectionsMax: number;
  readonly perClientMax: number;
  /** The limit of each process. Default: unlimited. */
  readonly descriptorLimit?: number | undefined;
}): ConnectionBudget {
  // If there are few descriptors, connections and other uses get half each, but the latter always what they need.
  const half = Math.max(Math.ceil(descriptorLimit / 2), NEEDED_DESCRIPTORS);
  const left = Math.max(1, descriptorLimit - Math.min(KEPT_DESCRIPTORS, half));
  const ofWorker = Math.min(connectionsMax, left);
  return {
    ofWorker,
    // One client leaves half of the connections to the others.
    ofClient: Math.min(perClientMax, Math.ceil(ofWorker / 2)),
    handed: Math.min(HANDED_MAX, Math.ceil(ofWorker / 2)),
    ofPrimary: Math.min(OF_PRIMARY_MAX, left),
  };
}

/** The descriptor limit that the setting needs. */
export function descriptorsFor(connectionsMax: number): number {
  return connectionsMax + KEPT_DESCRIPTORS;
}
