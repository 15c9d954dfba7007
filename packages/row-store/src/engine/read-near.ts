import { chordSquared, unitVector } from '@locmetrics/core/geometry/unit-vector';
import type { OrderTerm, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { RecordsPage } from '@locmetrics/core/storage/engine';
import { compareOrderValues } from '@locmetrics/core/storage/reference/compare-order-values';
import { openFirst } from '@locmetrics/core/storage/reference/take-first';
import { POINTS_TABLE } from '../row-file.ts';
import type { EntryBlock } from './entry-block.ts';
import { conditionsOf, openEntryFilter } from './entry-filter.ts';
import type { RowFile } from './open-row-file.ts';
import { type Entry, pageOfEntries } from './page-of-entries.ts';
import { blocksOfBox } from './read-box.ts';

type NearTerm = Extract<OrderTerm, { readonly kind: 'near' }>;

/** More boxes of blocks would take longer than a millisecond to compare with a point. */
export const BOXES_COMPARED_MAX = 4000;
/** So many blocks are read for a page; one that needs more is left to the column store. They take half a millisecond. */
export const NEAR_BLOCKS_READ_MAX = 20;

/**
 * A page in the order of the distance from a point: the blocks of points are read from the nearest box on, until no other
 * box can have a nearer point than the last one of the page. Undefined if that would take too many, or if the page has
 * records without a point.
 */
export function readNear(
  plan: RecordsPlan,
  term: NearTerm,
  file: RowFile,
): RecordsPage | undefined {
  const { after, limit, version, predicates } = plan;
  const conditions = conditionsOf(version, predicates);
  const last = after && { row: after.row, key: after.orderValues[0] ?? null };
  // Records without a point follow, which are in no block.
  if (last !== undefined && last.key === null) return undefined;
  const filter = openEntryFilter(conditions);
  const first = openFirst(compareEntries, limit + 1);
  const add = (block: EntryBlock): void => {
    const longitudes = block.keysOf(term.longitude.name);
    const latitudes = block.keysOf(term.latitude.name);
    const { indexes, size } = filter(block, 0, block.count);
    for (let place = 0; place < size; place += 1) {
      const index = indexes[place] ?? 0;
      const point = unitVector(Number(longitudes[index]), Number(latitudes[index]));
      const key = chordSquared(point, term.target);
      if (key > Number(first.last()?.key ?? Number.POSITIVE_INFINITY)) continue;
      const entry = { row: block.ordinalAt(index), key };
      if (last === undefined || compareEntries(entry, last) > 0) first.add(entry);
    }
  };
  const nearest = openNearest(term, blocksOf(plan, file), file.boxes());
  for (let read = 0; ; read += 1) {
    const next = nearest();
    const end = first.last()?.key;
    if (next === undefined || (typeof end === 'number' && next.least > end)) break;
    if (read >= NEAR_BLOCKS_READ_MAX) return undefined;
    for (const block of file.readEntries(POINTS_TABLE, [next.block])) add(block);
  }
  const { points, records } = file.facts;
  const isOfPoints = points === records || conditions.some(({ kind }) => kind === 'box');
  return first.items.length > limit || isOfPoints
    ? pageOfEntries(plan, first.items, file)
    : undefined;
}

function blocksOf({ version, predicates }: RecordsPlan, file: RowFile): readonly number[] {
  const found = blocksOfBox(conditionsOf(version, predicates), file);
  return found ?? Array.from({ length: file.boxes().length / 4 }, (_, block) => block);
}

function compareEntries(left: Entry, right: Entry): number {
  return compareOrderValues(left.key, right.key, NEAREST_FIRST) || left.row - right.row;
}

const NEAREST_FIRST = { descending: false, absentFirst: false };

/** Finds the blocks, those first whose box can have the nearest point, each with the least square of a chord to it. */
function openNearest(
  { target }: NearTerm,
  blocks: readonly number[],
  edges: Float64Array,
): () => { readonly block: number; readonly least: number } | undefined {
  const leastOf = openLeastChord(target);
  const least = Float64Array.from(blocks, (block) => leastOf(edges, block * 4));
  // Few blocks are read, so that looking for each of them takes less than sorting them all.
  return () => {
    let best = -1;
    for (let place = 0; place < least.length; place += 1) {
      if ((least[place] ?? 0) < (best < 0 ? Number.POSITIVE_INFINITY : (least[best] ?? 0))) {
        best = place;
      }
    }
    const block = blocks[best];
    if (block === undefined) return undefined;
    const found = { block, least: least[best] ?? 0 };
    least[best] = Number.POSITIVE_INFINITY;
    return found;
  };
}

/**
 * A bound of the square of the chord from a point to those in a box, whose edges begin at an index: no point in it is
 * nearer. The nearest one is on the meridian of the box that is nearest to the point.
 */
function openLeastChord({ x, y, z }: NearTerm['target']) {
  const longitude = Math.atan2(y, x);
  const [sine, cosine] = [z, Math.hypot(x, y)];
  return (edges: Float64Array, at: number): number => {
    const radiansOf = (edge: number): number => ((edges[at + edge] ?? 0) * Math.PI) / 180;
    const [west, south, east, north] = [radiansOf(0), radiansOf(1), radiansOf(2), radiansOf(3)];
    const turn =
      longitude >= west && longitude <= east
        ? 0
        : Math.min(turnBetween(longitude, west), turnBetween(longitude, east));
    // The cosine of the distance to a latitude of this meridian is a wave, with its crest here.
    const [up, along] = [sine, cosine * Math.cos(turn)];
    const crest = Math.atan2(up, along);
    const cosineTo = (latitude: number) => up * Math.sin(latitude) + along * Math.cos(latitude);
    const greatest =
      crest >= south && crest <= north
        ? Math.hypot(up, along)
        : Math.max(cosineTo(south), cosineTo(north));
    const chord = Math.sqrt(Math.max(0, 2 - 2 * greatest)) - SLACK;
    return chord <= 0 ? 0 : chord * chord;
  };
}

/** Less than a metre, and more than the rounding of coordinates, of the angles here, and of the square of a chord. */
const SLACK = 1e-7;

/** The angle between two longitudes, the short way. */
function turnBetween(one: number, other: number): number {
  const turn = Math.abs(one - other);
  return Math.min(turn, 2 * Math.PI - turn);
}
