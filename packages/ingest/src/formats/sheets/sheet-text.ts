import type { FileReading } from '../../manifest/manifest.ts';
import { shownValue } from '../../problems/import-error.ts';
import type { LeftOutHeaders } from '../leave-out-headers.ts';
import { UnreadableText } from '../unreadable-text.ts';
import type { SheetRow } from './sheet-rows.ts';

/**
 * The rows of a sheet as CSV, in which every row has a line, also a blank one. So the line of a record is the number of
 * its row, but for the line breaks inside cells before it, which `rowOfLine` leaves out.
 */
export type SheetText = {
  readonly text: AsyncIterable<Buffer>;
  /** Once the text was read. */
  readonly rowOfLine: (line: number) => number;
  readonly above: () => LeftOutRows;
  readonly below: () => LeftOutRows;
  readonly headers: () => LeftOutHeaders;
};

export type LeftOutRows = { readonly lines: number; readonly first: string };

export function sheetText(
  rows: AsyncIterable<SheetRow>,
  { skipLines, footer, hasHeader, skipBelowHeader, repeatedHeaders }: FileReading,
): SheetText {
  /** The lines after which a cell had line breaks, with their number. */
  const breaks: { readonly line: number; readonly count: number }[] = [];
  const above = { lines: skipLines, first: '' };
  const below = { lines: 0, first: '' };
  const headers = { below: { lines: 0, first: '' }, repeated: { lines: 0, firstLine: 0 } };
  let header: string | undefined;
  /** Whether a row belongs to the header, or repeats it. */
  const isOfHeader = (number: number, cells: readonly string[]): boolean => {
    const written = cells.map(inOneLine).join('\u0000');
    if (header === undefined) {
      header = hasHeader ? written : '';
      return false;
    }
    if (headers.below.lines < skipBelowHeader) {
      if (headers.below.lines === 0) headers.below.first = cells.join(', ');
      headers.below.lines += 1;
      return true;
    }
    if (!repeatedHeaders || written !== header) return false;
    if (headers.repeated.lines === 0) headers.repeated.firstLine = number;
    headers.repeated.lines += 1;
    return true;
  };
  const text = async function* (): AsyncGenerator<Buffer> {
    let line = skipLines + 1;
    let next = skipLines + 1;
    let width: number | undefined;
    for await (const { number, cells } of withoutFooter(rows, footer, below)) {
      if (number <= skipLines) {
        if (above.first === '') above.first = cells.find((cell) => cell !== '') ?? '';
        continue;
      }
      const isHeader = width === undefined && hasHeader;
      const values = withoutEmptyEnd(isHeader ? cells.map(inOneLine) : cells);
      // A row without cells is no row, but it has a number.
      for (; next < number; next += 1, line += 1) yield LINE_END;
      next = number + 1;
      if (values.length === 0 || isOfHeader(number, values)) {
        line += 1;
        yield LINE_END;
        continue;
      }
      width ??= values.length;
      const padded = [...values, ...Array<string>(Math.max(0, width - values.length)).fill('')];
      const record = padded.map(quoted).join(',');
      const count = record.split('\n').length - 1;
      if (count > 0) breaks.push({ line, count });
      line += 1 + count;
      yield Buffer.from(`${record}\n`);
    }
    if (typeof footer === 'string' && below.lines === 0) {
      throw new UnreadableText({
        reason: `has no row that begins with ${shownValue(footer)}`,
        hint: 'Correct read: { footer }, or leave it out.',
      });
    }
  };
  return {
    text: text(),
    rowOfLine: (line) =>
      breaks.reduce(
        (row, one) => (one.line < line ? row - Math.min(one.count, line - one.line) : row),
        line,
      ),
    above: () => above,
    below: () => below,
    headers: () => headers,
  };
}

const LINE_END = Buffer.from('\n');

/** All cells are quoted, so that spaces and quotes in them mean nothing. Line breaks are those of the copy. */
function quoted(cell: string): string {
  if (cell === '') return '';
  return `"${cell.replaceAll(/\r\n?/g, '\n').replaceAll('"', '""')}"`;
}

/** The name of a column is often broken into several lines. */
function inOneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim();
}

function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
}

async function* withoutFooter(
  rows: AsyncIterable<SheetRow>,
  footer: number | string,
  below: { lines: number; first: string },
): AsyncGenerator<SheetRow> {
  const held: SheetRow[] = [];
  for await (const row of rows) {
    const [first = ''] = row.cells.filter((cell) => cell !== '');
    // Cells with a format only are no rows.
    if (first === '') continue;
    if (typeof footer === 'string') {
      if (below.lines > 0 || first.startsWith(footer)) {
        if (below.lines === 0) below.first = first;
        below.lines += 1;
      } else yield row;
      continue;
    }
    held.push(row);
    if (held.length > footer) {
      const ready = held.shift();
      if (ready !== undefined) yield ready;
    }
  }
  if (held.length > 0) {
    below.lines = held.length;
    below.first = held[0]?.cells.find((cell) => cell !== '') ?? '';
  }
}
