import { dateText } from '../cell-date.ts';
import { ROW_BYTES_MAX } from '../scan-source-file.ts';
import { UnreadableText } from '../unreadable-text.ts';
import { CELL_LENGTH_MAX, type OpenSheet, unescapeCell } from './workbook.ts';

/** A row of a sheet: its number from 1, and the texts of its cells from the first column on. */
export type SheetRow = {
  readonly number: number;
  readonly cells: readonly string[];
  /** The types of the cells as the sheet writes them: n for a number, which is also that of a date. */
  readonly types: readonly (string | undefined)[];
  /** The digits that numbers are shown with, where their format fills them up with zeros. */
  readonly digits: readonly (number | undefined)[];
};

/**
 * Reads the rows of a sheet that have cells. Numbers are in their shortest form, dates as YYYY-MM-DD, booleans as true
 * and false, errors as they are shown, such as #N/A. Formulas have the value that was saved with them.
 */
export async function* readSheetRows(sheet: OpenSheet): AsyncGenerator<SheetRow> {
  let rowNumber = 0;
  let cells: string[] = [];
  let types: string[] = [];
  let digits: number[] = [];
  let cell: Cell | undefined;
  let column = 0;
  let rowLength = 0;
  let isValue = false;
  for await (const events of sheet.read()) {
    const rows: SheetRow[] = [];
    for (const event of events) {
      if (event.kind === 'text') {
        if (!isValue || cell === undefined) continue;
        cell.text += event.text;
        rowLength += event.text.length;
        if (cell.text.length > CELL_LENGTH_MAX) throw longCell(rowNumber);
        if (rowLength > ROW_BYTES_MAX) throw longRow(rowNumber);
        continue;
      }
      if (event.kind === 'open') {
        const { name, attributes } = event;
        if (name === 'row') {
          rowNumber = nextRow(rowNumber, attributes.get('r'));
          cells = [];
          types = [];
          digits = [];
          column = 0;
          rowLength = 0;
        } else if (name === 'c') {
          column = columnOf(attributes.get('r')) ?? column + 1;
          cell = {
            type: attributes.get('t') ?? 'n',
            style: Number(attributes.get('s') ?? 0),
            text: '',
          };
        } else if (name === 'v' || name === 't') {
          isValue = true;
        }
        continue;
      }
      if (event.name === 'v' || event.name === 't') isValue = false;
      if (event.name === 'c' && cell !== undefined) {
        while (cells.length < column - 1) cells.push('');
        cells[column - 1] = textOf(cell, sheet, rowNumber);
        types[column - 1] = cell.type;
        const shownDigits = sheet.zeroStyles[cell.style] ?? 0;
        if (cell.type === 'n' && shownDigits > 0) digits[column - 1] = shownDigits;
        cell = undefined;
      }
      if (event.name === 'row') rows.push({ number: rowNumber, cells, types, digits });
    }
    yield* rows;
  }
}

function longCell(row: number): UnreadableText {
  return new UnreadableText({
    row,
    reason: `has a cell of more than ${CELL_LENGTH_MAX.toLocaleString('en-US')} characters`,
    hint: 'Excel writes at most 32,767: the workbook is damaged or malicious. Save it again.',
  });
}

function longRow(row: number): UnreadableText {
  return new UnreadableText({
    row,
    reason: 'the row is too long',
    hint: `A row has at most ${ROW_BYTES_MAX / 2 ** 20} MiB.`,
  });
}

/** The number of a row, which is greater than that of the row before. */
function nextRow(before: number, written: string | undefined): number {
  const row = written === undefined ? before + 1 : Number(written);
  if (Number.isInteger(row) && row > before && row <= ROWS_MAX) return row;
  throw new UnreadableText({
    value: written,
    reason: `is a row number, but must be from ${before + 1} to ${ROWS_MAX}`,
    hint: 'Save the workbook again.',
  });
}

/** The rows that a sheet of Excel can have. */
const ROWS_MAX = 2 ** 20;

type Cell = { readonly type: string; readonly style: number; text: string };

function textOf({ type, style, text }: Cell, sheet: OpenSheet, row: number): string {
  switch (type) {
    case 's': {
      const shared = sheet.sharedStrings[Number(text)];
      if (shared !== undefined || text === '') return shared ?? '';
      throw new UnreadableText({
        row,
        reason: `has a cell with the text ${text}, which the workbook does not have`,
        hint: 'Save the workbook again.',
      });
    }
    case 'b':
      return text === '' ? '' : text === '1' ? 'true' : 'false';
    case 'n': {
      if (text === '') return '';
      const number = Number(text);
      return sheet.dateStyles[style] === true ? dateText(number, sheet.is1904) : String(number);
    }
    default:
      return unescapeCell(text);
  }
}

/** The number of a column by the place of a cell, such as 28 for AB7. */
function columnOf(place: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(place ?? '') ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}
