import type { Field } from './field.ts';
import type { Layer } from './layer.ts';
import type { Metric } from './metric.ts';

/**
 * What a data reference is: its names, typed fields, key and the roles of its fields. It follows
 * from the manifest and is kept with each version, so that a version is read by its own schema.
 */
export type Dataset = {
  /** `product.dataset`, for example `ml_visitation.places`. */
  readonly name: string;
  readonly productDisplayName: string;
  readonly productDescription: string;
  readonly displayName: string;
  readonly description: string;
  readonly fields: readonly Field[];
  /** Names of the fields that identify a record, in the order records come in. */
  readonly key: readonly string[];
  /** Names of the fields with the degrees of the record's point. */
  readonly point?: { readonly latitude: string; readonly longitude: string };
  /** Names of the date fields between which the record was observed, both days included. */
  readonly period?: { readonly start: string; readonly end: string };
  /** Names of the date fields between which the place existed; an absent date leaves it open. */
  readonly existence?: { readonly start?: string; readonly end?: string };
};

/** What one publish of a dataset produced: immutable, and named by time and content. */
export type DatasetVersion = {
  readonly dataset: Dataset;
  /** What the records are declared to be besides: features of layers, values of metrics. */
  readonly layers: readonly Layer[];
  readonly metrics: readonly Metric[];
  /** See `version-name.ts`. */
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly publishedTime: string;
  readonly rowCount: number;
  /** Earliest start and latest end of the records' periods; absent without a period or rows. */
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
};

export function findField(dataset: Dataset, name: string): Field | undefined {
  return dataset.fields.find((field) => field.name === name);
}

/** Whether records have both a period and an existence that it can lie outside of. */
export function trimsToExistence({ existence, period }: Dataset): boolean {
  return period !== undefined && (existence?.start !== undefined || existence?.end !== undefined);
}
