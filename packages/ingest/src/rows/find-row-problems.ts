import {
  type ImportConnection,
  STAGE_TABLE,
} from '@locmetrics/column-store/publish/import-connection';
import { numberOf, type ResultRow, textOf } from '@locmetrics/column-store/publish/result-row';
import type { OpenedRows, RowPlace } from '../formats/row-format.ts';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { type Example, type FoundProblems, foundProblem } from '../problems/found-problems.ts';
import { PROBLEMS_MAX, type ProblemCount, shownValue } from '../problems/import-error.ts';
import { placeText, type StepError, type StepRow } from '../steps/step-error.ts';
import { problemHint } from './problem-hint.ts';
import type { RowCheck } from './row-checks.ts';

/** A file whose rows were read, and the number of its first row among those of all files. */
export type StagedFile = {
  readonly rows: OpenedRows;
  readonly firstRow: number;
  readonly rowCount: number;
};

/** The staged rows of all files, with what finds their places. */
export type StagedRows = {
  readonly connection: ImportConnection;
  readonly files: readonly StagedFile[];
  /** Whether steps are between the rows of the files and the staged ones. */
  readonly isStepped: boolean;
  /** The step whose SQL made the rows, so that none of the files is the source of one. */
  readonly origin?: string | undefined;
};

/** Counts the findings of the checks by reason, and returns examples with their places. */
export async function findRowProblems(
  options: StagedRows & { readonly checks: readonly RowCheck[] },
): Promise<FoundProblems> {
  const counts: ProblemCount[] = [];
  const listed: { readonly check: RowCheck; readonly row: ResultRow }[] = [];
  for (const check of options.checks) {
    const found = `SELECT rowid::DOUBLE AS row_number, ${check.shown} AS shown,
        ${check.reason} AS reason, ${check.earlierRow ?? 'NULL'}::DOUBLE AS earlier_row,
        ${check.otherValue ?? 'NULL'}::VARCHAR AS other_value
      FROM ${check.from ?? STAGE_TABLE} WHERE ${check.condition}`;
    const counted = await options.connection.list(
      `SELECT reason, count(*)::DOUBLE AS count FROM (${found}) GROUP BY reason ORDER BY ALL`,
    );
    for (const row of counted) {
      const reason = textOf(row, 'reason');
      counts.push({ field: check.field, reason, count: numberOf(row, 'count') });
    }
    const examples = await options.connection.list(
      `SELECT * FROM (${found})
        QUALIFY row_number() OVER (PARTITION BY reason ORDER BY row_number) <= ${PROBLEMS_MAX}`,
    );
    listed.push(...examples.map((row) => ({ check, row })));
  }
  const places = await locateRows(
    options,
    listed.flatMap(({ row }) => [row['row_number'], row['earlier_row']]),
  );
  return { counts, examples: listed.map(({ check, row }) => toExample(check, row, places)) };
}

/** A row in a file. */
export type Place = {
  /** The name and the number of the file, or of the step whose SQL made the row. */
  readonly file: { readonly label: string; readonly number: number };
  readonly place: RowPlace;
  /** After an unpivot: from which of the columns the row is. */
  readonly note?: string;
};

/** The places of staged rows in the files. */
export async function locateRows(
  { connection, files, isStepped, origin }: StagedRows,
  rowNumbers: readonly (string | number | null | undefined)[],
): Promise<ReadonlyMap<number, Place>> {
  const wanted = [...new Set(rowNumbers.filter((number) => typeof number === 'number'))];
  if (!isStepped || wanted.length === 0) return locateFileRows(files, wanted);
  const listed = await connection.list(
    `SELECT rowid::DOUBLE AS row_number, source_row::DOUBLE AS source_row, source_note
      FROM ${STAGE_TABLE} WHERE rowid IN (${wanted.join(', ')})`,
  );
  const sources = listed.map((row) => numberOf(row, 'source_row'));
  const places =
    origin === undefined
      ? await locateFileRows(files, [...new Set(sources)])
      : new Map(sources.map((row) => [row, placeInResult(origin, row)]));
  return new Map(
    listed.flatMap((row) => {
      const place = places.get(numberOf(row, 'source_row'));
      const note = row['source_note'];
      if (place === undefined) return [];
      const noted = typeof note === 'string' ? { ...place, note } : place;
      return [[numberOf(row, 'row_number'), noted] as const];
    }),
  );
}

