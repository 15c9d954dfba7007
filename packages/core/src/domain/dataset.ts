import type { Field } from './field.ts';
import type { Licence } from './licence.ts';
import type { Cadence } from './metric.ts';

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
  /**
   * The point of which the version has the unit vectors: its own, or that of a layer if it has none. Earlier releases
   * stored no vectors.
   */
  readonly vectors?: { readonly latitude: string; readonly longitude: string };
  /** Names of the date fields between which the record was observed, both days included. */
  readonly period?: { readonly start: string; readonly end: string };
  /** Names of the date fields between which the place existed; an absent date means an open side. */
  readonly existence?: { readonly start?: string; readonly end?: string };
  /** How often a period starts, and how often the data are made and how many days after a period; see `scheduleOf`. */
  readonly cadence?: Cadence;
  readonly processing?: { readonly cadence?: Cadence; readonly lagDays?: number };
  /** Earlier releases stored none. */
  readonly licence?: Licence;
  /** The rule whose folded texts the version has: see `search-text.ts`. Earlier releases stored none. */
  readonly searchRule?: 2;
  /** The form of Unicode in which a publish writes all texts. Absent: as they are in the files. */
  readonly normalise?: 'nfc';
  /** Whether a caller sees totals and their parts, but not the field that tells them apart. It is never stored. */
  readonly hidesTotals?: true;
};

export function findField(dataset: Dataset, name: string): Field | undefined {
  return dataset.fields.find((field) => field.name === name);
}

/** Whether records have both a period and an existence to trim it to. */
export function trimsToExistence({ existence, period }: Dataset): boolean {
  return period !== undefined && (existence?.start !== undefined || existence?.end !== undefined);
}

/** Whether the version of a dataset has the unit vectors of a point. */
export function hasVectorsOf(
  { latitude, longitude }: NonNullable<Dataset['point']>,
  { vectors }: Dataset,
): boolean {
  return vectors?.latitude === latitude && vectors.longitude === longitude;
}
