import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Layer } from '@locmetrics/core/domain/layer';
import type { Metric } from '@locmetrics/core/domain/metric';
import type { Acceptance } from './acceptance.ts';
import type { FieldSource } from './field-source.ts';
import type { FileFormat } from './file-formats.ts';
import type { NameColumn } from './name-pattern.ts';
import type { Boundaries, Region } from './point-source.ts';
import type { Encoding } from './read-schema.ts';
import type { DuplicateRule, RowStep } from './row-steps.ts';

/** A manifest after its structure, names, types and references were checked. */
export type Manifest = {
  /** Absolute path of the file. */
  readonly path: string;
  readonly datasets: readonly DeclaredDataset[];
};

/** A dataset with its layers, metrics and source files. */
export type DeclaredDataset = {
  readonly dataset: Dataset;
  /** The layers and metrics that use it. */
  readonly layers: readonly Layer[];
  readonly metrics: readonly Metric[];
  readonly source: DatasetSource;
  /** The line of a place in the dataset's part of the manifest, such as `['rows', '0', 'where']`. */
  readonly lineOf?: (keys: readonly string[]) => ManifestLine | undefined;
  readonly accept: Acceptance;
};

/** The declarations of a manifest about one dataset. */
export type Declared = Pick<DeclaredDataset, 'dataset' | 'layers' | 'metrics'>;

export type DatasetSource = {
  /** Absolute paths and addresses, in the order of the manifest. A name may have `*` for any characters. */
  readonly files: readonly string[];
  readonly format: FileFormat;
  /** The source of the values of each field, by field name. */
  readonly fields: ReadonlyMap<string, FieldSource>;
  /** The boundaries that its fields and its region name. */
  readonly areas: readonly Boundaries[];
  /** The region in which its points lie; absent: anywhere. */
  readonly region?: Region | undefined;
  readonly reading: FileReading;
  /** The steps that the rows go through before their columns become fields. */
  readonly steps: readonly RowStep[];
  /** The files that steps name beside those of the dataset. */
  readonly lookups: readonly LookupFile[];
  /** How rows with the same key are combined; absent: they are refused. */
  readonly duplicates?: DuplicateRule | undefined;
  /** The other datasets of the same files: what they use is not forgotten. */
  readonly siblings?: readonly Pick<DatasetSource, 'steps' | 'fields'>[] | undefined;
};

/** A file that a step names beside those of the dataset. */
export type LookupFile = {
  /** The number of the step, and the name of the table in its SQL; a join has no name. */
  readonly step: number;
  readonly table: string;
  /** Its place in the dataset's part of the manifest, for example `rows[1].join.file`. */
  readonly place: string;
  /** The name as the manifest writes it, and the absolute path. */
  readonly label: string;
  readonly path: string;
  readonly format: FileFormat;
  readonly reading: FileReading;
  /** The columns that the step names, by which the delimiter is found. */
  readonly columns: readonly string[];
};

/** The line of a text in a manifest. */
export type ManifestLine = {
  /** The name of the manifest. */
  readonly file: string;
  readonly line: number;
  /** Whether the lines of the text are those below this one. */
  readonly isBlock: boolean;
};

/** How the files are read before their columns become fields. */
export type FileReading = {
  /** Absent: by the byte order mark, or else UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** One character. Absent: the one with which the header has the columns of the fields. */
  readonly delimiter?: string | undefined;
  /** Whether runs of spaces are between the values, which then become one delimiter. */
  readonly isSpaced: boolean;
  /** The least number of spaces between two values. Absent: one. */
  readonly spacesMin?: number | undefined;
  /** One character, or empty for none. */
  readonly quote: string;
  /** One character before a quote within a value. Absent: it is doubled. */
  readonly escape?: string | undefined;
  readonly hasHeader: boolean;
  readonly skipLines: number;
  /** The number of lines between the header and the rows. */
  readonly skipBelowHeader: number;
  /** Whether lines that repeat the header are left out. */
  readonly repeatedHeaders: boolean;
  /** The number of lines below the rows, or how the first of them begins. */
  readonly footer: number | string;
  /** Texts that mean that a value is absent. */
  readonly nulls: readonly string[];
  /** The file within a zip archive, or the array within an object of JSON. Absent: the only one. */
  readonly member?: string | undefined;
  /** The coordinate system of a shapefile that does not have it: `degrees` or WKT. */
  readonly coordinates?: string | undefined;
  /** The sheet of a workbook. Absent: the first one. */
  readonly sheet?: string | undefined;
  /** The column made of the names of the files. */
  readonly fileName?: NameColumn | undefined;
  /** The column made of the names of the sheets, whose pattern chooses them. */
  readonly sheetName?: NameColumn | undefined;
};

/** How a clean file is read. */
export const PLAIN_READING: FileReading = {
  isSpaced: false,
  quote: '"',
  hasHeader: true,
  skipLines: 0,
  skipBelowHeader: 0,
  repeatedHeaders: false,
  footer: 0,
  nulls: [],
};
