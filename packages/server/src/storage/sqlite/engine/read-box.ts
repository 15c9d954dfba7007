import { type BoundingBox, crossesAntimeridian } from '../../../domain/bounding-box.ts';
import type { Predicate } from '../../../domain/predicate.ts';
import type { Value } from '../../../domain/value.ts';
import type { CountPlan, RecordsPlan } from '../../../plan/read-plan.ts';
import type { RecordsPage } from '../../engine.ts';
import { compareOrderValues } from '../../reference/run-on-records.ts';
import { openFirst } from '../../reference/take-first.ts';
import { POINTS_TABLE } from '../row-file.ts';
import { conditionsOf, openEntryFilter } from './entry-filter.ts';
import type { EntryBlock, RowFile } from './open-row-file.ts';
import { type Entry, pageOfEntries } from './page-of-entries.ts';

/** A page of the records in a box, in the order of a covered field or of the key, and their number. */
export function readBox(plan: RecordsPlan, blocks: readonly number[], file: RowFile): RecordsPage {
  const [term] = plan.order;
  const field = term?.kind === 'field' ? term.field.name : undefined;
  const sides = {
    descending: term?.kind === 'field' && term.descending,
    absentFirst: term?.kind === 'field' && term.absentFirst,
  };
  const isBefore = (left: Value, right: Value): boolean =>
    compareOrderValues(left, right, sides) < 0;
  const compare = (left: Entry, right: Entry): number =>
    compareOrderValues(left.value, right.value, sides) ||
    (left.row - right.row) * (plan.keyDescending ? -1 : 1);
  const { after, limit } = plan;
  const end = after && { row: after.row, value: after.orderValues[0] ?? null };
  const first = openFirst(compare, limit + 1);
  let total = 0;
  for (const [block, found] of matchesIn(plan, blocks, file)) {
    total += found.length;
    const values = field === undefined ? undefined : block.valuesOf(field);
    for (const index of found) {
      const value = values?.[index] ?? null;
      const last = first.last();
      // Most are after the page by their value alone.
      if (last !== undefined && isBefore(last.value, value)) continue;
      const entry = { row: block.ordinalAt(index), value };
      if (end === undefined || compare(entry, end) > 0) first.add(entry);
    }
  }
  return pageOfEntries(plan, first.items, file, total);
}

export function countBox(plan: CountPlan, blocks: readonly number[], file: RowFile): number {
  let total = 0;
  for (const [, found] of matchesIn(plan, blocks, file)) total += found.length;
  return total;
}

/** The matching entries of each block, by their index there. */
function* matchesIn(
  { version, predicates }: Pick<RecordsPlan, 'version' | 'predicates'>,
  blocks: readonly number[],
  file: RowFile,
): Generator<readonly [EntryBlock, readonly number[]]> {
  const filter = openEntryFilter(conditionsOf(version, predicates));
  for (const block of file.readEntries(POINTS_TABLE, blocks)) {
    yield [block, filter(block, 0, block.count)];
  }
}

/** The blocks of points that a box can have records of; undefined without a condition on a box. */
export function blocksOfBox(
  conditions: readonly Predicate[],
  file: Pick<RowFile, 'boxes' | 'facts'>,
): readonly number[] | undefined {
  if (file.facts.points === undefined) return undefined;
  const wanted = conditions.flatMap((one) => (one.kind === 'box' ? [one.box] : []));
  if (wanted.length === 0) return undefined;
  const edges = file.boxes();
  const blocks: number[] = [];
  for (let at = 0; at < edges.length; at += 4) {
    if (wanted.every((box) => overlaps(box, edges, at))) blocks.push(at / 4);
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
