/** How rows are separated: by lines, or by lines that a quoted value may continue. */
export type RowSyntax =
  | 'lines'
  /** One document, whose lines mean nothing. */
  | 'document'
  | { readonly delimiter: string; readonly quote: string };

/**
 * Measures rows while a file is read. As soon as a row is longer than the limit, `add` returns its offset.
 * Chunks must be shorter than the limit.
 *
 * The states are those of `scanCsvRecords`, but in a table and without an object for each row, because this
 * runs for every byte of every file.
 */
export function openRowMeter(
  syntax: RowSyntax,
  rowBytesMax: number,
): {
  readonly add: (chunk: Buffer) => number | undefined;
  /** Whether there was a quote that neither opens nor closes a value. */
  readonly hasStrayQuote: () => boolean;
  /** The offset of a quote that takes in more lines than any value has. */
  readonly longQuote: () => number | undefined;
  /** At the end of the file: the offset of the last row, if it has a quote that is not closed. */
  readonly openRow: () => number | undefined;
} {
  const quote = typeof syntax === 'string' || syntax.quote === '' ? undefined : syntax.quote;
  const delimiter = typeof syntax === 'string' ? undefined : syntax.delimiter;
  const next = transitions(quote?.charCodeAt(0), delimiter?.charCodeAt(0));
  let state = START;
  let chunkStart = 0;
  let rowStart = 0;
  let longRow: number | undefined;
  let hasStrayQuote = false;
  let quoteStart = 0;
  let quotedLines = 0;
  let longQuote: number | undefined;

  const endRow = (end: number): void => {
    if (end - rowStart > rowBytesMax) longRow ??= rowStart;
    rowStart = end;
  };
  const follow = (chunk: Buffer, from: number): void => {
    for (let index = from; index < chunk.length; index += 1) {
      const to = next[state * 256 + (chunk[index] ?? 0)] ?? START;
      state = to & STATE;
      if (to === state) continue;
      if ((to & QUOTED_LINE) !== 0) {
        quotedLines += 1;
        if (quotedLines > QUOTED_LINES_MAX) longQuote ??= quoteStart;
      }
      if ((to & QUOTE_START) !== 0) {
        quoteStart = chunkStart + index;
        quotedLines = 0;
      }
      if ((to & ROW_END) !== 0) endRow(chunkStart + index + 1);
      if ((to & STRAY_QUOTE) !== 0) hasStrayQuote = true;
    }
  };
  return {
    add: (chunk) => {
      const hasQuotes = quote !== undefined && (state === QUOTED || chunk.includes(quote));
      // Without quotes every line is a row, and lines inside a chunk are shorter than the limit.
      if (syntax !== 'document' && !hasQuotes) {
        const first = lineEnd(chunk);
        if (first >= 0) {
          endRow(chunkStart + first + 1);
          const last = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r'));
          rowStart = chunkStart + last + 1;
          state = START;
          if (quote !== undefined) follow(chunk, last + 1);
        } else if (quote !== undefined) {
          follow(chunk, 0);
        }
      } else if (syntax !== 'document') {
        follow(chunk, 0);
      }
      chunkStart += chunk.length;
      if (syntax !== 'document' && chunkStart - rowStart > rowBytesMax) longRow ??= rowStart;
      return longRow;
    },
    hasStrayQuote: () => hasStrayQuote,
    longQuote: () => longQuote,
    openRow: () => (state === QUOTED ? rowStart : undefined),
  };
}

/**
 * The maximum number of line breaks in a value. A text of people has fewer; a value with more is nearly always a
 * quote that was not closed.
 */
export const QUOTED_LINES_MAX = 1000;

const START = 0;
const UNQUOTED = 1;
const QUOTED = 2;
const AFTER_QUOTE = 3;
const AFTER_SPACE = 4;
const STATE = 7;
/**
 * Marks of transitions: the end of a row, a quote inside an unquoted value or text after a closing quote, the
 * opening quote of a value, and a line break inside one.
 */
const ROW_END = 8;
const STRAY_QUOTE = 16;
const QUOTE_START = 32;
const QUOTED_LINE = 64;

/** The state after each byte in each state. */
function transitions(quote: number | undefined, delimiter: number | undefined): Uint8Array {
  const next = new Uint8Array(5 * 256);
  const fill = (state: number, otherwise: number, special: readonly [number, number][]): void => {
    next.fill(otherwise, state * 256, (state + 1) * 256);
    const ends = state === QUOTED ? [] : [LINE_FEED, CARRIAGE_RETURN];
    for (const byte of ends) next[state * 256 + byte] = START | ROW_END;
    for (const [byte, to] of special) next[state * 256 + byte] = to;
  };
  const at = (byte: number | undefined, to: number): [number, number][] =>
    byte === undefined ? [] : [[byte, to]];
  const opening = at(quote, QUOTED | QUOTE_START);
  fill(START, UNQUOTED, [[SPACE, START], ...at(delimiter, START), ...opening]);
  fill(UNQUOTED, UNQUOTED, [...at(quote, UNQUOTED | STRAY_QUOTE), ...at(delimiter, START)]);
  fill(QUOTED, QUOTED, [[LINE_FEED, QUOTED | QUOTED_LINE], ...at(quote, AFTER_QUOTE)]);
  const afterQuote = [...at(delimiter, START), ...at(quote, QUOTED)];
  fill(AFTER_QUOTE, UNQUOTED | STRAY_QUOTE, [[SPACE, AFTER_SPACE], ...afterQuote]);
  fill(AFTER_SPACE, UNQUOTED | STRAY_QUOTE, [[SPACE, AFTER_SPACE], ...afterQuote]);
  return next;
}

function lineEnd(chunk: Buffer): number {
  const lineFeed = chunk.indexOf('\n');
  const carriageReturn = chunk.indexOf('\r');
  if (lineFeed < 0 || carriageReturn < 0) return Math.max(lineFeed, carriageReturn);
  return Math.min(lineFeed, carriageReturn);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
