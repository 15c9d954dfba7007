import type { Field } from '@locmetrics/core/domain/field';
import type { Predicate, ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { GroupsPlan, ReadPlan, RecordsPlan, TilePlan } from '@locmetrics/core/plan/read-plan';
import { type Access, chooseAccess } from '../engine/choose-access.ts';
import { conditionsOf } from '../engine/entry-filter.ts';
import { isProven, RECORDS_AT_ONCE } from '../engine/open-row-engine.ts';
import type { RowFile } from '../engine/open-row-file.ts';
import { BLOCKS_AT_ONCE_MAX } from '../engine/read-box.ts';
import { BOXES_COMPARED_MAX, NEAR_BLOCKS_READ_MAX } from '../engine/read-near.ts';
import { ENTRIES_COMPARED_MAX } from '../engine/read-order.ts';
import { VALUES_COMPARED_MAX } from '../engine/read-search.ts';
import { recordsReadMax } from '../engine/read-tile-blocks.ts';
import type { TileAccess } from '../engine/tile-access.ts';

/** Which store answers a plan, and why. */
export type Route = {
  readonly store: 'rows' | 'columns';
  /** How the row store finds, or would find, the records. */
  readonly access: Access;
  /** The most that the row store needs, in µs of the event loop at a time; absent without a bound. */
  readonly boundUs?: number;
  /** Why, as a sentence. */
  readonly reason: string;
};

/** The facts and the lookups of a row file by which a plan is routed; undefined without a row file. */
export type RowFileOf = (
  version: ReadableVersion,
) => Pick<RowFile, 'facts' | 'findSeries' | 'boxes'> | undefined;

/** Work that takes longer would make other requests wait, because it blocks the event loop. */
const BOUND_MAX_US = 1000;

/** A page that is read in several event-loop ticks may take so long in all: the column store is faster for a longer one. */
const TICKS_MAX_US = 50_000;

/** More values are not looked up one by one to find a bound. */
const LOOKUPS_MAX = 20;

/**
 * The time of each step of the row store, in µs: estimates from profiles of series, boxes and orders over 100,000
 * places and 2.4 million records.
 */
const COSTS = {
  /** A lookup of where a series is, and its first block. */
  series: 12,
  block: 3,
  /** A value that is decoded. */
  value: 0.06,
  /** A predicate or an order that is applied to a record. */
  comparison: 0.5,
  /** An entry of an order or a block of points, for each condition and the order, if its block is decoded for it. */
  entry: 0.015,
  /** A point whose block was read before, for each condition, its cell, and each aggregate. */
  gridded: 0.01,
  /** The box of a block of points that is compared with a point, and searched for each block that is read. */
  box: 0.1,
  /** A unit vector that is computed and compared. */
  vector: 0.15,
  /** A number of a counted combination: 28,800 of them take 0.1 ms. */
  group: 0.006,
  /** The lists of the grams of a term, and their numbers: 40 KB of lists take 0.32 ms to join for 4 million values. */
  grams: 350,
  /** A distinct value that is read and compared with a term. */
  searchedValue: 3,
  /** A record that is read by its ordinal, and each of its values, which is only copied. */
  record: 3,
  copy: 0.02,
} as const;

const NOWHERE: Access = { kind: 'all' };

/**
 * Chooses the store of a plan by the plan and what the row files of its versions say: the row store if the
 * most that it can need has a bound.
 */
export function routePlan(plan: ReadPlan, fileOf: RowFileOf): Route {
  if (plan.kind === 'named_values' || plan.kind === 'named_values_count') {
    return toColumns(NOWHERE, 'No index has the distinct values of a layer.');
  }
  if (plan.kind === 'batch') {
    return toColumns(NOWHERE, 'A stream of records is read without blocking the event loop.');
  }
  if (plan.kind === 'groups' && plan.groups.some(({ lookup }) => lookup !== undefined)) {
    return toColumns(NOWHERE, 'The records are grouped by values of another version.');
  }
  if (plan.kind === 'groups' && plan.compared !== undefined) {
    return routeCompared(plan, plan.compared, fileOf);
  }
  if ('fields' in plan && plan.fields.some(({ outline }) => outline === true)) {
    return toColumns(NOWHERE, 'The row file has no outlines of records.');
  }
  const file = fileOf(plan.version);
  if (file === undefined) return toColumns(NOWHERE, 'The version has no row file.');
  const access = chooseAccess(plan, file);
  if (access.kind === 'all') return toColumns(access, 'No index finds the records.');
  if (plan.kind === 'tile' && access.kind === 'tile') return routeTile(plan, access, file);
  const boundUs = boundOf(plan, access, file, fileOf);
  if (boundUs <= BOUND_MAX_US) {
    return { store: 'rows', access, boundUs, reason: 'An index finds the records.' };
  }
  if (plan.kind === 'records' && isProven(plan, access) && boundUs <= TICKS_MAX_US) {
    return {
      store: 'rows',
      access,
      boundUs: boundOfTick(plan),
      reason: 'An index finds the records, which are read over several event-loop ticks.',
    };
  }
  const inTicks = access.kind === 'box' ? boundOfBoxTick(plan, access, file) : undefined;
  if (inTicks !== undefined && inTicks <= BOUND_MAX_US && boundUs <= TICKS_MAX_US) {
    return {
      store: 'rows',
      access,
      boundUs: inTicks,
      reason: 'An index finds the records, whose blocks are read over several event-loop ticks.',
    };
  }
  return {
    ...toColumns(access, `The row file could take longer than ${BOUND_MAX_US} µs.`),
    ...(Number.isFinite(boundUs) ? { boundUs } : {}),
  };
}

/** The row store reads the records of the groups and those that they are compared with, or none of them. */
function routeCompared(
  plan: GroupsPlan,
  compared: NonNullable<GroupsPlan['compared']>,
  fileOf: RowFileOf,
): Route {
  const alone = { ...plan, compared: undefined };
  const first = routePlan(alone, fileOf);
  const second = routePlan({ ...alone, ...compared }, fileOf);
  const other = [first, second].find(({ store }) => store === 'columns');
  if (other !== undefined) return other;
  if (first.access.kind !== 'series' || second.access.kind !== 'series') {
    return toColumns(first.access, 'Counted records cannot be compared.');
  }
  const boundUs = (first.boundUs ?? 0) + (second.boundUs ?? 0);
  return boundUs <= BOUND_MAX_US
    ? { ...first, boundUs }
    : {
        ...toColumns(first.access, `The row file could take longer than ${BOUND_MAX_US} µs.`),
        boundUs,
      };
}

/** A tile is read in several event-loop ticks: its blocks, then the records of a few points. */
function routeTile(
  plan: TilePlan,
  access: TileAccess,
  file: NonNullable<ReturnType<RowFileOf>>,
): Route {
  const { counted, inside, atEdges, places, covered, others, hasAggregates, least } = access;
  const recordsMax = recordsReadMax(plan, access);
  const isMany = least > recordsMax;
  if (isMany && others.length > 0) {
    return toColumns(access, `A condition would be compared with more than ${recordsMax} records.`);
  }
  if (isMany && !hasAggregates) {
    return toColumns(access, 'The blocks of points do not have the values of an aggregate.');
  }
  const { points } = file.facts.sizes;
  const costOf = (blocks: number, conditions: number): number =>
    blocks * (COSTS.block + points * conditions * COSTS.gridded);
  const steps = 1 + covered.length + plan.aggregates.length;
  const blocks = inside.length + atEdges.length;
  const fields = plan.fields.length + others.length;
  const records = isMany ? 0 : Math.min(blocks * points, recordsMax);
  const boundUs =
    costOf(inside.length, steps) +
    costOf(atEdges.length, steps + places.length) +
    counted.length * (1 + plan.aggregates.length) * COSTS.gridded +
    records * (COSTS.record + fields * COSTS.copy + others.length * COSTS.comparison);
  if (boundUs > TICKS_MAX_US) {
    return {
      ...toColumns(access, `The row file could take longer than ${TICKS_MAX_US} µs.`),
      boundUs,
    };
  }
  const inTick = costOf(Math.min(blocks, BLOCKS_AT_ONCE_MAX), steps + places.length);
  return {
    store: 'rows',
    access,
    boundUs: Math.min(boundUs, inTick),
    reason: 'An index finds the points, whose blocks are read over several event-loop ticks.',
  };
}

/** The records that are read at once, with a lookup of their series. */
function boundOfTick({ fields }: Pick<RecordsPlan, 'fields'>): number {
  return COSTS.series + RECORDS_AT_ONCE * (COSTS.block + fields.length * COSTS.value);
}

/** The blocks of a box that are read at once, or the records of the page after them. */
function boundOfBoxTick(
  plan: VersionPlan,
  access: Extract<Access, { readonly kind: 'box' }>,
  file: NonNullable<ReturnType<RowFileOf>>,
): number {
  const conditions = conditionsOf(plan.version, plan.predicates).length;
  const part = Math.min(access.blocks.length, BLOCKS_AT_ONCE_MAX);
  return Math.max(costOfBlocks(part, conditions, file), costOfPage(plan));
}

function costOfBlocks(
  blocks: number,
  conditions: number,
  { facts }: NonNullable<ReturnType<RowFileOf>>,
): number {
  return blocks * (COSTS.block + facts.sizes.points * (conditions + 1) * COSTS.entry);
}

/** The records of a page that are read by their ordinals. */
function costOfPage(plan: VersionPlan): number {
  if (plan.kind !== 'records') return 0;
  return plan.limit * (COSTS.record + plan.fields.length * COSTS.copy);
}

function toColumns(access: Access, reason: string): Route {
  return { store: 'columns', access, reason };
}

type VersionPlan = Exclude<
  ReadPlan,
  { readonly kind: 'named_values' | 'named_values_count' | 'batch' }
>;

function boundOf(
  plan: VersionPlan,
  access: Exclude<Access, { readonly kind: 'all' }>,
  file: NonNullable<ReturnType<RowFileOf>>,
  fileOf: RowFileOf,
): number {
  const conditions = conditionsOf(plan.version, plan.predicates);
  const width = plan.kind === 'records' ? plan.fields.length : 0;
  const page = costOfPage(plan);
  switch (access.kind) {
    case 'counter':
      return (file.facts.counters[access.field]?.length ?? 0) * COSTS.comparison;
    case 'groups': {
      if (plan.kind === 'groups') {
        const { counts, fields } = access.groups;
        const steps = conditions.length + stepsOf(plan);
        return (counts.length / (fields.length + 1)) * steps * COSTS.comparison;
      }
      const values = access.groups.values.reduce((sum, { length }) => sum + length, 0);
      return (
        values * conditions.length * COSTS.comparison + access.groups.counts.length * COSTS.group
      );
    }
    case 'page':
      return (access.end - access.row) * (COSTS.block + width * COSTS.value) + COSTS.series;
    case 'order': {
      // Each block is looked up when the one before it was not enough.
      const blocks = Math.ceil(ENTRIES_COMPARED_MAX / file.facts.sizes.order);
      return (
        blocks * COSTS.series + ENTRIES_COMPARED_MAX * (conditions.length + 1) * COSTS.entry + page
      );
    }
    case 'box': {
      return costOfBlocks(access.blocks.length, conditions.length, file) + page;
    }
    case 'near': {
      const boxes = file.boxes().length / 4;
      if (boxes > BOXES_COMPARED_MAX) return Number.POSITIVE_INFINITY;
      const entries = NEAR_BLOCKS_READ_MAX * file.facts.sizes.points;
      return (
        boxes * COSTS.box +
        entries * COSTS.vector +
        costOfBlocks(NEAR_BLOCKS_READ_MAX, conditions.length, file) +
        page
      );
    }
    case 'tile':
      return Number.POSITIVE_INFINITY;
    case 'search':
      return plan.kind === 'distinct'
        ? COSTS.grams + Math.max(plan.limit, VALUES_COMPARED_MAX) * COSTS.searchedValue
        : Number.POSITIVE_INFINITY;
    case 'series':
      return boundOfSeries(plan, access, file, fileOf);
  }
}

function boundOfSeries(
  plan: VersionPlan,
  access: Extract<Access, { readonly kind: 'series' }>,
  file: NonNullable<ReturnType<RowFileOf>>,
  fileOf: RowFileOf,
): number {
  const conditions = conditionsOf(plan.version, plan.predicates);
  const steps = stepsOf(plan);
  const fields = (plan.kind === 'records' ? plan.fields.length : 1 + steps) + conditions.length;
  const { values } = access;
  const { longestSeries, seriesField, sizes } = file.facts;
  const readMax = readMaxOf(plan, access);
  const costWith = (all: number): number => costOfRecords(Math.min(all, readMax));
  const costOfRecords = (records: number): number =>
    values.length * (COSTS.series + COSTS.block) +
    (records / sizes.series) * COSTS.block +
    records * (fields * COSTS.value + steps * COSTS.comparison) +
    costOfConditions(conditions, { fileOf, records, series: values.length, seriesField });
  const most = costWith(values.length * longestSeries);
  if (most <= BOUND_MAX_US || values.length > LOOKUPS_MAX) return most;
  // Most series can be shorter than the longest one, so these are looked up.
  const ranges = values.map((value) => file.findSeries(value));
  return costWith(ranges.reduce((sum, range) => sum + (range ? range.end - range.row : 0), 0));
}

/** What is done with each record besides comparing it: its order, or its groups and their aggregates. */
function stepsOf(plan: VersionPlan): number {
  if (plan.kind === 'records') return plan.order.length;
  return plan.kind === 'groups' ? plan.groups.length + plan.aggregates.length : 0;
}

/** The most records that are read, however many there are. */
function readMaxOf(plan: VersionPlan, access: Access): number {
  const isExact = (plan.kind === 'records' || plan.kind === 'count') && isProven(plan, access);
  if (!isExact) return Number.POSITIVE_INFINITY;
  // Those after a page in the order of the key are not read, and the sizes of series are known.
  return plan.kind === 'records' ? plan.limit + RECORDS_AT_ONCE : 0;
}

/** The cost of conditions for so many records, of so many series. */
function costOfConditions(
  conditions: readonly Predicate[],
  compared: {
    readonly fileOf: RowFileOf;
    readonly records: number;
    readonly series: number;
    readonly seriesField: string;
  },
): number {
  return conditions.reduce((sum, condition) => sum + costOfCondition(condition, compared), 0);
}

function costOfCondition(
  condition: Predicate,
  compared: Parameters<typeof costOfConditions>[1],
): number {
  const { records, series, seriesField, fileOf } = compared;
  switch (condition.kind) {
    case 'any':
      return condition.alternatives.reduce(
        (sum, all) => sum + costOfConditions(all, compared),
        records * COSTS.comparison,
      );
    case 'not':
      return records * COSTS.comparison + costOfConditions(condition.predicates, compared);
    case 'in':
      // A list is searched from its start for each record.
      return records * (COSTS.comparison + condition.values.length / 100);
    case 'feature': {
      const { field, features } = condition;
      // Each feature is looked up once, and compared with each of its records.
      const lookups = field.name === seriesField ? series : records;
      const found = costOfFeature(features, fileOf);
      return lookups * found.lookup + records * found.comparison;
    }
    default:
      return records * COSTS.comparison;
  }
}

/** The cost of looking up the records of a feature, and of comparing them with one record. */
function costOfFeature(
  {
    version,
    id,
    predicates,
  }: {
    readonly version: ReadableVersion;
    readonly id: Field;
    readonly predicates: readonly Predicate[];
  },
  fileOf: RowFileOf,
): { readonly lookup: number; readonly comparison: number } {
  const file = fileOf(version);
  const isSuppressed = version.narrowing?.suppressed.some(({ name }) => name === id.name) ?? false;
  if (file === undefined || isSuppressed || file.facts.seriesField !== id.name) return UNBOUNDED;
  const { longestSeries: records, seriesField, sizes } = file.facts;
  const narrowing = version.narrowing?.predicates ?? [];
  const compared = { fileOf, records, series: 1, seriesField };
  const fields = 1 + narrowing.length + predicates.length;
  return {
    lookup:
      COSTS.series +
      (records / sizes.series) * COSTS.block +
      records * fields * COSTS.value +
      costOfConditions(narrowing, compared),
    comparison: costOfConditions(predicates, compared) + records * COSTS.comparison,
  };
}

const UNBOUNDED = { lookup: Number.POSITIVE_INFINITY, comparison: Number.POSITIVE_INFINITY };
