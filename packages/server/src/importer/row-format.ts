import type { DatasetSource } from '../catalog/manifest.ts';
import type { Field } from '../domain/field.ts';
import type { FieldReading } from './field-reading.ts';
import type { FoundProblems } from './found-problems.ts';
import type { ImportConnection, Parameters } from './import-connection.ts';
import type { RowProblem } from './import-error.ts';
import type { ScanLimits, SourceScan } from './scan-source-file.ts';
import type { SourceFile } from './source-file.ts';

/** How the rows of one file format are read; each format has a file with one of these. */
export type RowFormat = {
  /** Looks at a file before its rows are read: its columns, and whether it can be read at all. */
  readonly open: (context: {
    readonly connection: ImportConnection;
    readonly source: DatasetSource;
    readonly file: SourceFile;
    readonly limits: ReadingLimits;
  }) => Promise<{ readonly rows: OpenedRows } | { readonly found: FoundProblems }>;
  /** Whether a row may leave a column out, so that a column is missing only when no row has it. */
  readonly columnsVary: boolean;
};

export type ReadingLimits = ScanLimits & {
  /** The memory of the engine. */
  readonly memoryLimitBytes: number;
};

/** A file whose columns are known. */
export type OpenedRows = {
  readonly file: SourceFile;
  /** The columns of the file as often as they stand in it; those that are always there not. */
  readonly columns: readonly string[];
  /** Columns beside those of the file, such as the id of a feature. */
  readonly specialColumns: readonly string[];
  /** Reads the file once before its rows are read; a format whose columns are in the rows has done so. */
  readonly scan: () => Promise<{ readonly scan: SourceScan } | { readonly found: FoundProblems }>;
  /** How the fields are read, each from its column; or what stands against it. */
  readonly select: (
    fields: readonly FieldColumn[],
  ) => { readonly selection: RowSelection } | { readonly found: FoundProblems };
  /** The rows that the reader left out, after all were read. */
  readonly findRejects: () => Promise<FoundProblems>;
  /** Finds the problem of a file that could not be read to its end. */
  readonly explainFailure: (error: Error) => Promise<FoundProblems>;
  /** The places of rows, by their number among the rows that were read, from 0. */
  readonly locate: (rows: readonly number[]) => Promise<ReadonlyMap<number, RowPlace>>;
};

export type FieldColumn = { readonly field: Field; readonly column: string };
export type RowPlace = Pick<RowProblem, 'line' | 'row' | 'feature'>;

export type RowSelection = {
  /** A query of the raw columns on which the readings are expressions. */
  readonly query: string;
  readonly parameters: Parameters;
  /** One for each field, in the same order. */
  readonly readings: readonly FieldReading[];
  /** For formats whose rows can be no rows at all: NULL, or why, and the text shown for it. */
  readonly rowReason?: string;
  readonly rowShown?: string;
};
