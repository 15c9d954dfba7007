import type { Field } from './field.ts';
import type { Layer } from './layer.ts';
import type { Metric } from './metric.ts';
import type { Predicate } from './predicate.ts';

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
  /** Absent where a caller sees only some of the records: they are counted when that is asked. */
  readonly rowCount?: number;
  /** Earliest start and latest end of the records' periods; absent without a period or rows. */
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
  /** What a caller sees of it; absent: all. */
  readonly narrowing?: Narrowing;
};

/** One whose records were counted. */
export type CountedVersion = DatasetVersion & { readonly rowCount: number };

export function isCounted(version: DatasetVersion): version is CountedVersion {
  return version.rowCount !== undefined;
}

/**
 * What is seen of a version, where that is not everything. An engine reads the version as if what is
 * not seen were not there, whatever the plan asks for.
 */
export type Narrowing = {
  /** Fields whose values below their `suppressBelow` read as absent. */
  readonly suppressed: readonly Field[];
  /** Only these records, by what is left of their values. */
  readonly predicates: readonly Predicate[];
};

export function findField(dataset: Dataset, name: string): Field | undefined {
  return dataset.fields.find((field) => field.name === name);
}

/** Whether records have both a period and an existence that it can lie outside of. */
export function trimsToExistence({ existence, period }: Dataset): boolean {
  return period !== undefined && (existence?.start !== undefined || existence?.end !== undefined);
}
