import type { Licence } from './licence.ts';

/** Facts that travel with a table. */
export type TableMetadata = {
  /** The name of the dataset, or the metric as `catalog_id/metric_id`. */
  readonly source: { readonly dataset: string } | { readonly metric: string };
  readonly version: string;
  readonly licences: readonly Licence[];
};
