import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import type { FileReading } from '../manifest/manifest.ts';
import { partOfName } from '../manifest/name-pattern.ts';
import { addressPath, isAddress } from '../manifest/source-address.ts';
import { type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import type { OpenedRows } from './row-format.ts';
import { listSheets } from './sheets/workbook.ts';
import type { SourceFile } from './source-file.ts';
import { UnreadableText } from './unreadable-text.ts';

/** A table of a file, and its columns that are made of names. */
export type NamedTable = {
  readonly file: SourceFile;
  readonly reading: FileReading;
  readonly columns: readonly NamedColumn[];
};

type NamedColumn = { readonly name: string; readonly text: string };

/** The tables of a file: the sheets whose names match, or the file itself. Other names are refused. */
export async function listNamedTables(
  file: SourceFile,
  {
    named,
    reading,
    unpackedBytesMax,
  }: {
    /** The path or the address of the file, not of its copy. */
    readonly named: string;
    readonly reading: FileReading;
    readonly unpackedBytesMax: number;
  },
): Promise<{ readonly tables: readonly NamedTable[] } | { readonly found: FoundProblems }> {
  const { fileName, sheetName } = reading;
  const columns = namedColumns(named, reading);
  if (fileName !== undefined && columns.length === 0) {
    return {
      found: fileProblem(file, {
        reason: `the name '${endOfPath(named, fileName.pattern)}' does not match '${fileName.pattern}'`,
        hint: 'Correct read: { file_name }, or leave the file out. # stands for a digit, * for any characters.',
      }),
    };
  }
  if (sheetName === undefined) return { tables: [{ file, reading, columns }] };
  const sheets = await listSheets(file.path, { unpackedBytesMax }).catch((error: unknown) => {
    if (error instanceof UnreadableText) return fileProblem(file, error.problem);
    throw error;
  });
  if ('examples' in sheets) return { found: sheets };
  const { pattern } = sheetName;
  const others = sheets.filter((sheet) => partOfName(pattern, sheet) === undefined);
  const shown = others.map((sheet) => `'${sheet}'`).join(', ');
  if (others.length === sheets.length) {
    return {
      found: fileProblem(file, {
        reason: `no sheet has a name that matches '${pattern}'`,
        hint: `Correct read: { sheet_name }. The sheets: ${shown}.`,
      }),
    };
  }
  const notice = `${file.label}: these sheets do not match '${pattern}' and are left out: ${shown}.`;
  const tables = sheets.flatMap((sheet) => {
    if (others.includes(sheet)) return [];
    const own = { ...reading, sheet };
    const label = `${file.label}/${sheet}`;
    return { file: { ...file, label }, reading: own, columns: namedColumns(named, own) };
  });
  const [first, ...rest] = tables;
  if (first === undefined || others.length === 0) return { tables };
  const notices = [...first.file.notices, notice];
  return { tables: [{ ...first, file: { ...first.file, notices } }, ...rest] };
}

/** The columns of a table whose names match. */
export function namedColumns(
  named: string,
  { fileName, sheetName, sheet = '' }: FileReading,
): readonly NamedColumn[] {
  const ofFile = fileName && partOfName(fileName.pattern, endOfPath(named, fileName.pattern));
  const ofSheet = sheetName && partOfName(sheetName.pattern, sheet);
  return [
    ...(fileName === undefined || ofFile === undefined
      ? []
      : [{ name: fileName.column, text: ofFile }]),
    ...(sheetName === undefined || ofSheet === undefined
      ? []
      : [{ name: sheetName.column, text: ofSheet }]),
  ];
}

/** As many parts of a path as a pattern has. */
function endOfPath(named: string, pattern: string): string {
  const parts = (isAddress(named) ? addressPath(named) : named).split(/[\\/]/);
  return parts.slice(-pattern.split('/').length).join('/');
}

/** The rows of a table with the columns of names after its own. Only steps can read them. */
export function withNamedColumns(
  rows: OpenedRows,
  columns: readonly NamedColumn[],
): { readonly rows: OpenedRows } | { readonly found: FoundProblems } {
  const repeated = columns.find(({ name }) =>
    rows.columns.some((own) => own.toLowerCase() === name.toLowerCase()),
  );
  if (repeated !== undefined) {
    return {
      found: fileProblem(rows.file, {
        reason: `the file has a column '${repeated.name}' of its own`,
        hint: 'Give the column in read: { file_name, sheet_name } another name.',
      }),
    };
  }
  return { rows: columns.length === 0 ? rows : addColumns(rows, columns) };
}

function addColumns(rows: OpenedRows, columns: readonly NamedColumn[]): OpenedRows {
  const first = rows.columns.length;
  const { readEven } = rows;
  return {
    ...rows,
    columns: [...rows.columns, ...columns.map(({ name }) => name)],
    selectTexts: (indexes) => {
      const literals = indexes.map((index) => columns[index - first]?.text);
      const own = indexes.flatMap((index, place) =>
        literals[place] === undefined ? (index < first ? index : index - columns.length) : [],
      );
      // A query has a column in any case.
      const selected = rows.selectTexts(own.length === 0 ? [0] : own);
      let next = 0;
      const texts = literals.map((text) => {
        if (text !== undefined) return quoteLiteral(text);
        next += 1;
        return selected.texts[next - 1] ?? 'NULL';
      });
      return { ...selected, texts };
    },
    ...(readEven === undefined
      ? {}
      : {
          readEven: async (folder) => {
            const even = await readEven(folder);
            return even === undefined ? undefined : addColumns(even, columns);
          },
        }),
  };
}
