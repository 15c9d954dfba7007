import type { Dataset } from '@locmetrics/core/domain/dataset';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { columnIndexes } from '../formats/csv-header.ts';
import type { FieldColumn, OpenedRows } from '../formats/row-format.ts';
import type { ColumnName } from '../manifest/field-source.ts';
import type { DatasetSource } from '../manifest/manifest.ts';
import { type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { shownValue } from '../problems/import-error.ts';

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
  columnsVary: boolean,
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
    return wanted.flatMap(({ field, column }) => {
      if (typeof column === 'string' && rows.specialColumns.includes(column)) return [];
      const found = columnIndexes(columns, column);
      const count = found.length;
      if (count === 1) return [];
      return fileProblem(rows.file, {
        field: field.name,
        reason:
          count === 0
            ? `the column ${shownColumn(column)} is missing`
            : `the column ${shownColumn(column)} is in the header ${count} times`,
        hint:
          count === 0
            ? missingHint(column, [...columns, ...rows.specialColumns])
            : `Give the position of the correct one: ${found.map((index) => `column: ${index + 1}`).join(' or ')}. Or give each column a different name.`,
      });
    });
  });
}

function shownColumn(column: ColumnName): string {
  return typeof column === 'number' ? String(column) : shownValue(column);
}

function missingHint(column: ColumnName, columns: readonly string[]): string {
  if (typeof column === 'string')
    return delimiterHint(column, columns) ?? nameHint(column, columns);
  return `There ${columns.length === 1 ? 'is 1 column' : `are ${columns.length} columns`}. Check the delimiter too.`;
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
): readonly string[] {
  const usedColumns = needed.flatMap(({ source }) => source.columns);
  const unused = [
    ...new Set(
      columnsOfFiles.flatMap((columns) => {
        const used = new Set(usedColumns.flatMap((column) => columnIndexes(columns, column)));
        return columns.filter((_, index) => !used.has(index));
      }),
    ),
  ];
  if (unused.length === 0) return [];
  const shown = unused.slice(0, SHOWN_COLUMNS_MAX).map((name) => (name === '' ? '(blank)' : name));
  const hidden = unused.length - shown.length;
  const more = hidden === 0 ? '' : ` and ${hidden} more`;
  return [`These columns of the files are not used by any field: ${shown.join(', ')}${more}.`];
}

const SHOWN_COLUMNS_MAX = 40;
