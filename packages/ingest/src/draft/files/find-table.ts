import { parse } from 'csv-parse/sync';
import type { FileReading } from '../../manifest/manifest.ts';
import { isDateText } from './date-formats.ts';
import { type Block, findBlocks } from './find-blocks.ts';
import { findFooter } from './find-footer.ts';
import {
  type Cells,
  findHeader,
  isDataRow,
  isNumber,
  isPeriod,
  joinNames,
  namesValues,
  numbersColumns,
  type TableShape,
} from './find-header.ts';
import { findSpacedTable } from './find-spaced-table.ts';

/** How the lines of a table are divided, and where the table starts and ends. */
export type FoundTable = Pick<
  FileReading,
  'isSpaced' | 'spacesMin' | 'quote' | 'skipLines' | 'hasHeader'
> & {
  readonly delimiter: string;
  /** The rows between the header and the first value, such as units. */
  readonly below: readonly Cells[];
  /** The names of columns from two rows of the header; empty if it has one. */
  readonly names: Cells;
  /** The names of all columns, also those that are repeated; empty without a header. */
  readonly headerNames: Cells;
  /** Tables side by side; empty if there is only one. */
  readonly blocks: readonly Block[];
  /** The lines below the rows. */
  readonly footer: readonly string[];
  readonly doubts: readonly string[];
};

/** Finds the table in the first and last lines of a text. */
export function findTable(
  head: readonly string[],
  tail: readonly string[],
  preferred: string,
): FoundTable {
  const quote = head.some((line) => line.includes('"')) || !isApostropheQuoted(head) ? '"' : "'";
  const options = delimiterOfCorner(head) ?? [
    preferred,
    ...DELIMITERS.filter((one) => one !== preferred),
  ];
  const scored = options.map((delimiter) => ({
    delimiter,
    ...scoreDelimiter(head, delimiter, quote),
  }));
  const best = scored.reduce((left, right) => (right.score > left.score ? right : left));
  const isUnclear = best.score < SPACED_SCORE_MAX;
  const spaced =
    (isUnclear ? findSpacedTable(head, tail) : undefined) ??
    (isUnclear || (best.delimiter === ',' && areInNumbers(head))
      ? findSpacedTable(head, tail, WIDE_SPACES_MIN)
      : undefined);
  if (spaced !== undefined) {
    return {
      ...spaced,
      delimiter: '\t',
      isSpaced: true,
      quote: '"',
      blocks: [],
      names: [],
      headerNames: [],
    };
  }
  const { delimiter, width } = best;
  const cells = (line: string) => splitCells(line, delimiter, quote);
  const lines = head.slice(0, TOP_LINES + SAMPLE_LINES);
  const found = findHeader(lines.map(cells), width);
  const { start, shape } = found;
  const header = cells(head[start] ?? '');
  const rows = lines.slice(start + 1 + found.below.length).map(cells);
  const body = rows.filter((row) => row.length === header.length);
  // A header can lack the delimiter that ends each row.
  const before = start > 0 ? cells(head[start - 1] ?? '') : [];
  const isShortHeader =
    before.length === width - 1 && width > 2 && rows.every((row) => row.at(-1)?.trim() === '');
  const named = isShortHeader
    ? {
        hasHeader: false,
        doubts: [
          'The header has one delimiter fewer than the rows, so it is skipped with the lines above.',
        ],
      }
    : checkHeader(header, body, shape);
  const footer = findFooter(
    tail.map((text) => ({ text, cells: cells(text) })),
    { width, shape },
  ).map(({ text }) => text);
  return {
    delimiter,
    isSpaced: false,
    quote,
    skipLines: start,
    footer,
    ...named,
    below: named.hasHeader ? found.below : [],
    names: named.hasHeader ? joinNames(found.above, header) : [],
    headerNames: named.hasHeader ? header : [],
    blocks: named.hasHeader ? findBlocks(header, rows) : [],
  };
}

/** Whether most commas are within numbers, as in 7,791: then they do not divide values. */
function areInNumbers(head: readonly string[]): boolean {
  const text = head.slice(0, SAMPLE_LINES).join('\n');
  const inNumbers = text.match(/(?<= {2}\d{1,3}|,\d{3}),\d{3}(?=,\d{3}|\s)/g)?.length ?? 0;
  return inNumbers * 2 > (text.match(/,/g)?.length ?? 0);
}

const WIDE_SPACES_MIN = 2;

/** Behind freq,unit,geo\TIME_PERIOD is what divides the values, and not what divides these names. */
function delimiterOfCorner(head: readonly string[]): readonly string[] | undefined {
  const [, delimiter] =
    head
      .map((line) => /^"?[\w,;| -]+\\[\w -]+"?([\t,;|])/.exec(line))
      .find((one) => one !== null) ?? [];
  return delimiter === undefined ? undefined : [delimiter];
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
  header: Cells,
  all: readonly Cells[],
  shape: TableShape,
): Pick<FoundTable, 'hasHeader' | 'doubts'> {
  // Files that were joined have their header several times.
  const isJoined =
    (shape.measured.length > 0 && !isDataRow(header, shape)) ||
    header.some((cell) => COLUMN_NAME.test(cell));
  const body = isJoined ? all.filter((row) => !isSameRow(row, header)) : all;
  if (body.length === 0 || numbersColumns(header)) return { hasHeader: true, doubts: [] };
  const years = header.filter(isPeriod).length;
  const areNew = header.every(
    (cell, index) => !body.some((row) => row[index] === cell && cell !== ''),
  );
  const values = header.filter((cell, index) => {
    if (years > 2 && isPeriod(cell)) return false;
    // A single year can be the name of a column beside other names, but not among years.
    if (isPeriod(cell) && share(body, index, isPeriod) < 0.5 && areNew) return false;
    if (isNumber(cell)) return share(body, index, isNumber) > 0.5;
    return isDateText(cell) && share(body, index, isDateText) > 0.5;
  });
  const areNames = areNew && namesValues(header, shape);
  if (values.length > 0 && !areNames) return { hasHeader: false, doubts: [] };
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

/** Words that are names of columns, and hardly values. */
const COLUMN_NAME =
  /^(id|.*[_ ]id|name|code|date|day|month|year|latitude|longitude|lat|lon|lng|city|country|type|address|value|count)$/i;

function isSameRow(left: Cells, right: Cells): boolean {
  return left.length === right.length && left.every((cell, index) => cell === right[index]);
}

function share(
  rows: readonly (readonly string[])[],
  index: number,
  is: (cell: string) => boolean,
): number {
  const cells = rows.flatMap((row) => (row[index] === '' ? [] : (row[index] ?? [])));
  return cells.length === 0 ? 0 : cells.filter(is).length / cells.length;
}
