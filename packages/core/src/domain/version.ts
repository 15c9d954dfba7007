import type { Grant } from './grant.ts';
import type { Layer } from './layer.ts';
import type { Cadence, Metric } from './metric.ts';
import type { ReadableVersion } from './predicate.ts';

/** The immutable result of one publish of a dataset, named by its time and content. */
export type DatasetVersion = ReadableVersion & {
  /** The layers and metrics that are declared with the dataset. */
  readonly layers: readonly Layer[];
  readonly metrics: readonly Metric[];
  /** RFC 3339, UTC. */
  readonly publishedTime: string;
  /** Earliest start and latest end of the records' periods; absent without a period or rows. */
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
  /** How often a period starts, by the records; earlier releases wrote none. */
  readonly cadence?: Cadence;
};

/** A version whose records were counted. */
export type CountedVersion = DatasetVersion & { readonly rowCount: number };

export function isCounted(version: DatasetVersion): version is CountedVersion {
  return version.rowCount !== undefined;
}

/** A layer as of one publish. */
export type LayerVersion = {
  readonly layer: Layer;
  /** The version whose records are the features. */
  readonly features: DatasetVersion;
};

/** A metric as of a publish: its values, and the layers of that time. */
export type MetricVersion = {
  readonly metric: Metric;
  readonly values: DatasetVersion;
  readonly layer: LayerVersion;
  readonly relatedLayer?: LayerVersion | undefined;
  /** The grant through which a caller sees it; absent: everything is visible. */
  readonly grant?: Grant;
  /** The datasets of the values and of the features of the layer, as far as a caller may see them. */
  readonly seenDatasets?: { readonly values: string; readonly features: string };
  /** See `combineVersions`. */
  readonly version: string;
};
