/** Counts the rows of a file whose bytes arrive in pieces. */
export type RowCounter = {
  readonly add: (bytes: Uint8Array) => void;
  /** The rows whose end has arrived. */
  readonly rows: () => number;
  /** Whether a complete file has exactly so many rows. */
  readonly isExact: boolean;
};

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/** A row on each line, below some lines that are none. */
export function countLines({
  above,
  isExact = true,
}: {
  readonly above: number;
  readonly isExact?: boolean;
}): RowCounter {
  let lines = 0;
  return {
    add: (bytes) => {
      lines += countByte(bytes, LINE_FEED);
    },
    rows: () => Math.max(0, lines - above),
    isExact,
  };
}

/** Rows of CSV below a header. A quoted cell may have line ends. */
export function countCsvRows(): RowCounter {
  let lines = 0;
  let isQuoted = false;
  return {
    add(bytes) {
      let from = 0;
      while (from < bytes.length) {
        const quote = bytes.indexOf(QUOTE, from);
        const to = quote === -1 ? bytes.length : quote;
        if (!isQuoted) lines += countByte(bytes.subarray(from, to), LINE_FEED);
        // A quote inside a cell is doubled, so that it ends the cell and begins it again.
        if (quote !== -1) isQuoted = !isQuoted;
        from = to + 1;
      }
    },
    rows: () => Math.max(0, lines - 1),
    isExact: true,
  };
}

function countByte(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}
