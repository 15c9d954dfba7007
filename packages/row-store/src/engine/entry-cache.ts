import { type EntryBlock, type EntryColumns, openEntryBlock } from './entry-block.ts';

/** Blocks of entries that were read last, with their decoded values. */
export type EntryCache = {
  /** Blocks of a table, in any order. */
  readonly find: (table: string, numbers: readonly number[]) => readonly EntryBlock[];
  /** The memory that is kept now. */
  readonly bytes: () => number;
  readonly clear: () => void;
};

/** Reads the bytes of blocks, in the order of their numbers. */
export type ReadBlocks = (table: string, numbers: readonly number[]) => readonly Buffer[];

/** Keeps up to `bytesMax`: the blocks that were read first are dropped. */
export function openEntryCache(options: {
  readonly read: ReadBlocks;
  readonly columns: EntryColumns;
  readonly bytesMax: number;
}): EntryCache {
  const { read, columns, bytesMax } = options;
  const tables = new Map<string, Map<number, EntryBlock>>();
  /** All blocks, in the order in which they were read. */
  const kept: Kept[] = [];
  let bytes = 0;

  const drop = (): void => {
    const first = kept.shift();
    if (first === undefined) return;
    first.isKept = false;
    bytes -= first.bytes;
    tables.get(first.table)?.delete(first.number);
  };
  const open = (table: string, number: number, data: Buffer): EntryBlock => {
    const one: Kept = { table, number, bytes: 0, isKept: false };
    const count = (more: number): void => {
      one.bytes += more;
      if (!one.isKept) return;
      bytes += more;
      while (bytes > bytesMax) drop();
    };
    const block = openEntryBlock(data, columns, count);
    const blocks = tables.get(table) ?? new Map<number, EntryBlock>();
    tables.set(table, blocks.set(number, block));
    one.isKept = true;
    kept.push(one);
    bytes += one.bytes;
    while (bytes > bytesMax) drop();
    return block;
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
      for (const [place, data] of read(table, missing).entries()) {
        found.push(open(table, missing[place] ?? 0, data));
      }
      return found;
    },
    bytes: () => bytes,
    clear: () => {
      while (kept.length > 0) drop();
    },
  };
}

type Kept = {
  readonly table: string;
  readonly number: number;
  bytes: number;
  isKept: boolean;
};
