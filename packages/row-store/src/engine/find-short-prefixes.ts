import { foldCharacter } from '@locmetrics/core/text/text-fold';
import { compareUtf8 } from '@locmetrics/core/text/text-order';
import type { Range } from './open-row-file.ts';
import type { ValuesReader } from './read-values.ts';

/**
 * The numbers of values that start with a term of one or two letters in any case, ascending: those of a range, and
 * no more than a page needs. The values that begin with the same letters in the same case are neighbours. Undefined
 * if the letters have too many cases.
 */
export function findShortPrefixes(
  term: string,
  {
    reader,
    capitals,
    range,
    descending,
    limit,
  }: {
    readonly reader: ValuesReader;
    /** The letters that folding changes among the first ones of the values. */
    readonly capitals: string;
    readonly range: Range;
    readonly descending: boolean;
    readonly limit: number;
  },
): Uint32Array | undefined {
  const spellings = [...spellingsOf([...term], [...capitals])].sort(compareUtf8);
  if (spellings.length > SPELLINGS_MAX) return undefined;
  if (descending) spellings.reverse();
  const numbers: number[] = [];
  for (const spelling of spellings) {
    const first = reader.firstWith((value) => comparePrefix(value, spelling) >= 0);
    const end = reader.firstWith((value) => comparePrefix(value, spelling) > 0);
    const row = Math.max(range.row, first);
    const size = Math.min(Math.min(range.end, end) - row, limit + 1 - numbers.length);
    for (let step = 0; step < size; step += 1) {
      numbers.push(descending ? Math.min(range.end, end) - 1 - step : row + step);
    }
    if (numbers.length > limit) break;
  }
  return Uint32Array.from(descending ? numbers.reverse() : numbers);
}

/** A spelling costs two searches, each of which reads up to sixteen blocks. */
const SPELLINGS_MAX = 6;

/** The texts that fold to the same. */
function spellingsOf(
  [letter, ...others]: readonly string[],
  capitals: readonly string[],
): readonly string[] {
  if (letter === undefined) return [''];
  const cases = [letter, ...capitals.filter((capital) => foldCharacter(capital) === letter)];
  const ends = spellingsOf(others, capitals);
  return cases.flatMap((one) => ends.map((end) => one + end));
}

function comparePrefix(value: string, prefix: string): number {
  return compareUtf8(value.slice(0, prefix.length), prefix);
}
