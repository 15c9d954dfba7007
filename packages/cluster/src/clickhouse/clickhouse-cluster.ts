/**
 * Servers that share the tables of versions. Each shard has a part of the records of every version. The server that is
 * asked must be one of them, or one that has the same `remote_servers`.
 */
export type ClickhouseCluster = {
  /** Its name in `remote_servers`, the same on all of its servers. */
  readonly name: string;
  /**
   * Whether the servers of a shard copy its records from each other. Then the macros of each server have `{shard}` and
   * `{replica}`, and the shards in `remote_servers` have `internal_replication`.
   */
  readonly replicated: boolean;
};
