import type { SearchFacts } from '../row-file.ts';
import type { RowFile } from './open-row-file.ts';

/** Reads the distinct values of a field for one plan: each block once. */
export type ValuesReader = {
  /** The number of values. */
  readonly count: number;
  /** A value by its number. */
  readonly valueAt: (number: number) => string;
  /** The number of the first value for which this holds; it must hold for all after it. */
  readonly firstWith: (holds: (value: string) => boolean) => number;
};

export function openValues(
  { valuesTable, values: count }: SearchFacts,
  file: RowFile,
): ValuesReader {
  const { values: size } = file.facts.sizes;
  const blocks = new Map<number, ReturnType<RowFile['readValues']>>();
  const valueAt = (number: number): string => {
    const at = Math.floor(number / size);
    const block = blocks.get(at) ?? file.readValues(valuesTable, at);
    blocks.set(at, block);
    return block(number % size);
  };
  return {
    count,
    valueAt,
    firstWith: (holds) => {
      // The first value of a block is read before one inside of it, so that few blocks are read.
      let [low, high] = [0, Math.ceil(count / size)];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (holds(valueAt(middle * size))) high = middle;
        else low = middle + 1;
      }
      [low, high] = [Math.max(0, low - 1) * size, Math.min(low * size, count)];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (holds(valueAt(middle))) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}
