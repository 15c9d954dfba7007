import { addNumber, bytesOfList, type NumberList, openNumberList } from './number-list.ts';

/*
 * Short starts: which values start with the same one or two letters, once they are folded. The values are sorted, so those
 * of a start are in few ranges: a list has the first number of a range, then the one after its last.
 */

/** A longer term has grams. */
const START_LETTERS_MAX = 2;

/** Collects the ranges. Values must be added by ascending numbers. */
export type ShortStarts = {
  readonly add: (folded: string, number: number) => void;
  /** Each start with the bytes of its ranges. */
  readonly entries: () => Iterable<readonly [string, Uint8Array]>;
};

export function openShortStarts(): ShortStarts {
  const starts = new Map<string, { readonly list: NumberList; end: number }>();
  const close = ({ list, end }: { readonly list: NumberList; readonly end: number }): void =>
    addNumber(list, end);
  return {
    add: (folded, number) => {
      for (const start of startsOf(folded)) {
        const known = starts.get(start);
        if (known?.end === number) {
          known.end = number + 1;
          continue;
        }
        const open = known ?? { list: openNumberList(), end: number };
        if (known !== undefined) close(known);
        addNumber(open.list, number);
        open.end = number + 1;
        starts.set(start, open);
      }
    },
    *entries() {
      for (const [start, open] of starts) {
        close(open);
        yield [start, bytesOfList(open.list)];
      }
    },
  };
}

function startsOf(folded: string): readonly string[] {
  // A letter is up to two code units.
  const letters = [...folded.slice(0, 2 * START_LETTERS_MAX)].slice(0, START_LETTERS_MAX);
  return letters.map((_, index) => letters.slice(0, index + 1).join(''));
}

/** The numbers in the ranges and in another range: the first ones, or the last ones, up to a limit; ascending. */
export function numbersInRanges(
  ranges: Uint32Array,
  within: { readonly row: number; readonly end: number },
  { fromEnd, limit }: { readonly fromEnd: boolean; readonly limit: number },
): Uint32Array {
  const found: number[] = [];
  for (let step = 0; step < ranges.length && found.length < limit; step += 2) {
    const at = fromEnd ? ranges.length - 2 - step : step;
    const row = Math.max(ranges[at] ?? 0, within.row);
    const end = Math.min(ranges[at + 1] ?? 0, within.end);
    const count = Math.min(end - row, limit - found.length);
    for (let index = 0; index < count; index += 1) {
      found.push(fromEnd ? end - 1 - index : row + index);
    }
  }
  return Uint32Array.from(fromEnd ? found.reverse() : found);
}
