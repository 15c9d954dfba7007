import { remember } from '../../../domain/remember.ts';
import type { BlockSum } from './grid-entries.ts';
import type { RowFile } from './open-row-file.ts';

/** The sums of a field in the blocks of points of a file, as far as they were read: 32 bytes for each block. */
export type BlockSums = {
  readonly find: (block: number) => BlockSum | undefined;
  readonly keep: (block: number, sum: BlockSum) => void;
};

/** By the field. Only covered fields are summed, so these are few. */
export const blockSumsOf = remember((file: RowFile): ((field: string) => BlockSums) => {
  const kept = new Map<string, BlockSums>();
  return (field) => {
    const known = kept.get(field) ?? openBlockSums(file.boxes().length / 4);
    kept.set(field, known);
    return known;
  };
});

const PARTS = 4;

function openBlockSums(blocks: number): BlockSums {
  const parts = new Float64Array(blocks * PARTS).fill(Number.NaN);
  return {
    find: (block) => {
      const at = block * PARTS;
      const [whole = Number.NaN, high = 0, low = 0, plain = 0] = parts.subarray(at, at + PARTS);
      return Number.isNaN(whole) ? undefined : { whole, high, low, plain };
    },
    keep: (block, { whole, high, low, plain }) => {
      parts.set([whole, high, low, plain], block * PARTS);
    },
  };
}
