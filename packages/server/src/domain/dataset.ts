import type { Field } from './field.ts';
import type { Layer } from './layer.ts';
import type { Metric } from './metric.ts';
import type { Predicate } from './predicate.ts';

/**
 * A data reference: its names, typed fields, key and the roles of its fields. It is derived from the
 * manifest and stored with each version, so that each version is queried by its own schema.
 */
export type Dataset = {
  /** `product.dataset`, for example `ml_visitation.places`. */
  readonly name: string;
  readonly productDisplayName: string;
  readonly productDescription: string;
  readonly displayName: string;
  readonly description: string;
  readonly fields: readonly Field[];
  /** Names of the fields that identify a record; records are sorted by them. */
  readonly key: readonly string[];
  /** Names of the fields with the degrees of the record's point. */
  readonly point?: { readonly latitude: string; readonly longitude: string };
  /** Names of the date fields between which the record was observed, both days included. */
  readonly period?: { readonly start: string; readonly end: string };
  /** Names of the date fields between which the place existed; an absent date means an open side. */
  readonly existence?: { readonly start?: string; readonly end?: string };
};

/** The immutable result of one publish of a dataset, named by its time and content. */
export type DatasetVersion = {
  readonly dataset: Dataset;
  /** The layers and metrics that are declared with the dataset. */
  readonly layers: readonly Layer[];
  readonly metrics: readonly Metric[];
  /** See `version-name.ts`. */
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly publishedTime: string;
  /** Absent if the caller sees only some of the records; those are counted on demand. */
  readonly rowCount?: number;
  /** Earliest start and latest end of the records' periods; absent without a period or rows. */
  readonly firstObservationDate?: string;
  readonly lastObservationDate?: string;
  /** The part that a caller sees; absent: all. */
  readonly narrowing?: Narrowing;
};

/** A version whose records were counted. */
export type CountedVersion = DatasetVersion & { readonly rowCount: number };

export function isCounted(version: DatasetVersion): version is CountedVersion {
  return version.rowCount !== undefined;
}

/**
 * The visible part of a version. For every plan, an engine treats the hidden part as if it did not exist.
 */
export type Narrowing = {
  /** Fields whose values below their `suppressBelow` are treated as absent. */
  readonly suppressed: readonly Field[];
  /** Only records that match are visible; they are compared after the suppression. */
  readonly predicates: readonly Predicate[];
};

export function findField(dataset: Dataset, name: string): Field | undefined {
  return dataset.fields.find((field) => field.name === name);
}

/** Whether records have both a period and an existence to trim it to. */
export function trimsToExistence({ existence, period }: Dataset): boolean {
  return period !== undefined && (existence?.start !== undefined || existence?.end !== undefined);
}
