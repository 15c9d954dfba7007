/** The paths of usage data. */
export type UsageFiles = {
  /** The store of merged usage. */
  readonly store: string;
  /** The folder of the segments that the workers append to. */
  readonly segments: string;
};

/** The files in which usage is recorded and merged. */
export type UsagePlace = UsageFiles & {
  /** The URL of the PostgreSQL that has the merged usage instead of the file. */
  readonly postgres?: string | undefined;
};