/** The place of a row that the SQL of a step made. */
function placeInResult(origin: string, row: number): Place {
  return { file: { label: origin, number: 0 }, place: { row: row + 1 } };
}

/** The places of rows by their number among those of all files. */
async function locateFileRows(
  files: readonly StagedFile[],
  rowNumbers: readonly number[],
): Promise<ReadonlyMap<number, Place>> {
  const places = new Map<number, Place>();
  for (const file of files) {
    const within = rowNumbers
      .map((number) => number - file.firstRow)
      .filter((number) => number >= 0 && number < file.rowCount);
    if (within.length === 0) continue;
    const located = await file.rows.locate(within);
    for (const number of within) {
      places.set(number + file.firstRow, {
        file: file.rows.file,
        place: located.get(number) ?? {},
      });
    }
  }
  return places;
}

function toExample(check: RowCheck, row: ResultRow, places: ReadonlyMap<number, Place>): Example {
  const position = numberOf(row, 'row_number');
  const found = places.get(position);
  if (found === undefined) throw new Error(`The row ${position} is in no file.`);
  const { file, place, note } = found;
  const countedReason = textOf(row, 'reason');
  const value = row['shown'];
  const earlier = row['earlier_row'];
  const other = row['other_value'];
  const reason =
    typeof earlier === 'number'
      ? (repeatedReason(places.get(earlier), file) ?? countedReason)
      : typeof other === 'string'
        ? `${countedReason} ${shownValue(other)}`
        : countedReason;
  const hint = problemHint(countedReason, typeof value === 'string' ? value : '');
  return {
    problem: {
      file: file.label,
      ...place,
      field: check.field,
      value: typeof value === 'string' ? value : undefined,
      reason: note === undefined ? reason : `${reason}, where ${note}`,
      hint,
    },
    countedReason,
    fileNumber: file.number,
    position: place.line ?? place.row ?? place.feature ?? position,
  };
}

function repeatedReason(earlier: Place | undefined, file: Place['file']): string | undefined {
  if (earlier === undefined) return undefined;
  const [kind, number] = Object.entries(earlier.place)[0] ?? [];
  const elsewhere = earlier.file.label === file.label ? '' : ` of ${earlier.file.label}`;
  if (number !== undefined) return `is already in ${kind} ${number}${elsewhere}`;
  return elsewhere === '' ? undefined : `is already in another row${elsewhere}`;
}

type Tables = ReadonlyMap<string, { readonly file: StagedFile }>;

/** The rows for which a step fails, with their places; or else its place in the manifest. */
export async function findStepProblems(
  error: StepError,
  {
    declared,
    files,
    tables,
  }: {
    readonly declared: DeclaredDataset;
    readonly files: readonly StagedFile[];
    /** The files that steps name, by table. */
    readonly tables: Tables;
  },
): Promise<FoundProblems> {
  const { reason, hint } = error;
  const field = placeText(error.keys);
  const examples: Example[] = [];
  for (const row of error.rows) {
    const [found, earlier] = [
      await placeOf(row, row.row, files, tables),
      row.earlierRow === undefined ? undefined : await placeOf(row, row.earlierRow, files, tables),
    ];
    if (found === undefined) continue;
    examples.push({
      problem: {
        file: found.file.label,
        ...found.place,
        field,
        value: row.value,
        reason: repeatedReason(earlier, found.file) ?? reason,
        hint,
      },
      countedReason: reason,
      fileNumber: found.file.number,
      position: found.place.line ?? found.place.row ?? row.row,
    });
  }
  if (examples.length > 0) return { examples, counts: [{ field, reason, count: error.count }] };
  const written = declared.lineOf?.(error.keys);
  const line =
    written === undefined || !written.isBlock ? written?.line : written.line + error.textLine;
  return foundProblem(0, {
    file: written?.file ?? files[0]?.rows.file.label ?? '',
    line,
    field: `datasets.${declared.dataset.name}.${field}`,
    reason,
    hint,
  });
}

async function placeOf(
  { table, origin }: StepRow,
  row: number,
  files: readonly StagedFile[],
  tables: Tables,
): Promise<Place | undefined> {
  if (origin !== undefined) return placeInResult(origin, row);
  const file = table === undefined ? undefined : tables.get(table)?.file;
  const located = await locateFileRows(file === undefined ? files : [file], [row]);
  return located.get(row);
}
