/** The paths of usage data. */
export type UsageFiles = {
  /** The store of merged usage. */
  readonly store: string;
  /** The folder of the segments that the workers append to. */
  readonly segments: string;
};
