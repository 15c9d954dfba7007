import type { EntryBlock } from './entry-block.ts';

/** Blocks of entries that were read last, with their decoded values. */
export type EntryCache = {
  /** Blocks of a table, in any order. */
  readonly find: (table: string, numbers: readonly number[]) => readonly EntryBlock[];
  /** The memory that is kept now. */
  readonly bytes: () => number;
  readonly clear: () => void;
};

/** Reads blocks in the order of their numbers. */
export type ReadEntryBlocks = (table: string, numbers: readonly number[]) => readonly EntryBlock[];

/** Keeps up to `bytesMax`: the blocks that were read first are dropped. */
export function openEntryCache(read: ReadEntryBlocks, bytesMax: number): EntryCache {
  const tables = new Map<string, Map<number, EntryBlock>>();
  /** All blocks, in the order in which they were read. */
  const kept: { readonly table: string; readonly number: number; readonly bytes: number }[] = [];
  let bytes = 0;

  const drop = (): void => {
    const first = kept.shift();
    if (first === undefined) return;
    bytes -= first.bytes;
    tables.get(first.table)?.delete(first.number);
  };
  const keep = (table: string, number: number, block: EntryBlock): void => {
    const blocks = tables.get(table) ?? new Map<number, EntryBlock>();
    tables.set(table, blocks);
    if (blocks.has(number)) return;
    blocks.set(number, block);
    kept.push({ table, number, bytes: block.bytes });
    bytes += block.bytes;
    while (bytes > bytesMax) drop();
  };
  return {
    find: (table, numbers) => {
      const blocks = tables.get(table);
      const found: EntryBlock[] = [];
      const missing: number[] = [];
      for (const number of numbers) {
        const block = blocks?.get(number);
        if (block === undefined) missing.push(number);
        else found.push(block);
      }
      if (missing.length === 0) return found;
      for (const [place, block] of read(table, missing).entries()) {
        keep(table, missing[place] ?? 0, block);
        found.push(block);
      }
      return found;
    },
    bytes: () => bytes,
    clear: () => {
      tables.clear();
      kept.length = 0;
      bytes = 0;
    },
  };
}
