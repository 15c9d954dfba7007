import type { Predicate, ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { PresentValue } from '@locmetrics/core/domain/value';
import { fieldsReadBy } from '@locmetrics/core/plan/fields-read-by';
import type {
  CountPlan,
  DistinctPlan,
  GroupsPlan,
  OrderTerm,
  ReadPlan,
  RecordsPlan,
} from '@locmetrics/core/plan/read-plan';
import type { Aggregation } from '@locmetrics/core/requests/aggregation';
import { matches } from '@locmetrics/core/storage/reference/match-predicate';
import type { CountedGroups, OrderFacts, RowFacts, SearchFacts } from '../row-file.ts';
import { counterAsGroups } from './count-by-groups.ts';
import { conditionsOf, findNone, isCovered } from './entry-filter.ts';
import type { RowFile } from './open-row-file.ts';
import { BLOCKS_AT_ONCE_MAX, BLOCKS_IN_TICKS_MAX, blocksOfBox } from './read-box.ts';
import { ENTRIES_COMPARED_MAX } from './read-order.ts';
import { type TileAccess, tileAccessOf } from './tile-access.ts';

/** How the records that may match a plan are found. */
export type Access =
  /** The records whose first key field has one of these values. */
  | {
      readonly kind: 'series';
      /** Those that match all conditions on the field alone. */
      readonly values: readonly PresentValue[];
      /** The conditions that all of these records match, and no others. */
      readonly proven: readonly Predicate[];
    }
  /** A range of ordinals, which has exactly the records of the page and one more. */
  | { readonly kind: 'page'; readonly row: number; readonly end: number }
  /** The order of a field, from its start or the end of the previous page until the page is full. */
  | {
      readonly kind: 'order';
      readonly order: OrderFacts;
      /** The blocks of points to read if the order has too few matches. */
      readonly box?: readonly number[] | undefined;
    }
  /** The blocks of points that can lie in a box. */
  | { readonly kind: 'box'; readonly blocks: readonly number[] }
  /** The blocks of points from the nearest one on, until the page is full. */
  | { readonly kind: 'near'; readonly term: Extract<OrderTerm, { readonly kind: 'near' }> }
  | TileAccess
  /** The distinct values of a field. */
  | { readonly kind: 'search'; readonly search: SearchFacts }
  /** The counter of a field. */
  | { readonly kind: 'counter'; readonly field: string }
  /** The counted combinations of values of some fields. */
  | { readonly kind: 'groups'; readonly groups: CountedGroups }
  | { readonly kind: 'all' };

export type SeriesAccess = Extract<Access, { readonly kind: 'series' | 'all' }>;

/** The best access for a plan; `all` if no index helps. */
export function chooseAccess(plan: ReadPlan, file: Pick<RowFile, 'facts' | 'boxes'>): Access {
  if (plan.kind === 'named_values' || plan.kind === 'named_values_count') return { kind: 'all' };
  const { version, predicates } = plan;
  const { facts } = file;
  if (plan.kind === 'records' && isPlainPage(plan)) return pageOf(plan, facts);
  const series = chooseSeries(version, predicates, facts);
  if (series.kind === 'series') return series;
  if (plan.kind === 'count' && plan.distinct === undefined) {
    return counterOf(plan, facts) ?? groupsOf(plan, facts) ?? boxOf(plan, file) ?? series;
  }
  if (plan.kind === 'groups') return groupsOf(plan, facts) ?? series;
  if (plan.kind === 'tile') return tileAccessOf(plan, file) ?? series;
  if (plan.kind === 'distinct') return searchOf(plan, facts) ?? series;
  if (plan.kind !== 'records') return series;
  const near = nearOf(plan, facts);
  if (near !== undefined) return near;
  const box = boxOf(plan, file);
  const order = orderOf(plan, facts);
  if (order === undefined) return box ?? series;
  if (box === undefined) return order;
  if (isBoxShorter(plan, box.blocks, facts)) return box;
  return box.blocks.length <= BLOCKS_IN_TICKS_MAX ? { ...order, box: box.blocks } : order;
}

/**
 * Whether a page is found sooner in a box than in an order. An order has the page of a large box sooner, because more of
 * its records are in the box.
 */
function isBoxShorter(
  { limit }: RecordsPlan,
  blocks: readonly number[],
  { records, sizes }: RowFacts,
): boolean {
  if (blocks.length <= BLOCKS_AT_ONCE_MAX) return true;
  const shareInBox = (blocks.length * sizes.points) / records;
  return limit / shareInBox > ENTRIES_COMPARED_MAX;
}

/** The access to the records of a version that pass its narrowing and match the predicates, by their series. */
export function chooseSeries(
  version: Pick<ReadableVersion, 'narrowing'>,
  predicates: readonly Predicate[],
  { seriesField }: Pick<RowFacts, 'seriesField'>,
): SeriesAccess {
  // A suppressed value is absent, so the index would find records that do not have the value.
  if (isSuppressed(version, seriesField)) return { kind: 'all' };
  const conditions = conditionsOf(version, predicates);
  let best: { readonly values: readonly PresentValue[]; readonly named: Predicate } | undefined;
  for (const named of conditions) {
    const values = valuesOf(named, seriesField);
    if (values === undefined) continue;
    if (best === undefined || best.values.length > values.length) best = { values, named };
  }
  if (best === undefined) return { kind: 'all' };
  const { values, named } = best;
  const others = conditions.filter((one) => one !== named && isOnField(one, seriesField));
  const left =
    others.length === 0
      ? values
      : values.filter((value) =>
          others.every((one) => matches({ [seriesField]: value }, one, findNone)),
        );
  return { kind: 'series', values: left, proven: [named, ...others] };
}

function isOnField(predicate: Predicate, field: string): boolean {
  const { kind } = predicate;
  return (
    (kind === 'compare' || kind === 'in' || kind === 'match') && predicate.field.name === field
  );
}

function isSuppressed({ narrowing }: Pick<ReadableVersion, 'narrowing'>, field: string): boolean {
  return narrowing?.suppressed.some(({ name }) => name === field) ?? false;
}

/** A page in the order of the key, without conditions: its ordinals are known. */
function isPlainPage({ predicates, order, version }: RecordsPlan): boolean {
  return predicates.length === 0 && order.length === 0 && version.narrowing === undefined;
}

function pageOf({ after, keyDescending, limit }: RecordsPlan, { records }: RowFacts): Access {
  if (keyDescending) {
    const end = Math.min(after?.row ?? records, records);
    return { kind: 'page', row: Math.max(0, end - limit - 1), end };
  }
  const row = after === undefined ? 0 : after.row + 1;
  return { kind: 'page', row, end: Math.min(records, row + limit + 1) };
}

/** If all conditions are on one field whose values are counted, and the caller sees all records. */
function counterOf({ version, predicates }: CountPlan, { counters }: RowFacts): Access | undefined {
  if (version.narrowing !== undefined) return undefined;
  const [field, ...others] = new Set(fieldsReadBy(predicates).map(({ name }) => name));
  const isOnIt = predicates.every(
    ({ kind }) => kind === 'compare' || kind === 'in' || kind === 'match',
  );
  if (field === undefined || others.length > 0 || !isOnIt) return undefined;
  // An absent value is not counted, so it must not match.
  if (predicates.every((one) => one.kind === 'in' && one.orAbsent === true)) return undefined;
  return Object.hasOwn(counters, field) ? { kind: 'counter', field } : undefined;
}

/** Whether counted combinations of values cannot answer a plan, whatever their fields. */
function needsRecords({ groups, aggregates, compared }: GroupsPlan): boolean {
  return (
    compared !== undefined ||
    groups.some(({ lookup }) => lookup !== undefined) ||
    aggregates.some(({ ofPresent }) => ofPresent !== undefined)
  );
}

/** If all that a plan reads is on fields whose combinations are counted, and the caller sees all records. */
function groupsOf(plan: CountPlan | GroupsPlan, facts: RowFacts): Access | undefined {
  const { version, predicates } = plan;
  if (version.narrowing !== undefined) return undefined;
  const isOnOne = predicates.every(
    ({ kind }) => kind === 'compare' || kind === 'in' || kind === 'match' || kind === 'empty',
  );
  const terms = plan.kind === 'groups' ? [...plan.groups, ...plan.aggregates] : [];
  // What a lookup finds is not counted, and neither is whether another field is present.
  if (plan.kind === 'groups' && needsRecords(plan)) return undefined;
  if (terms.some((term) => 'aggregation' in term && !COUNTED.includes(term.aggregation)))
    return undefined;
  const read = [...fieldsReadBy(predicates), ...terms.flatMap(({ field }) => field ?? [])];
  const names = [...new Set(read.map(({ name }) => name))];
  const [name = ''] = names;
  const counter =
    plan.kind === 'groups' && names.length === 1 ? counterAsGroups(name, facts) : undefined;
  const [best] = [...(facts.groups ?? []), ...(counter ? [counter] : [])]
    .filter(({ fields }) => names.every((name) => fields.includes(name)))
    .sort((left, right) => left.counts.length - right.counts.length);
  return isOnOne && best !== undefined ? { kind: 'groups', groups: best } : undefined;
}

/** The aggregations that need only how often each combination of values occurs. */
const COUNTED: readonly Aggregation[] = ['COUNT', 'COUNT_DISTINCT', 'MIN', 'MAX'];

/** The distinct values are those of all records. */
function searchOf(plan: DistinctPlan, { searches }: RowFacts): Access | undefined {
  const { version, predicates, field, term } = plan;
  if (version.narrowing !== undefined || predicates.length > 0) return undefined;
  const search = searches.find((one) => one.field === field.name);
  if (search === undefined) return undefined;
  // An earlier release could have made the file of a version of this one.
  const isFolded = term === undefined || (term.rule === 2) === (search.foldedTables !== undefined);
  return isFolded ? { kind: 'search', search } : undefined;
}

function boxOf(
  plan: RecordsPlan | CountPlan,
  file: Pick<RowFile, 'facts' | 'boxes'>,
): Extract<Access, { readonly kind: 'box' }> | undefined {
  const { version, predicates } = plan;
  const conditions = conditionsOf(version, predicates);
  if (!isCovered(version, conditions, file.facts)) return undefined;
  if (plan.kind === 'records') {
    const [term, ...others] = plan.order;
    if (others.length > 0 || !isShownWhole(plan)) return undefined;
    if (term?.kind === 'rank' || term?.kind === 'near') return undefined;
    if (term !== undefined && !isOrderedBy(plan, term.field.name, file.facts)) return undefined;
  }
  const blocks = blocksOfBox(conditions, file);
  return blocks && { kind: 'box', blocks };
}

/** If blocks have all that is compared, and no coordinate is withheld. */
function nearOf(
  plan: RecordsPlan,
  facts: RowFacts,
): Extract<Access, { readonly kind: 'near' }> | undefined {
  const { version, predicates, order, keyDescending } = plan;
  const [term, ...others] = order;
  if (term?.kind !== 'near' || others.length > 0 || keyDescending) return undefined;
  if (facts.points === undefined || !isShownWhole(plan)) return undefined;
  const coordinates = [term.longitude, term.latitude];
  if (!coordinates.every(({ name }) => isOrderedBy(plan, name, facts))) return undefined;
  return isCovered(version, conditionsOf(version, predicates), facts)
    ? { kind: 'near', term }
    : undefined;
}

function orderOf(
  plan: RecordsPlan,
  facts: RowFacts,
): Extract<Access, { readonly kind: 'order' }> | undefined {
  const { version, predicates, order, keyDescending } = plan;
  const [term, ...others] = order;
  if (term?.kind !== 'field' || others.length > 0 || term.absentFirst || keyDescending) {
    return undefined;
  }
  const found = facts.orders.find(({ field }) => field === term.field.name);
  if (found === undefined || !isShownWhole(plan)) return undefined;
  if (!isOrderedBy(plan, found.field, facts)) return undefined;
  return isCovered(version, conditionsOf(version, predicates), facts)
    ? { kind: 'order', order: found }
    : undefined;
}

function isOrderedBy({ version }: RecordsPlan, field: string, { covered }: RowFacts): boolean {
  return covered.includes(field) && !isSuppressed(version, field);
}

/** Whether no value of the page is withheld. */
function isShownWhole({ version, fields }: RecordsPlan): boolean {
  return fields.every(({ name }) => !isSuppressed(version, name));
}

/** The values of the field, one of which every matching record has; undefined if the predicate names none. */
function valuesOf(predicate: Predicate, field: string): readonly PresentValue[] | undefined {
  switch (predicate.kind) {
    case 'compare':
      return predicate.operator === '==' && predicate.field.name === field
        ? [predicate.value]
        : undefined;
    case 'in': {
      const isList = !predicate.negated && predicate.orAbsent !== true;
      return isList && predicate.field.name === field ? predicate.values : undefined;
    }
    case 'never':
      return [];
    default:
      return undefined;
  }
}
