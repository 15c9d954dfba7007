import type { FieldType } from '@locmetrics/core/domain/field';
import type { GrantLoss } from '@locmetrics/core/domain/grant-fit';
import type { SchemaChange } from './list-schema-changes.ts';

/** The report of a publish: `report.json` in the folder of the new version. */
export type PublishReport = {
  readonly format: 1;
  readonly dataset: string;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly publishedTime: string;
  /** How the files were combined with the previous version. */
  readonly mode: 'replace' | 'append' | 'replace-period';
  /** The replaced days, both included; null if no period was replaced. */
  readonly replacedPeriod: { readonly start: string; readonly end: string } | null;
  /** The previously current version, which this one is compared with; null for the first version. */
  readonly before: string | null;
  readonly rowCountBefore: number | null;
  /** The changes of the schema, breaking changes first. */
  readonly schema: readonly SchemaChange[];
  /** The losses of grants for the dataset, and for its metrics, by the publish. */
  readonly grantLosses: readonly GrantLoss[];
  readonly rows: RowCounts;
  /** Why rows were rejected, with examples; empty if none were. */
  readonly rejected: readonly RejectedRows[];
  readonly fields: readonly FieldSummary[];
  /** By the first day of the period; null if the dataset has no period. */
  readonly periods: GroupChanges | null;
  /** Null if no field contains the place or area of a record. */
  readonly features: GroupChanges | null;
  /** The sums of the measures before and after. Absent in reports of earlier releases. */
  readonly totals?: readonly MeasureTotals[];
  /** The records that can never be values of a metric, because they have no feature; empty if all have one. */
  readonly unmatchedRecords: readonly UnmatchedRecords[];
  /** The parts that could not be compared with the previous version, and why. */
  readonly notCompared: readonly NotCompared[];
  /** Remarks for the owner, for example on columns that no field uses. Absent in reports of earlier releases. */
  readonly notices?: readonly string[];
  /** The notices that the manifest accepts, with its reason; absent in reports of earlier releases. */
  readonly acceptedNotices?: readonly { readonly notice: string; readonly reason: string }[];
  readonly durationMs: number;
  /** The speed of reading the rows. */
  readonly rowsPerSecond: number;
};

export type RowCounts = {
  /** Rows in the files. */
  readonly read: number;
  /** Rows of the files that are in the version. */
  readonly kept: number;
  /** The other rows of the files, within the number that the manifest accepts. */
  readonly rejected: number;
  /** Rows taken over from the previous version, when rows were appended or a period was replaced. */
  readonly carriedOver: number;
  /** Rows of the previous version that rows of the files replaced. */
  readonly replaced: number;
  /** Rows in the version. */
  readonly total: number;
};

export type RejectedRows = {
  /** Null for the whole row. */
  readonly field: string | null;
  readonly reason: string;
  readonly count: number;
  /** Messages as in a refused publish, with file and line. */
  readonly examples: readonly string[];
};

export type UnmatchedRecords = {
  /** The metrics over the records, sorted by name. */
  readonly metrics: readonly string[];
  /** The dataset of the records: that of the report, or another one if the layer is published without it. */
  readonly dataset: string;
  /** The field of the feature id. */
  readonly field: string;
  readonly layer: string;
  /** Records without a feature id. */
  readonly absent: number;
  /** Records whose feature id is not in the layer, and the first few of these ids. */
  readonly unknown: Listed<string>;
};

export type FieldSummary = {
  readonly name: string;
  readonly type: FieldType;
  /** Rows without a value. */
  readonly absent: number;
  /** Values in text form, as on the wire; null if no row has one. */
  readonly least: string | null;
  readonly greatest: string | null;
};

export type NotCompared = {
  readonly what: 'periods' | 'features';
  /** A whole sentence. */
  readonly reason: string;
};

/** The sums of a measure, as far as its values can be added up; null is no value. */
export type MeasureTotals = {
  readonly field: string;
  /** Over all records; null if there is no such sum, or no previous version that has the field. */
  readonly overall: { readonly before: number | null; readonly after: number | null } | null;
  /** The periods whose sums differ, the greatest differences first. */
  readonly periods: Listed<Total>;
  /** The features whose sums over the corrected periods, those of both versions that differ, changed most. */
  readonly features: Listed<Total>;
};

export type Total = {
  /** The first day of the period, or the feature. */
  readonly of: string;
  readonly before: number | null;
  readonly after: number | null;
};

/** The periods or features of a version, compared with those of the previous version. */
export type GroupChanges = {
  /** The field whose values they are. */
  readonly field: string;
  /** The number in this version. */
  readonly count: number;
  readonly appeared: Listed<string>;
  readonly vanished: Listed<string>;
  /** Those of both versions whose records or measures differ. Absent in reports of earlier releases. */
  readonly changed?: number;
  readonly jumped: Listed<Jump>;
  /** A larger change is a jump. */
  readonly jumpPercent: number;
};

/** A count, and the first few of the counted items. */
export type Listed<Item> = { readonly count: number; readonly examples: readonly Item[] };

/**
 * A change above the threshold: of the record count of a period or feature, or of the values of a field;
 * if several fields jumped, of the one that changed most. For a period the sum of the values is compared,
 * for a feature their mean over the periods that both versions have.
 */
export type Jump = {
  /** The first day of the period, or the feature. */
  readonly of: string;
  /** The field that jumped; null for the number of records. */
  readonly field: string | null;
  /** Null if there was no value. */
  readonly before: number | null;
  readonly after: number | null;
  /** The period it is compared with, if that is not the same period of the previous version. */
  readonly comparedWith: string | null;
};
