import type { Predicate } from '@locmetrics/core/domain/predicate';
import type { Value } from '@locmetrics/core/domain/value';
import { type BoundingBox, crossesAntimeridian } from '@locmetrics/core/geometry/bounding-box';
import type { CountPlan, OrderTerm, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import { keepNewest, memoize } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import type { RecordsPage } from '@locmetrics/core/storage/engine';
import { compareOrderValues } from '@locmetrics/core/storage/reference/compare-order-values';
import { openFirst } from '@locmetrics/core/storage/reference/take-first';
import { POINTS_TABLE } from '../row-file.ts';
import { placeBlocks } from './block-places.ts';
import type { EntryBlock } from './entry-block.ts';
import { conditionsOf, type FoundEntries, openEntryFilter } from './entry-filter.ts';
import type { RowFile } from './open-row-file.ts';
import { type Entry, pageOfEntries, toEntry } from './page-of-entries.ts';

/** Up to so many blocks are read at once; they take up to a millisecond. More are read in event-loop ticks. */
export const BLOCKS_AT_ONCE_MAX = 70;
/** More blocks would take longer than the column store does for all records. */
export const BLOCKS_IN_TICKS_MAX = 4000;
/** The number of blocks between two checks whether the tick is over. */
const BLOCKS_PER_CHECK = 12;

/** A page of the records in a box, in the order of a covered field or of the key, and their number. */
export async function readBox(
  plan: RecordsPlan,
  blocks: readonly number[],
  file: RowFile,
  signal: StopSignal,
): Promise<RecordsPage> {
  const conditions = conditionsOf(plan.version, plan.predicates);
  const { inside, atEdges, others } = placeBlocks(conditions, blocks, file);
  const page = openBoxPage(plan, file);
  const read = (compared: readonly Predicate[]): ((part: readonly number[]) => void) => {
    const filter = openEntryFilter(compared);
    return (part) => {
      for (const block of file.readEntries(POINTS_TABLE, part)) {
        page.add(block, filter(block, 0, block.count));
      }
    };
  };
  await readInTicks(inside, read(others), signal);
  await readInTicks(atEdges, read(conditions), signal);
  return page.end();
}

/** Reads blocks, many of them in event-loop ticks. */
export async function readInTicks(
  blocks: readonly number[],
  read: (part: readonly number[]) => void,
  signal: StopSignal,
): Promise<void> {
  if (blocks.length <= BLOCKS_AT_ONCE_MAX) {
    read(blocks);
    return;
  }
  const ticks = openTicks();
  for (let start = 0; start < blocks.length; start += BLOCKS_PER_CHECK) {
    if (ticks.isOver()) {
      await ticks.next();
      signal.throwIfAborted();
    }
    read(blocks.slice(start, start + BLOCKS_PER_CHECK));
  }
}

type BoxPage = {
  /** Adds those entries of a block. */
  readonly add: (block: EntryBlock, found: FoundEntries) => void;
  readonly end: () => RecordsPage;
};

function openBoxPage(plan: RecordsPlan, file: RowFile): BoxPage {
  const { after, limit } = plan;
  const [term] = plan.order;
  const field = term?.kind === 'field' ? term.field : undefined;
  const compareKeys = keyOrder(term);
  const compare = (left: Entry, right: Entry): number =>
    compareKeys(left.key, right.key) || (left.row - right.row) * (plan.keyDescending ? -1 : 1);
  const end = after && toEntry(after, field);
  const first = openFirst(compare, limit + 1);
  /** The key of the last entry of a full page; the sign makes later ones larger. */
  let lastNumber = Number.POSITIVE_INFINITY;
  const sign = term?.kind === 'field' && term.descending ? -1 : 1;
  let total = 0;
  const add = (block: EntryBlock, { indexes, size }: FoundEntries): void => {
    total += size;
    const keys = field === undefined ? undefined : block.keysOf(field.name);
    const numbers = keys instanceof Float64Array ? keys : undefined;
    for (let place = 0; place < size; place += 1) {
      const index = indexes[place] ?? 0;
      // Most are after the page by their value alone.
      if (numbers !== undefined && (numbers[index] ?? 0) * sign > lastNumber) continue;
      const entry = { row: block.ordinalAt(index), key: keys?.[index] ?? null };
      if (end !== undefined && compare(entry, end) <= 0) continue;
      first.add(entry);
      const last = first.last()?.key;
      if (typeof last === 'number') lastNumber = last * sign;
    }
  };
  return { add, end: () => pageOfEntries(plan, first.items, file, total) };
}

/** Orders keys as the reference orders values; numbers, of which nearly all are, without looking further. */
function keyOrder(term: OrderTerm | undefined): (left: Value, right: Value) => number {
  const isField = term?.kind === 'field';
  const sides = {
    descending: isField && term.descending,
    absentFirst: isField && term.absentFirst,
  };
  const isLess = sides.descending ? 1 : -1;
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') {
      return left < right ? isLess : left > right ? -isLess : 0;
    }
    return compareOrderValues(left, right, sides);
  };
}

