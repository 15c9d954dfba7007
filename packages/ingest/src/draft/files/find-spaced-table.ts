/** A table whose columns are divided by runs of spaces, in the lines of a text. */
export type SpacedTable = {
  /** The least number of spaces between two values, if one can be within a value. */
  readonly spacesMin?: number;
  /** Lines above the header, or above the rows if there is none. */
  readonly skipLines: number;
  readonly hasHeader: boolean;
  /** The cells of a line of units below the header. */
  readonly below: readonly (readonly string[])[];
  readonly footer: readonly string[];
  readonly doubts: readonly string[];
};

/** Finds such a table: lines with the same number of words, of which some are numbers. */
export function findSpacedTable(
  head: readonly string[],
  tail: readonly string[],
  spacesMin = 1,
): SpacedTable | undefined {
  const wordsOf = (line: string) => divide(line, spacesMin);
  const lines = head.slice(0, LINES_MAX).map(wordsOf);
  const filled = lines.filter((words) => words.length > 0);
  const counts = [...Map.groupBy(filled, (words) => words.length)];
  const [width, rows] = counts.reduce(
    (left, right) => (right[1].length > left[1].length ? right : left),
    [0, [] as readonly (readonly string[])[]] as readonly [number, readonly (readonly string[])[]],
  );
  if (width < WIDTH_MIN || rows.length < ROWS_MIN || rows.length < filled.length * SHARE_MIN) {
    return undefined;
  }
  const body = rows.slice(1);
  const isMeasure = (index: number) =>
    body.filter((words) => NUMBER.test(words[index] ?? '')).length > body.length * NUMBERS_MIN;
  const measures = Array.from({ length: width }, (_, index) => index).filter(isMeasure);
  if (measures.length === 0) return undefined;
  const isRow = (words: readonly string[]) =>
    words.length === width && measures.some((index) => NUMBER.test(words[index] ?? ''));
  const first = lines.findIndex(
    (words, index) => isRow(words) && lines.slice(index, index + 3).every(isRow),
  );
  if (first < 0) return undefined;
  const above = lines.findLastIndex((words, index) => index < first && words.length > 0);
  const units = unitsBelow(head, { above, width, wordsOf });
  const hasHeader = units !== undefined || (above >= 0 && lines[above]?.length === width);
  const names = above < 0 || hasHeader ? '' : wordsOf(head[above] ?? '').join(' ');
  const last = tail.findLastIndex((line) => wordsOf(line).length === width);
  const footer = tail.slice(last + 1);
  return {
    ...(spacesMin === 1 ? {} : { spacesMin }),
    skipLines: units === undefined ? (hasHeader ? above : first) : above - 1,
    hasHeader,
    below: units === undefined ? [] : [units],
    footer: footer.every((line) => line.trim() === '') ? [] : footer,
    doubts:
      names === ''
        ? []
        : [
            `The line above the rows does not have ${width} words, as each row does, so the columns are named by their position: ${names.slice(0, 200)}`,
          ],
  };
}

/** The units in the line above the rows, each with the column whose name is nearest, if the line above it has the names. */
function unitsBelow(
  head: readonly string[],
  {
    above,
    width,
    wordsOf,
  }: {
    readonly above: number;
    readonly width: number;
    readonly wordsOf: (line: string) => readonly string[];
  },
): readonly string[] | undefined {
  const [names = '', units = ''] = above < 1 ? [] : head.slice(above - 1, above + 1);
  const own = wordsOf(names);
  const some = wordsOf(units);
  const areWords = [...own, ...some].every((word) => !NUMBER.test(word));
  if (own.length !== width || some.length >= width || some.length === 0 || !areWords)
    return undefined;
  const ends = endsOf(names, own);
  const cells = own.map(() => '');
  for (const [index, end] of endsOf(units, some).entries()) {
    const distances = ends.map((one) => Math.abs(one - end));
    cells[distances.indexOf(Math.min(...distances))] = some[index] ?? '';
  }
  return cells;
}

/** The positions in a line at which its words end. */
function endsOf(line: string, words: readonly string[]): readonly number[] {
  let end = 0;
  return words.map((word) => {
    end = line.indexOf(word, end) + word.length;
    return end;
  });
}

const LINES_MAX = 1000;
const WIDTH_MIN = 3;
const ROWS_MIN = 3;
const SHARE_MIN = 0.6;
const NUMBERS_MIN = 0.8;
const NUMBER = /^[+-]?(\d*[.,]?\d+|\d{1,3}(,\d{3})+(\.\d+)?)$/;

function divide(line: string, spacesMin: number): readonly string[] {
  const trimmed = line.trim();
  return trimmed === ''
    ? []
    : trimmed.split(spacesMin === 1 ? /[ \t]+/ : /[ \t]*(?: {2,}|\t)[ \t]*/);
}
