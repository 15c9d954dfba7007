/*
 * Words that differ by wrong letters. Engines find them by one regular expression, in the syntax that RE2 and JavaScript
 * share, because their own functions for distances count bytes.
 */

const ONE_FROM = 5;
const TWO_FROM = 8;
/** The expressions of longer words would be long, and no place is found by such a word. */
const LETTERS_MAX = 24;

/** How many edits of a word are forgiven, by its number of letters: 0, 1 or 2. */
export function editsForgiven(word: string): number {
  const { length } = [...word];
  if (length < ONE_FROM || length > LETTERS_MAX) return 0;
  return length < TWO_FROM ? 1 : 2;
}

/**
 * Whether two words differ by at most so many edits, as Damerau and Levenshtein count them: a letter that is inserted, left
 * out, replaced, or swapped with its neighbour.
 */
export function isSimilar(one: string, other: string, edits: number): boolean {
  const [left, right] = [[...one], [...other]];
  return Math.abs(left.length - right.length) <= edits && distance(left, right) <= edits;
}

function distance(left: readonly string[], right: readonly string[]): number {
  const far = left.length + right.length;
  // The cells are shifted by one, so that those before the first letters are far.
  const rows: number[][] = [new Array<number>(right.length + 2).fill(far)];
  rows.push([far, ...Array.from({ length: right.length + 1 }, (_, column) => column)]);
  const at = (row: number, column: number): number => rows[row]?.[column] ?? far;
  const lastRowOf = new Map<string, number>();
  for (const [index, letter] of left.entries()) {
    const row = index + 1;
    const cells = [far, row];
    rows.push(cells);
    let lastColumn = 0;
    for (const [place, other] of right.entries()) {
      const column = place + 1;
      const swapRow = lastRowOf.get(other) ?? 0;
      const isEqual = letter === other;
      cells[column + 1] = Math.min(
        at(row, column) + (isEqual ? 0 : 1),
        (cells[column] ?? far) + 1,
        at(row, column + 1) + 1,
        at(swapRow, lastColumn) + (row - swapRow - 1) + 1 + (column - lastColumn - 1),
      );
      if (isEqual) lastColumn = column;
    }
    lastRowOf.set(letter, row);
  }
  return at(left.length + 1, right.length + 1);
}

/**
 * Texts of which each word that differs from a long one by two edits contains one: an edit changes two of five parts at most.
 * The expression of a long word is too large to be fast for every text. Empty for a shorter word.
 */
export function sharedParts(word: string): readonly string[] {
  const letters = [...word];
  if (letters.length < LONG_FROM) return [];
  const bounds = Array.from({ length: PARTS + 1 }, (_, part) =>
    Math.floor((part * letters.length) / PARTS),
  );
  return bounds.slice(1).map((end, part) => letters.slice(bounds[part], end).join(''));
}

const PARTS = 5;
const LONG_FROM = 12;

/** A regular expression, without anchors, of the words that differ from a word by at most so many edits. */
export function similarPattern(word: string, edits: number): string {
  return near([...word], edits);
}

/**
 * All edits are in the first half of the letters or in the second one, or one is in each; or letters are swapped from one
 * half to the other. So the expression grows only a little faster than the word.
 */
function near(letters: readonly string[], edits: number): string {
  const exact = letters.join('');
  if (edits === 0) return exact;
  if (letters.length === 0) return `${ANY}{0,${edits}}`;
  if (letters.length === 1) return nearLetter(exact, edits);
  const half = letters.length >> 1;
  const [left, right] = [letters.slice(0, half), letters.slice(half)];
  const splits = Array.from(
    { length: edits + 1 },
    (_, inLeft) => near(left, inLeft) + near(right, edits - inLeft),
  );
  const before = left.slice(0, -1);
  const [last = '', first = ''] = [left.at(-1), right[0]];
  const after = right.slice(1);
  const swaps = Array.from(
    { length: edits },
    (_, inBefore) => `${near(before, inBefore)}${first}${last}${near(after, edits - 1 - inBefore)}`,
  );
  return `(?:${[...splits, ...swaps, ...(edits > 1 ? widerSwaps(left, right) : [])].join('|')})`;
}

/** Two edits: letters are swapped, and another one is inserted or left out between them. */
function widerSwaps(left: readonly string[], right: readonly string[]): readonly string[] {
  const [last = '', first = ''] = [left.at(-1), right[0]];
  const text = (some: readonly string[]) => some.join('');
  return [
    `${text(left.slice(0, -1))}${first}${ANY}${last}${text(right.slice(1))}`,
    ...(left.length > 1
      ? [`${text(left.slice(0, -2))}${first}${left.at(-2)}${text(right.slice(1))}`]
      : []),
    ...(right.length > 1
      ? [`${text(left.slice(0, -1))}${right[1]}${last}${text(right.slice(2))}`]
      : []),
  ];
}

/** A letter of a folded word: no sign, and no capital of ASCII. It is written often, so it is short. */
const ANY = '[0-9a-z\u0080-\u{10ffff}]';

/** The texts that one letter can become. */
function nearLetter(letter: string, edits: number): string {
  const places = Array.from({ length: edits + 1 }, (_, before) =>
    [ANY.repeat(before), letter, ANY.repeat(edits - before)].join(''),
  );
  return `(?:${ANY}{0,${edits}}|${places.join('|')})`;
}