/** The blocks of points that a box can have records of; undefined without a condition on a box. */
export function blocksOfBox(
  conditions: readonly Predicate[],
  file: Pick<RowFile, 'boxes' | 'facts'>,
): readonly number[] | undefined {
  if (file.facts.points === undefined) return undefined;
  const [box, ...others] = conditions.flatMap((one) => (one.kind === 'box' ? [one.box] : []));
  if (box === undefined) return undefined;
  const edges = file.boxes();
  const blocks: number[] = [];
  const { minLat, maxLat } = box;
  for (let at = 0; at < edges.length; at += 4) {
    // Most blocks end here.
    if ((edges[at + 3] ?? 0) < minLat || (edges[at + 1] ?? 0) > maxLat) continue;
    if (!overlaps(box, edges, at)) continue;
    if (others.every((other) => overlaps(other, edges, at))) blocks.push(at / 4);
  }
  return blocks;
}

/** Whether a box shares a point with that of a block, whose edges begin at an index. */
function overlaps(box: BoundingBox, edges: Float64Array, at: number): boolean {
  const [minLng, maxLng] = [edges[at] ?? 0, edges[at + 2] ?? 0];
  if (box.minLat > (edges[at + 3] ?? 0) || box.maxLat < (edges[at + 1] ?? 0)) return false;
  return crossesAntimeridian(box)
    ? maxLng >= box.minLng || minLng <= box.maxLng
    : maxLng >= box.minLng && minLng <= box.maxLng;
}

/**
 * Counts the records in a box or a polygon. Blocks that lie in it whole are counted once for each set of the other
 * conditions, so that later counts read only the blocks at the edges.
 */
export async function countBox(
  plan: CountPlan,
  blocks: readonly number[],
  file: RowFile,
  signal: StopSignal,
): Promise<number> {
  const conditions = conditionsOf(plan.version, plan.predicates);
  const { inside, atEdges, others } = placeBlocks(conditions, blocks, file);
  const counts = countsOf(file)(others);
  const uncounted: number[] = [];
  let total = 0;
  for (const block of inside) {
    const known = counts[block] ?? UNCOUNTED;
    if (known === UNCOUNTED) uncounted.push(block);
    else total += known;
  }
  const filter = openEntryFilter(conditions);
  const addAtEdges = (part: readonly number[]): void => {
    for (const block of file.readEntries(POINTS_TABLE, part)) {
      total += filter(block, 0, block.count).size;
    }
  };
  await readInTicks(atEdges, addAtEdges, signal);
  const filterOthers = openEntryFilter(others);
  const addWhole = (part: readonly number[]): void => {
    // Blocks are read in any order, so each is read by itself.
    for (const number of part) {
      for (const block of file.readEntries(POINTS_TABLE, [number])) {
        const { size } = filterOthers(block, 0, block.count);
        counts[number] = size;
        total += size;
      }
    }
  };
  await readInTicks(uncounted, addWhole, signal);
  return total;
}

const UNCOUNTED = -1;

/** The most memory of the counts of a file. */
const COUNTS_BYTES_MAX = 4 * 2 ** 20;

/** For each set of conditions the number of matching records of each block of points, as far as they were counted. */
const countsOf = memoize((file: RowFile) => {
  const kept = new Map<string, Int32Array>();
  return (conditions: readonly Predicate[]): Int32Array => {
    const key = JSON.stringify(conditions, (_, value) =>
      typeof value === 'bigint' ? { bigint: String(value) } : value,
    );
    const known = kept.get(key) ?? new Int32Array(file.boxes().length / 4).fill(UNCOUNTED);
    keepNewest(kept, { key, value: known }, COUNTS_BYTES_MAX / known.byteLength);
    return known;
  };
});
