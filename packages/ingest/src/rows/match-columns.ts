import type { Dataset } from '@locmetrics/core/domain/dataset';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { columnIndexes } from '../formats/csv-header.ts';
import type { FieldColumn, OpenedRows } from '../formats/row-format.ts';
import type { ColumnName } from '../manifest/field-source.ts';
import type { DatasetSource } from '../manifest/manifest.ts';
import { type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { shownValue } from '../problems/import-error.ts';
import { neededColumns } from '../steps/needed-columns.ts';
import { findMember } from './member-path.ts';

/** The columns of each field that is read from the files, in the order of the fields. */
export function fieldColumns(dataset: Dataset, source: DatasetSource): readonly FieldColumn[] {
  return dataset.fields
    .map((field) => ({
      field,
      source: source.fields.get(field.name) ?? { columns: [field.name] },
    }))
    .filter(({ source: { from } }) => from === undefined);
}

/** Checks that the files have every column of a field exactly once. */
export function findColumnProblems(
  needed: readonly FieldColumn[],
  opened: readonly OpenedRows[],
  {
    columnsVary,
    skipLines,
  }: {
    readonly columnsVary: boolean;
    /** For a table with a header: the lines above it. */
    readonly skipLines?: number | undefined;
  },
): readonly FoundProblems[] {
  const everywhere = opened.flatMap((rows) => rows.columns);
  if (columnsVary && everywhere.length === 0) return [];
  return opened.flatMap((rows, index) => {
    // If rows may leave a column out, the columns of all files are checked once, with the first file.
    if (columnsVary && index > 0) return [];
    const columns = columnsVary ? [...new Set(everywhere)] : rows.columns;
    const wanted = needed.flatMap(({ field, source }) =>
      source.columns.map((column) => ({ field, column })),
    );
    const isInVain = !wanted.some(
      ({ column }) => typeof column === 'string' && columnIndexes(columns, column).length > 0,
    );
    const place = isInVain && skipLines !== undefined ? headerPlace(columns, skipLines) : undefined;
    return wanted.flatMap(({ field, column }) => {
      if (typeof column === 'string' && rows.specialColumns.includes(column)) return [];
      const found = columnIndexes(columns, column);
      const count = found.length;
      const isMember = typeof column === 'string' && findMember(column, columns) !== undefined;
      if (count === 1 || (count === 0 && isMember)) return [];
      return fileProblem(rows.file, {
        field: field.name,
        reason:
          count === 0
            ? `the column ${shownColumn(column)} is missing`
            : `the column ${shownColumn(column)} is in the header ${count} times`,
        hint:
          count === 0
            ? (place ?? missingHint(column, [...columns, ...rows.specialColumns]))
            : `Give the position of the correct one: ${found.map((index) => `column: ${index + 1}`).join(' or ')}. Or give each column a different name.`,
      });
    });
  });
}

function shownColumn(column: ColumnName): string {
  return typeof column === 'number' ? String(column) : shownValue(column);
}

/** If no name is in the header, it is probably another line; a single name can be one that has no delimiter. */
function headerPlace(columns: readonly string[], skipLines: number): string | undefined {
  if (columns.length < 2 && skipLines === 0) return undefined;
  const names = columns.filter((name) => name !== '').slice(0, HEADER_NAMES_MAX);
  const more = columns.length > names.length ? ', …' : '';
  const what = skipLines === 0 ? 'declare' : 'correct';
  return `Line ${skipLines + 1} is read as the header: ${names.join(', ')}${more}. If the names are in another line, ${what} the number of lines above it: read: { skip_lines }.`;
}

const HEADER_NAMES_MAX = 10;

function missingHint(column: ColumnName, columns: readonly string[]): string {
  if (typeof column === 'string') {
    return (
      positionHint(column, columns) ?? delimiterHint(column, columns) ?? nameHint(column, columns)
    );
  }
  return `There ${columns.length === 1 ? 'is 1 column' : `are ${columns.length} columns`}. Check the delimiter too.`;
}

/** A column with the name of a position is one of steps: without them, the position is a number. */
function positionHint(column: string, columns: readonly string[]): string | undefined {
  const position = Number(/^column (\d+)$/.exec(column)?.[1]);
  if (!(position <= columns.length)) return undefined;
  return `Only after steps, or beside expressions, a column is named by its position. Here, write the number: column: ${position}.`;
}

/** If the only column has the name within its own, the character beside it probably separates the columns. */
function delimiterHint(
  column: string,
  [only = '', ...others]: readonly string[],
): string | undefined {
  const start = only.toLowerCase().indexOf(column.toLowerCase());
  if (others.length > 0 || start < 0) return undefined;
  const beside = only.charAt(start + column.length) || only.charAt(start - 1);
  if (!/^[!#$%&*+,:;<=>?@\\^|~]$/.test(beside)) return undefined;
  return `There is only one column, ${shownValue(only)}. If ${beside} separates the values, declare it: read: { delimiter: '${beside}' }.`;
}

/** A notice of the unused columns, so that no column is forgotten by mistake. */
export function unusedColumnNotices(
  needed: readonly FieldColumn[],
  columnsOfFiles: readonly (readonly string[])[],
  siblings: DatasetSource['siblings'] = [],
): readonly string[] {
  const usedColumns = needed.flatMap(({ source }) => source.columns);
  const unused = [
    ...new Set(
      columnsOfFiles.flatMap((columns) => {
        const used = new Set(usedColumns.flatMap((column) => usedIndexes(columns, column)));
        const ofOthers = new Set(siblings.flatMap((other) => [...usedBySibling(columns, other)]));
        return columns.filter((name, index) => !used.has(index) && !ofOthers.has(name));
      }),
    ),
  ];
  if (unused.length === 0) return [];
  const shown = unused.slice(0, SHOWN_COLUMNS_MAX).map((name) => (name === '' ? '(blank)' : name));
  const hidden = unused.length - shown.length;
  const more = hidden === 0 ? '' : ` and ${hidden} more`;
  return [`These columns of the files are not used by any field: ${shown.join(', ')}${more}.`];
}

/** The columns that a field is read from, if only from a member of their objects. */
function usedIndexes(columns: readonly string[], column: ColumnName): readonly number[] {
  const found = columnIndexes(columns, column);
  if (found.length > 0 || typeof column === 'number') return found;
  const member = findMember(column, columns);
  return member === undefined ? [] : columnIndexes(columns, member.column);
}

/** The columns that another dataset of the same files uses. */
function usedBySibling(
  columns: readonly string[],
  sibling: Pick<DatasetSource, 'steps' | 'fields'>,
): ReadonlySet<string> {
  const sources = [...sibling.fields.values()];
  const isPlain =
    sibling.steps.length === 0 && sources.every(({ expression }) => expression === undefined);
  if (!isPlain) return neededColumns(columns, sibling);
  const indexes = sources.flatMap((source) =>
    source.columns.flatMap((column) => usedIndexes(columns, column)),
  );
  return new Set(indexes.map((index) => columns[index] ?? ''));
}

const SHOWN_COLUMNS_MAX = 40;
