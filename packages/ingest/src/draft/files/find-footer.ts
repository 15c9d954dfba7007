import { isDateText } from './date-formats.ts';
import { type Cells, countFilled, isDataRow, type TableShape } from './find-header.ts';

/** A row near the end of a table: its cells, and its first text as it is in the file. */
export type LastRow = { readonly cells: Cells; readonly text: string };

/**
 * The rows after the table, which have no value where the others have numbers, and which something shows to be notes: a line of
 * repeated characters, a blank row before them, a word such as Source, or a single cell.
 */
export function findFooter(
  rows: readonly LastRow[],
  { width, shape }: { readonly width: number; readonly shape: TableShape },
): readonly LastRow[] {
  const last = rows.findLastIndex(({ cells }) => isRow(cells, shape));
  const rest = rows.slice(Math.max(last + 1, rows.length - FOOTER_MAX));
  const start = rest.findIndex((row, index) => isNote(row, rest[index - 1], { width, shape }));
  const filled = rest.findLastIndex(({ cells }, index) => index < start && countFilled(cells) > 0);
  const found = start < 0 ? [] : rest.slice(filled + 1);
  return found.every(({ cells }) => countFilled(cells) === 0) ? [] : found;
}

const FOOTER_MAX = 50;

/** Without numbers and dates, a row is one with as many values as usual. */
function isRow(cells: Cells, shape: TableShape): boolean {
  const count = countFilled(cells);
  const isWide = count >= Math.max(2, Math.ceil(shape.filled * 0.6));
  if (shape.measured.length === 0 || shape.filled < 2) return isWide;
  return count > 1 && isDataRow(cells, shape);
}

function isNote(
  { cells, text }: LastRow,
  before: LastRow | undefined,
  { width, shape }: { readonly width: number; readonly shape: TableShape },
): boolean {
  const count = countFilled(cells);
  if (count === 0 || shape.filled < 2) return false;
  const first = cells.find((cell) => cell !== '') ?? '';
  if (count === 1 && /^([-_=*~.·—–])\1{2,}$/.test(first)) return true;
  if (NOTE.test(first) || (count === 1 && shape.filled > 2 && LABELLED.test(first))) return true;
  // A text alone where all rows have a date.
  const place = cells.findIndex((cell) => cell !== '');
  if (count === 1 && shape.filled > 2 && shape.dates.includes(place) && !isDateText(first)) {
    return true;
  }
  const isOpen = /["']/.test(text) && !/^"[^"]*"\W*$/.test(text);
  if (count > 1 || isOpen) return false;
  const isAfterBlank = before !== undefined && countFilled(before.cells) === 0;
  return isAfterBlank || cells.length < width || first.length > NOTE_LENGTH;
}

const NOTE_LENGTH = 50;
const NOTE =
  /^(©|\(c\) |\*+ ?\p{L}|†|‡|(source|quelle|note|notes|nota|fuente|fonte|bron|kilde|källa|remark|remarks|anmerkung|anmerkungen|hinweis|legend|legende|stand|footnote|footnotes|copyright|disclaimer|last updated|updated|created|erstellt|contact|kontakt|izvor|vir|zdroj|źródło|uwaga|poznámka|forrás|megjegyzés|lähde|huom|allikas|avots|šaltinis|sursa|kaynak|sumber|nguồn|napomena|opomba)s?\b\s*[:.)]|(source|quelle|fuente|fonte|copyright|last updated)\b|\(?\d{1,2}\)\s|[a-z]\)\s|¹|²|³)/iu;

/** A text of its own after what it is, in any language: Источник: Росстат. */
const LABELLED = /^\p{L}[^:：\d]{1,30}[:：]\s*\p{L}/u;

/** A footer as the manifest declares it: how it begins, if only its first line begins so, or else its number of lines. */
export async function declareFooter(
  lines: readonly string[],
  {
    delimiter,
    leftOut,
  }: {
    readonly delimiter: string;
    /** How many lines are left out from the first one that begins so. */
    readonly leftOut: (start: string) => Promise<number | undefined>;
  },
): Promise<string | number> {
  const index = lines.findIndex((line) => /[^\s,;|"]/.test(line));
  const start = footerStart(lines[index] ?? '', delimiter);
  // A blank line of quotes would stay above, as a row with too few values.
  const hasQuotes = lines.slice(0, Math.max(0, index)).some((line) => line.includes('"'));
  if (start === undefined || hasQuotes) return lines.length;
  return (await leftOut(start)) === lines.length - index ? start : lines.length;
}

/**
 * How the first line of a footer begins, so that the footer of another month is found by it; undefined if nothing in the
 * line is likely to stay.
 */
function footerStart(line: string, delimiter: string): string | undefined {
  const quote = /^\s*"?/.exec(line)?.[0] ?? '';
  const rest = line.slice(quote.length);
  const rule = /^([-_=*~.·—–])\1{2,}/.exec(rest)?.[0];
  if (rule !== undefined) return quote + rule.slice(0, RULE_SHOWN);
  const marker = /^(\(?\d{1,2}\)|[a-z]\))/i.exec(rest)?.[0];
  if (marker !== undefined) return quote + marker;
  const colon = /^[^:\d"]{2,30}:/u.exec(rest)?.[0];
  if (colon !== undefined) return quote + colon;
  // Dates and numbers change with each month.
  const [words = ''] = rest.split(/[\d"]/);
  const end = delimiter === '' ? -1 : words.indexOf(delimiter);
  const text = (end < 0 ? words : words.slice(0, end)).slice(0, START_MAX).trimEnd();
  return text.replaceAll(/\P{L}/gu, '').length < 3 ? undefined : quote + text;
}

const RULE_SHOWN = 10;
const START_MAX = 40;
