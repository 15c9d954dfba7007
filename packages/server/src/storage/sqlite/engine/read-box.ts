import { type BoundingBox, crossesAntimeridian } from '../../../domain/bounding-box.ts';
import type { Predicate } from '../../../domain/predicate.ts';
import type { Value } from '../../../domain/value.ts';
import type { CountPlan, OrderTerm, RecordsPlan } from '../../../plan/read-plan.ts';
import type { RecordsPage } from '../../engine.ts';
import { compareOrderValues } from '../../reference/run-on-records.ts';
import { openFirst } from '../../reference/take-first.ts';
import { POINTS_TABLE } from '../row-file.ts';
import { conditionsOf, openEntryFilter } from './entry-filter.ts';
import type { RowFile } from './open-row-file.ts';
import { type Entry, pageOfEntries, toEntry } from './page-of-entries.ts';

/** A page of the records in a box, in the order of a covered field or of the key, and their number. */
export function readBox(plan: RecordsPlan, blocks: readonly number[], file: RowFile): RecordsPage {
  const { after, limit, version, predicates } = plan;
  const filter = openEntryFilter(conditionsOf(version, predicates));
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
  for (const block of file.readEntries(POINTS_TABLE, blocks)) {
    const { indexes, size } = filter(block, 0, block.count);
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
  }
  return pageOfEntries(plan, first.items, file, total);
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

export function countBox(plan: CountPlan, blocks: readonly number[], file: RowFile): number {
  const filter = openEntryFilter(conditionsOf(plan.version, plan.predicates));
  let total = 0;
  for (const block of file.readEntries(POINTS_TABLE, blocks)) {
    total += filter(block, 0, block.count).size;
  }
  return total;
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
