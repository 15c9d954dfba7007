/** Where usage lies. */
export type UsageFiles = {
  /** The store of all that is merged. */
  readonly store: string;
  /** The folder of the segments, to which the workers append. */
  readonly segments: string;
};
