import type { Value } from '@locmetrics/core/domain/value';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { RecordsPage } from '@locmetrics/core/storage/engine';
import { compareOrderValues } from '@locmetrics/core/storage/reference/compare-order-values';
import type { OrderFacts } from '../row-file.ts';
import { type EntryBlock, toKey } from './entry-block.ts';
import { conditionsOf, type FoundEntries, openEntryFilter } from './entry-filter.ts';
import type { RowFile } from './open-row-file.ts';
import { type Entry, pageOfEntries } from './page-of-entries.ts';

/**
 * So many entries of an order are compared for a page; one with fewer matches is left to the column store. With
 * several conditions they take 0.7 ms.
 */
export const ENTRIES_COMPARED_MAX = 5120;

/**
 * A page in the order of a field: entries are compared in that order until the page is full. Undefined if that
 * would take too many.
 */
export function readOrder(
  plan: RecordsPlan,
  order: OrderFacts,
  file: RowFile,
): RecordsPage | undefined {
  const entries = takeEntries(plan, order, file);
  if (entries === undefined) return undefined;
  return pageOfEntries(plan, entries, file);
}

/** Up to one entry more than the page has. */
function takeEntries(
  plan: RecordsPlan,
  order: OrderFacts,
  file: RowFile,
): readonly Entry[] | undefined {
  const filter = openEntryFilter(conditionsOf(plan.version, plan.predicates));
  const reading = openOrder(order, file);
  const entries: Entry[] = [];
  let compared = 0;
  for (const { start, end, isReversed } of partsOf(plan, order, file, reading)) {
    if (start >= end) continue;
    if (compared >= ENTRIES_COMPARED_MAX) return undefined;
    compared += end - start;
    const { block, index } = reading.at(start);
    const found = entriesOf(block, order.field, filter(block, index, index + end - start));
    for (const entry of isReversed ? withValuesReversed(found) : found) {
      entries.push(entry);
      if (entries.length > plan.limit) return entries;
    }
  }
  return entries;
}

function entriesOf(
  block: EntryBlock,
  field: string,
  { indexes, size }: FoundEntries,
): readonly Entry[] {
  const keys = block.keysOf(field);
  const entries: Entry[] = [];
  for (let place = 0; place < size; place += 1) {
    const index = indexes[place] ?? 0;
    entries.push({ row: block.ordinalAt(index), key: keys[index] ?? null });
  }
  return entries;
}

/** The values in the reverse order; entries with the same value keep theirs. */
function withValuesReversed(entries: readonly Entry[]): readonly Entry[] {
  const reversed: Entry[] = [];
  for (let end = entries.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && entries[start - 1]?.key === entries[start]?.key) start -= 1;
    reversed.push(...entries.slice(start, end));
    end = start;
  }
  return reversed;
}

type ReadOrder = {
  /** The block of an entry, and its index there. */
  readonly at: (position: number) => { readonly block: EntryBlock; readonly index: number };
  readonly entryAt: (position: number) => Entry;
  /** The first position of the block of an entry. */
  readonly startOfBlock: (position: number) => number;
};

function openOrder({ table, field }: OrderFacts, file: RowFile): ReadOrder {
  const { order: size } = file.facts.sizes;
  const blocks = new Map<number, EntryBlock>();
  const at: ReadOrder['at'] = (position) => {
    const number = Math.floor(position / size);
    const block = blocks.get(number) ?? file.readEntries(table, [number])[0];
    if (block === undefined) throw new RangeError(`${table} has no block ${number}.`);
    blocks.set(number, block);
    return { block, index: position % size };
  };
  return {
    at,
    entryAt: (position) => {
      const { block, index } = at(position);
      return { row: block.ordinalAt(index), key: block.keysOf(field)[index] ?? null };
    },
    startOfBlock: (position) => position - (position % size),
  };
}

/** Positions of one block. */
type Part = {
  readonly start: number;
  readonly end: number;
  /** Whether the order of their values, which ascends in the file, is to be reversed. */
  readonly isReversed: boolean;
};

/**
 * The positions to compare, in the order of the plan. The order of the file ascends; in the descending order
 * the values are reversed, but records with the same value are in the order of the key in both.
 */
function* partsOf(
  { order: [term], after }: RecordsPlan,
  { present }: OrderFacts,
  file: RowFile,
  { entryAt, startOfBlock }: ReadOrder,
): Generator<Part> {
  const all = file.facts.records;
  const isDescending = term?.kind === 'field' && term.descending;
  const afterKey = toKey(
    after?.orderValues[0] ?? null,
    term?.kind === 'field' ? term.field.type : 'string',
  );
  /** The first position of a range whose entry is not before. */
  const find = (from: number, to: number, isBefore: (entry: Entry) => boolean): number => {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(entryAt(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const compare = (left: Value, right: Value) =>
    compareOrderValues(left, right, { descending: false, absentFirst: false });
  function* upwards(from: number, to: number): Generator<Part> {
    for (let start = from; start < to; ) {
      const end = Math.min(to, startOfBlock(start) + file.facts.sizes.order);
      yield { start, end, isReversed: false };
      start = end;
    }
  }
  if (after !== undefined && afterKey === null) {
    yield* upwards(
      find(present, all, ({ row }) => row <= after.row),
      all,
    );
    return;
  }
  if (!isDescending) {
    const isNotAfter = ({ key, row }: Entry) =>
      after !== undefined && (compare(key, afterKey) || row - after.row) <= 0;
    yield* upwards(find(0, all, isNotAfter), all);
    return;
  }
  let end = present;
  if (after !== undefined) {
    // The rest of those with the same value, then all with a smaller one.
    end = find(0, present, ({ key }) => compare(key, afterKey) < 0);
    const sameEnd = find(end, present, ({ key }) => compare(key, afterKey) <= 0);
    yield* upwards(
      find(end, sameEnd, ({ row }) => row <= after.row),
      sameEnd,
    );
  }
  while (end > 0) {
    const blockStart = startOfBlock(end - 1);
    const { key: first } = entryAt(blockStart);
    const isSplit = blockStart > 0 && entryAt(blockStart - 1).key === first;
    // The value at the begin of the block can begin in one of the blocks before.
    const start = isSplit ? find(blockStart, end, ({ key }) => key === first) : blockStart;
    yield { start, end, isReversed: true };
    end = start;
    if (!isSplit) continue;
    const sameStart = find(0, blockStart, ({ key }) => compare(key, first) < 0);
    yield* upwards(sameStart, start);
    end = sameStart;
  }
  yield* upwards(present, all);
}
