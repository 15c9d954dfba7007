import type { FieldType } from '../domain/field.ts';
import type { GrantLoss } from '../domain/grant-fit.ts';
import type { SchemaChange } from './list-schema-changes.ts';

/** The report of a publish, `report.json` beside the data of the version that it made. */
export type PublishReport = {
  readonly format: 1;
  readonly dataset: string;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly publishedTime: string;
  /** How the files became the version. */
  readonly mode: 'replace' | 'append' | 'replace-period';
  /** The days that were replaced, both included; null where no period was. */
  readonly replacedPeriod: { readonly start: string; readonly end: string } | null;
  /** The version that was current, with which this one is compared; null for a first one. */
  readonly before: string | null;
  readonly rowCountBefore: number | null;
  /** What changed of the schema; what breaks callers first. */
  readonly schema: readonly SchemaChange[];
  /** What the publish took from grants of the dataset, and of metrics that were read from it. */
  readonly grantLosses: readonly GrantLoss[];
  readonly rows: RowCounts;
  /** Why rows were rejected, with examples; empty where none was. */
  readonly rejected: readonly RejectedRows[];
  readonly fields: readonly FieldSummary[];
  /** By the first day of the period; null where the dataset has none. */
  readonly periods: GroupChanges | null;
  /** Null where no field says which place or area a record is about. */
  readonly features: GroupChanges | null;
  /** What could not be compared with the version before, and why; empty where there is none. */
  readonly notCompared: readonly NotCompared[];
  readonly durationMs: number;
  /** Of the rows that were read. */
  readonly rowsPerSecond: number;
};

export type RowCounts = {
  /** In the files. */
  readonly read: number;
  /** Of these, in the version. */
  readonly kept: number;
  /** The others, which the manifest allows to leave out. */
  readonly rejected: number;
  /** Rows of the version before that are in this one too: where rows were added or a period replaced. */
  readonly carriedOver: number;
  /** Rows of the version before that the rows of the files took the place of. */
  readonly replaced: number;
  /** In the version. */
  readonly total: number;
};

export type RejectedRows = {
  /** Null where the whole row is meant. */
  readonly field: string | null;
  readonly reason: string;
  readonly count: number;
  /** Each as a refused publish tells it, with file and line. */
  readonly examples: readonly string[];
};

export type FieldSummary = {
  readonly name: string;
  readonly type: FieldType;
  /** Rows without a value. */
  readonly absent: number;
  /** Values in text form, as on the wire; null where no row has one. */
  readonly least: string | null;
  readonly greatest: string | null;
};

export type NotCompared = {
  readonly what: 'periods' | 'features';
  /** A whole sentence. */
  readonly reason: string;
};

/** The periods or features of a version against those of the version before. */
export type GroupChanges = {
  /** The field whose values they are. */
  readonly field: string;
  /** In this version. */
  readonly count: number;
  readonly appeared: Listed<string>;
  readonly vanished: Listed<string>;
  readonly jumped: Listed<Jump>;
  /** A change by more than this is a jump. */
  readonly jumpPercent: number;
};

/** A count, and the first few of what it counts. */
export type Listed<Item> = { readonly count: number; readonly examples: readonly Item[] };

/**
 * What changed by more than is usual: the records of a period or feature, or the values of a field, of
 * several the one that changed most. The values of a period are their sum, those of a feature their mean
 * over the periods that both versions have.
 */
export type Jump = {
  /** The first day of the period, or the feature. */
  readonly of: string;
  /** The field that jumped; null for the number of records. */
  readonly field: string | null;
  /** Null where there was no value. */
  readonly before: number | null;
  readonly after: number | null;
  /** What it is compared with, where that is not the same period of the version before. */
  readonly comparedWith: string | null;
};
