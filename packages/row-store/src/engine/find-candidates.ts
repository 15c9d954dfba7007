import type { TermGrams } from '../grams.ts';
import { commonNumbers, joinNumbers, readNumberList } from '../number-list.ts';
import type { SearchFacts } from '../row-file.ts';
import type { RowFile } from './open-row-file.ts';

/** The numbers of the values among which are all that start with a term, or contain it; ascending. */
export type Candidates = {
  /** Undefined if the letters are too common. */
  readonly starting: () => Uint32Array | undefined;
  readonly containing: () => Uint32Array | undefined;
};

/** So many bytes of lists are read for a term; a list of a byte for each number takes the longest. */
const LISTS_BYTES_MAX = 40_000;

/** A term of three letters is the start of so many grams. */
const LISTS_MAX = 200;

/** The times of steps in µs: a list is not read if comparing the values that are left is faster. */
const COSTS = { list: 3, byte: 0.004, value: 3 } as const;

/** Candidates for a term, by its grams. Each list is read once, and only if it is needed. */
export function openCandidates(
  { inside, prefix, start }: TermGrams,
  { gramsTable, values }: SearchFacts,
  file: RowFile,
): Candidates {
  let bytesLeft = LISTS_BYTES_MAX;
  const lists = new Map<string, Uint8Array>();
  const sizes = new Map<string, number>();
  const sizeOf = (gram: string): number => {
    const bytes = sizes.get(gram) ?? file.sizeOfGram(gramsTable, gram);
    sizes.set(gram, bytes);
    return bytes;
  };
  /** Undefined if the list has too many bytes. */
  const listOf = (gram: string): Uint8Array | undefined => {
    const known = lists.get(gram);
    if (known !== undefined) return known;
    const bytes = sizeOf(gram);
    if (bytes > bytesLeft) return undefined;
    bytesLeft -= bytes;
    const list = file.readGram(gramsTable, gram);
    lists.set(gram, list);
    return list;
  };
  const haveAll = (grams: readonly string[]): Uint32Array | undefined => {
    const [rarest = '', ...others] = grams.toSorted((left, right) => sizeOf(left) - sizeOf(right));
    const list = listOf(rarest);
    if (list === undefined) return undefined;
    let numbers = readNumberList(list);
    for (const gram of others) {
      const costOfList = COSTS.list + sizeOf(gram) * COSTS.byte;
      const next = numbers.length * COSTS.value <= costOfList ? undefined : listOf(gram);
      if (next === undefined) break;
      numbers = commonNumbers(numbers, next);
    }
    return numbers;
  };
  return {
    starting: () => haveAll([start, ...inside]),
    containing: () => {
      if (inside.length > 0) return haveAll(inside);
      const most = { bytes: bytesLeft, lists: LISTS_MAX };
      const found = file.readGramsFrom(gramsTable, prefix, most);
      return found && joinNumbers(found, values);
    },
  };
}
