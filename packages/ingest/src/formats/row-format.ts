import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { Parameters } from '@locmetrics/column-store/publish/watched-connection';
import type { Field } from '@locmetrics/core/domain/field';
import type { FieldSource } from '../manifest/field-source.ts';
import type { DatasetSource } from '../manifest/manifest.ts';
import type { FoundProblems } from '../problems/found-problems.ts';
import type { RowProblem } from '../problems/import-error.ts';
import type { FieldReading } from './field-reading.ts';
import type { ScanLimits, SourceScan } from './scan-source-file.ts';
import type { SourceFile } from './source-file.ts';

/** The reader of one file format. Each format has its own file. */
export type RowFormat = {
  /** Inspects a file before its rows are read: its columns, and whether it can be read. */
  readonly open: (context: {
    readonly connection: ImportConnection;
    readonly source: DatasetSource;
    readonly file: SourceFile;
    readonly limits: ReadingLimits;
    /** A table that the values of JSON are copied to, for a caller that queries them many times. */
    readonly keptTable?: string | undefined;
  }) => Promise<{ readonly rows: OpenedRows } | { readonly found: FoundProblems }>;
  /** Functions that its queries call, by name. */
  readonly functions?: Readonly<Record<string, (text: string) => string>>;
  /** Whether a row may omit a column; then a column is missing only if no row has it. */
  readonly columnsVary: boolean;
};

export type ReadingLimits = ScanLimits & {
  /** The memory of the engine. */
  readonly memoryLimitBytes: number;
};

/** A file with known columns. */
export type OpenedRows = {
  readonly file: SourceFile;
  /** The columns of the file, repeated ones repeatedly, without those that always exist. */
  readonly columns: readonly string[];
  /** Columns in addition to those of the file, such as the id of a feature. */
  readonly specialColumns: readonly string[];
  /** Scans the file once before its rows are read. A format whose columns are in the rows has done this already. */
  readonly scan: () => Promise<{ readonly scan: SourceScan } | { readonly found: FoundProblems }>;
  /** The readings of the fields, each from its column, or the problems that prevent them. */
  readonly select: (
    fields: readonly FieldColumn[],
  ) => { readonly selection: RowSelection } | { readonly found: FoundProblems };
  /**
   * The columns as texts, as steps see them. Each is named by its index among the columns followed by the special
   * ones; -1 is a column that the file lacks.
   */
  readonly selectTexts: (columns: readonly number[]) => TextSelection;
  /** The rows that the reader left out, after the whole file was read. */
  readonly findRejects: () => Promise<FoundProblems>;
  /**
   * After the engine failed: the rows of a copy in which all lines end in the same way, written into the folder, if
   * the file needs it.
   */
  readonly readEven?: (folder: string) => Promise<OpenedRows | undefined>;
  /** Finds the problem of a file that could not be read to its end. */
  readonly explainFailure: (error: Error) => Promise<FoundProblems>;
  /** The places of rows, by their number among the read rows, from 0. */
  readonly locate: (rows: readonly number[]) => Promise<ReadonlyMap<number, RowPlace>>;
};

export type FieldColumn = { readonly field: Field; readonly source: FieldSource };
export type RowPlace = Pick<RowProblem, 'line' | 'row' | 'feature'>;

/** Columns as texts: a query, and SQL of each text over its rows. */
export type TextSelection = Pick<
  RowSelection,
  'query' | 'parameters' | 'rowReason' | 'rowShown'
> & { readonly texts: readonly string[] };

export type RowSelection = {
  /** A query of the raw columns that the readings use. */
  readonly query: string;
  readonly parameters: Parameters;
  /** The readings, one for each field, in the same order. */
  readonly readings: readonly FieldReading[];
  /** For rows after steps: the column with the number of the row of the files that each came from. */
  readonly sourceRow?: string;
  /** SQL of what distinguishes the rows that came from the same one, for messages: `year is '2020'`. */
  readonly sourceNote?: string;
  /** For formats in which a row can be invalid as a whole: NULL or the reason, and the shown text. */
  readonly rowReason?: string;
  readonly rowShown?: string;
};

/** The result of opening a file that was copied as text, with the places of the original instead of the lines of the copy. */
export function replaceLines(
  opened: Awaited<ReturnType<RowFormat['open']>>,
  placeOf: (line: number) => RowPlace,
): Awaited<ReturnType<RowFormat['open']>> {
  return 'found' in opened
    ? { found: inFound(opened.found, placeOf) }
    : { rows: inRows(opened.rows, placeOf) };
}

type PlaceOf = (line: number) => RowPlace;

function inRows(rows: OpenedRows, placeOf: PlaceOf): OpenedRows {
  return {
    ...rows,
    scan: async () => {
      const scanned = await rows.scan();
      return 'found' in scanned ? { found: inFound(scanned.found, placeOf) } : scanned;
    },
    findRejects: async () => inFound(await rows.findRejects(), placeOf),
    explainFailure: async (error) => inFound(await rows.explainFailure(error), placeOf),
    locate: async (numbers) => {
      const places = await rows.locate(numbers);
      return new Map([...places].map(([number, place]) => [number, inPlace(place, placeOf)]));
    },
  };
}

function inFound(found: FoundProblems, placeOf: PlaceOf): FoundProblems {
  return {
    ...found,
    examples: found.examples.map((example) => ({
      ...example,
      problem: inPlace(example.problem, placeOf),
    })),
  };
}

function inPlace<Place extends RowPlace | RowProblem>(place: Place, placeOf: PlaceOf): Place {
  const { line, ...rest } = place;
  if (line === undefined) return place;
  // The rest has all members of the place but one that is optional.
  return { ...(rest as Place), ...placeOf(line) };
}
