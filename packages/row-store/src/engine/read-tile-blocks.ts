import type { Field } from '@locmetrics/core/domain/field';
import { columnOf, rowOf } from '@locmetrics/core/geometry/tile';
import { fieldsReadBy } from '@locmetrics/core/plan/fields-read-by';
import type { TilePlan } from '@locmetrics/core/plan/read-plan';
import { memoize } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import type { Tile } from '@locmetrics/core/storage/engine';
import { type MemoryRecord, matches } from '@locmetrics/core/storage/reference/match-predicate';
import { openTileCells } from '@locmetrics/core/storage/reference/tile-cells';
import { withoutSmallCells } from '@locmetrics/core/storage/reference/without-small-cells';
import { POINTS_TABLE } from '../row-file.ts';
import type { EntryBlock } from './entry-block.ts';
import { findNone, openEntryFilter } from './entry-filter.ts';
import { type BlockSum, type EntryGrid, openEntryGrid, sumBlock } from './grid-entries.ts';
import type { RowFile } from './open-row-file.ts';
import { readInTicks } from './read-box.ts';
import { rowsOfVisits } from './rows-of-visits.ts';
import type { CountedBlock, TileAccess } from './tile-access.ts';

/** So many records are read to compare conditions with them; the column store is faster for more. */
const CANDIDATES_MAX = 4000;
/** The number of records between two checks whether the tick is over. */
const RECORDS_PER_LOOK = 32;

/**
 * A tile by the blocks of points that can lie in it. Few points are read with their records, many are collected into cells.
 * Undefined if there are many and the blocks do not have all that is asked of them.
 */
export async function readTile(
  plan: TilePlan,
  access: TileAccess,
  file: RowFile,
  signal: StopSignal,
): Promise<Tile | undefined> {
  const { counted, inside, atEdges, places, covered, others, hasAggregates } = access;
  const recordsMax = recordsReadMax(plan, access);
  const hasCells = others.length === 0 && hasAggregates;
  const grid = openEntryGrid(plan);
  const ordinals: number[] = [];
  let total = 0;
  for (const { count } of counted) total += count;
  await addWholeBlocks(plan, counted, grid, file, signal);
  const read = (conditions: TileAccess['places']): ((part: readonly number[]) => void) => {
    const filter = openEntryFilter(conditions);
    const addBlock = (block: EntryBlock): void => {
      const found = filter(block, 0, block.count);
      total += found.size;
      if (hasCells) grid.add(block, found);
      if (total > recordsMax) return;
      for (let place = 0; place < found.size; place += 1) {
        ordinals.push(block.ordinalAt(found.indexes[place] ?? 0));
      }
    };
    return (part) => {
      if (!hasCells && total > recordsMax) return;
      for (const block of file.readEntries(POINTS_TABLE, part)) addBlock(block);
    };
  };
  await readInTicks(inside, read(covered), signal);
  await readInTicks(atEdges, read([...places, ...covered]), signal);
  if (total <= recordsMax) return readRecords(plan, access, ordinals, file, signal);
  return hasCells ? { kind: 'cells', cells: grid.end() } : undefined;
}

/** Adds blocks that lie in one cell. Only their sums are needed, and each is read once. */
async function addWholeBlocks(
  { aggregates }: TilePlan,
  counted: TileAccess['counted'],
  grid: EntryGrid,
  file: RowFile,
  signal: StopSignal,
): Promise<void> {
  const known = aggregates.map(({ field }) => blockSumsOf(file)(field.name));
  const unknown = new Map<number, CountedBlock>();
  for (const one of counted) {
    const sums = known.flatMap(({ find }) => find(one.block) ?? []);
    if (sums.length === aggregates.length) grid.addWhole(one, sums);
    else unknown.set(one.block, one);
  }
  const all = openEntryFilter([]);
  const read = (part: readonly number[]): void => {
    // Blocks are read in any order, so each is read by itself.
    for (const number of part) {
      const one = unknown.get(number);
      const [block] = file.readEntries(POINTS_TABLE, [number]);
      if (one === undefined || block === undefined) continue;
      const sums = aggregates.flatMap(({ field }) => sumBlock(block, field.name) ?? []);
      if (sums.length < aggregates.length) {
        grid.add(block, all(block, 0, block.count));
        continue;
      }
      grid.addWhole(one, sums);
      for (const [index, sum] of sums.entries()) known[index]?.keep(number, sum);
    }
  };
  await readInTicks([...unknown.keys()], read, signal);
}

/** More points are not read with their records. */
export function recordsReadMax({ limit }: TilePlan, { others }: TileAccess): number {
  return others.length === 0 ? limit : Math.max(limit, CANDIDATES_MAX);
}

/** Reads records in event-loop ticks, and applies the conditions that the blocks do not cover. */
async function readRecords(
  plan: TilePlan,
  { others }: TileAccess,
  ordinals: readonly number[],
  file: RowFile,
  signal: StopSignal,
): Promise<Tile> {
  const { version, grid, longitude, latitude, aggregates, limit } = plan;
  const fields = fieldsOf(plan, others, file);
  const sorted = Float64Array.from(ordinals).sort();
  const cells = openTileCells(aggregates);
  const found: MemoryRecord[] = [];
  const ticks = openTicks();
  const add = (record: MemoryRecord): void => {
    if (!others.every((condition) => matches(record, condition, findNone))) return;
    found.push(record);
    if (sorted.length <= limit) return;
    const values = aggregates.map(({ field }) => record[field.name] ?? null);
    const [lng, lat] = [Number(record[longitude.name]), Number(record[latitude.name])];
    cells.add({ column: columnOf(grid, lng), row: rowOf(grid, lat) }, values);
  };
  for (let start = 0; start < sorted.length; start += RECORDS_PER_LOOK) {
    if (ticks.isOver()) {
      await ticks.next();
      signal.throwIfAborted();
    }
    const part = [...sorted.subarray(start, start + RECORDS_PER_LOOK)];
    for (const row of rowsOfVisits(file.readRecords(part, fields), part.length, fields)) {
      const record = Object.fromEntries(
        fields.map(({ name }, index) => [name, row[index] ?? null]),
      );
      add(withoutSmallCells(record, version));
    }
  }
  if (found.length > limit) return { kind: 'cells', cells: cells.end() };
  const shown = [longitude, latitude, ...plan.fields];
  const rows = found.map((record) => shown.map(({ name }) => record[name] ?? null));
  return { kind: 'points', rows };
}

/** All fields that are read, in the order of the file: so they are read without another copy. */
function fieldsOf(
  { longitude, latitude, fields, aggregates }: TilePlan,
  others: TileAccess['others'],
  { facts }: RowFile,
): readonly Field[] {
  const read = [
    ...[longitude, latitude, ...fields],
    ...fieldsReadBy(others),
    ...(others.length === 0 ? [] : aggregates.map(({ field }) => field)),
  ];
  const byName = new Map(read.map((field) => [field.name, field]));
  return facts.fields.flatMap(({ name }) => byName.get(name) ?? []);
}

/** The sums of a field in the blocks of points of a file, as far as they were read: 32 bytes for each block. */
type BlockSums = {
  readonly find: (block: number) => BlockSum | undefined;
  readonly keep: (block: number, sum: BlockSum) => void;
};

/** By the field. Only covered fields are summed, so these are few. */
const blockSumsOf = memoize((file: RowFile): ((field: string) => BlockSums) => {
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
