import { parse } from 'csv-parse/sync';
import type { FileReading } from '../manifest/manifest.ts';
import { isDateText } from './date-formats.ts';
import { findSpacedTable } from './find-spaced-table.ts';

/** How the lines of a table are divided, and where the table starts and ends. */
export type FoundTable = Pick<FileReading, 'isSpaced' | 'quote' | 'skipLines' | 'hasHeader'> & {
  readonly delimiter: string;
  /** Lines below the rows. */
  readonly footer: number;
  readonly footerText: string;
  readonly doubts: readonly string[];
};

/** Finds the table in the first and last lines of a text. */
export function findTable(
  head: readonly string[],
  tail: readonly string[],
  preferred: string,
): FoundTable {
  const quote = head.some((line) => line.includes('"')) || !isApostropheQuoted(head) ? '"' : "'";
  const options = [preferred, ...DELIMITERS.filter((one) => one !== preferred)];
  const scored = options.map((delimiter) => ({
    delimiter,
    ...scoreDelimiter(head, delimiter, quote),
  }));
  const best = scored.reduce((left, right) => (right.score > left.score ? right : left));
  const spaced = best.score < SPACED_SCORE_MAX ? findSpacedTable(head, tail) : undefined;
  if (spaced !== undefined) {
    const footerText = spaced.footer.find((line) => line.trim() !== '') ?? '';
    const footer = spaced.footer.length;
    return { ...spaced, delimiter: '\t', isSpaced: true, quote: '"', footer, footerText };
  }
  const { delimiter, width } = best;
  const cells = (line: string) => splitCells(line, delimiter, quote);
  const top = head.slice(0, TOP_LINES);
  const first = top.findIndex((line) => line.trim() !== '' && cells(line).length >= width);
  const start = Math.max(0, first);
  const header = cells(head[start] ?? '');
  const rows = head.slice(start + 1, start + 1 + SAMPLE_LINES).map(cells);
  const body = rows.filter((row) => row.length === header.length);
  // A header can lack the delimiter that ends each row.
  const before = start > 0 ? cells(head[start - 1] ?? '') : [];
  const isShortHeader =
    before.length === width - 1 && width > 2 && rows.every((row) => row.at(-1)?.trim() === '');
  const found = isShortHeader
    ? {
        hasHeader: false,
        doubts: [
          'The header has one delimiter fewer than the rows, so it is skipped with the lines above.',
        ],
      }
    : checkHeader(header, body);
  const footer = findFooter(tail, width, cells);
  return {
    delimiter,
    isSpaced: false,
    quote,
    skipLines: start,
    footer: footer.length,
    footerText: footer.find((line) => line.trim() !== '') ?? '',
    ...found,
  };
}

/** Notes above such a table can have commas. */
const SPACED_SCORE_MAX = 0.3;
const DELIMITERS = [',', ';', '\t', '|'];
const TOP_LINES = 200;
const SAMPLE_LINES = 1000;

function splitCells(line: string, delimiter: string, quote: string): readonly string[] {
  try {
    const [cells] = parse(line, {
      delimiter,
      quote: quote === '' ? null : quote,
      escape: quote === '' ? null : quote,
      relax_quotes: true,
      relax_column_count: true,
      trim: true,
    });
    return cells ?? [];
  } catch {
    return line.split(delimiter);
  }
}

/** How many records have the usual number of values. Records can have several lines. */
function scoreDelimiter(
  head: readonly string[],
  delimiter: string,
  quote: string,
): { readonly score: number; readonly width: number } {
  const widths = head
    .slice(0, SAMPLE_LINES)
    .filter((line) => line.trim() !== '')
    .map((line) => splitCells(line, delimiter, quote).length);
  const counts = [...Map.groupBy(widths, (width) => width)].map(([width, same]) => ({
    width,
    count: same.length,
  }));
  const usual = counts.reduce(
    (left, right) =>
      right.count > left.count || (right.count === left.count && right.width > left.width)
        ? right
        : left,
    { width: 1, count: 0 },
  );
  if (usual.width === 1) {
    // Notes above a short table can outnumber its rows.
    const [first, ...wide] = counts.filter(({ width, count }) => width > 1 && count > 2);
    if (first === undefined) return { score: 0, width: 1 };
    const other = wide.reduce((left, right) => (right.count > left.count ? right : left), first);
    const score = (other.count / widths.length) * Math.log2(other.width) * 0.5;
    return { score, width: other.width };
  }
  return { score: (usual.count / widths.length) * Math.log2(usual.width), width: usual.width };
}

function isApostropheQuoted(head: readonly string[]): boolean {
  const lines = head.slice(0, 100);
  const quoted = lines.filter((line) => /(^|[,;\t|])'[^']*'([,;\t|]|$)/.test(line)).length;
  return lines.length > 1 && quoted > lines.length * 0.8;
}

/** Whether the first row of the table has the names of its columns. */
function checkHeader(
  header: readonly string[],
  body: readonly (readonly string[])[],
): Pick<FoundTable, 'hasHeader' | 'doubts'> {
  if (body.length === 0) return { hasHeader: true, doubts: [] };
  const years = header.filter(isPeriod).length;
  const values = header.filter((cell, index) => {
    if (years > 2 && isPeriod(cell)) return false;
    if (isNumber(cell)) return share(body, index, isNumber) > 0.5;
    return isDateText(cell) && share(body, index, isDateText) > 0.5;
  });
  if (values.length > 0) return { hasHeader: false, doubts: [] };
  const named = header.filter((cell) => cell !== '');
  const repeated = header.filter(
    (cell, index) => cell !== '' && body.some((row) => row[index] === cell),
  );
  if (repeated.length * 2 > named.length) {
    return {
      hasHeader: false,
      doubts: ['The first row repeats below, so it is read as a row and not as the header.'],
    };
  }
  return { hasHeader: true, doubts: [] };
}

function share(
  rows: readonly (readonly string[])[],
  index: number,
  is: (cell: string) => boolean,
): number {
  const cells = rows.flatMap((row) => (row[index] === '' ? [] : (row[index] ?? [])));
  return cells.length === 0 ? 0 : cells.filter(is).length / cells.length;
}

function isNumber(cell: string): boolean {
  return /^[+-]?[$€£]? ?\d[\d.,'’ ]*%?$/.test(cell);
}

/** A year, a month such as 202401, or a day. */
function isPeriod(cell: string): boolean {
  return /^(1[6-9]|20|21)\d\d$|^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])?$/.test(cell);
}

/** Lines at the end with at most one value, where a row has several. */
function findFooter(
  tail: readonly string[],
  width: number,
  cells: (line: string) => readonly string[],
): readonly string[] {
  if (width < 3) return [];
  let start = tail.length;
  while (start > 0 && tail.length - start < 50) {
    const values = cells(tail[start - 1] ?? '');
    const filled = values.filter((cell) => cell !== '').length;
    const line = tail[start - 1] ?? '';
    // The end of a quoted value with line breaks has a quote; a note can be quoted as a whole.
    const isOpen = /["']/.test(line) && !/^"[^"]*"$/.test(line);
    if (filled > 1 || values.length >= width || isOpen) break;
    start -= 1;
  }
  const footer = tail.slice(start);
  return footer.every((line) => line.trim() === '') ? [] : footer;
}
