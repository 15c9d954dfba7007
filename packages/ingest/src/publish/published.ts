import type { CountedVersion, MetricVersion } from '@locmetrics/core/domain/version';
import type { PublishReport } from '@locmetrics/data-directory/versions/publish-report';

/** The versions that a publish switched to, or would switch to. */
export type Published = {
  readonly datasets: readonly PublishedDataset[];
  /** The metrics over the published datasets, by their values or layers, sorted by name. */
  readonly metrics: readonly MetricVersion[];
  /** Why old versions could not be removed; the publish itself is done. */
  readonly notRemoved?: unknown;
};

export type PublishedDataset = {
  readonly version: CountedVersion;
  /** The unmatched records and the notices about metrics are known once all versions are compared. */
  readonly report: PublishReport & { readonly notices: readonly string[] };
  readonly durationMs: number;
};
