import { type BoundingBox, crossesAntimeridian } from '../../../domain/bounding-box.ts';
import type { Predicate } from '../../../domain/predicate.ts';
import { remember } from '../../../domain/remember.ts';
import type { StopSignal } from '../../../domain/stop.ts';
import type { CountPlan } from '../../../plan/read-plan.ts';
import { POINTS_TABLE } from '../row-file.ts';
import { conditionsOf, openEntryFilter } from './entry-filter.ts';
import type { RowFile } from './open-row-file.ts';
import { readInTurns } from './read-box.ts';

/**
 * Counts the records in a box. Blocks that lie in it whole are counted once for each set of the other conditions, so
 * that later boxes read only the blocks at their edges.
 */
export async function countBox(
  plan: CountPlan,
  blocks: readonly number[],
  file: RowFile,
  signal: StopSignal,
): Promise<number> {
  const conditions = conditionsOf(plan.version, plan.predicates);
  const boxes = conditions.flatMap((one) => (one.kind === 'box' ? [one.box] : []));
  const others = conditions.filter(({ kind }) => kind !== 'box');
  const counts = countsOf(file)(others);
  const boxEdges = file.boxes();
  const atEdges: number[] = [];
  const uncounted: number[] = [];
  let total = 0;
  for (const block of blocks) {
    const known = counts[block] ?? UNCOUNTED;
    if (!boxes.every((box) => contains(box, boxEdges, block * 4))) atEdges.push(block);
    else if (known === UNCOUNTED) uncounted.push(block);
    else total += known;
  }
  const filter = openEntryFilter(conditions);
  const addAtEdges = (part: readonly number[]): void => {
    for (const block of file.readEntries(POINTS_TABLE, part)) {
      total += filter(block, 0, block.count).size;
    }
  };
  await readInTurns(atEdges, addAtEdges, signal);
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
  await readInTurns(uncounted, addWhole, signal);
  return total;
}

const UNCOUNTED = -1;

/** The most memory of the counts of a file. */
const COUNTS_BYTES_MAX = 4 * 2 ** 20;

/** For each set of conditions the number of matching records of each block of points, as far as they were counted. */
const countsOf = remember((file: RowFile) => {
  const kept = new Map<string, Int32Array>();
  return (conditions: readonly Predicate[]): Int32Array => {
    const key = JSON.stringify(conditions, (_, value) =>
      typeof value === 'bigint' ? { bigint: String(value) } : value,
    );
    const known = kept.get(key) ?? new Int32Array(file.boxes().length / 4).fill(UNCOUNTED);
    kept.delete(key);
    kept.set(key, known);
    if (kept.size * known.byteLength > COUNTS_BYTES_MAX) kept.delete([...kept.keys()][0] ?? '');
    return known;
  };
});

/** Whether all points of a block, whose edges begin at an index, are in a box. */
export function contains(box: BoundingBox, edges: Float64Array, at: number): boolean {
  const [minLng, maxLng] = [edges[at] ?? 0, edges[at + 2] ?? 0];
  if ((edges[at + 1] ?? 0) < box.minLat || (edges[at + 3] ?? 0) > box.maxLat) return false;
  return crossesAntimeridian(box)
    ? minLng >= box.minLng || maxLng <= box.maxLng
    : minLng >= box.minLng && maxLng <= box.maxLng;
}
