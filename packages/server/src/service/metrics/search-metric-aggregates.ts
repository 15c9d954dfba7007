import type { AppliedFilters } from '@locmetrics/core/domain/metric-value';
import { type Value, valueText } from '@locmetrics/core/domain/value';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { appliedFilters } from '@locmetrics/core/plan/applied-filters';
import {
  type AggregateSelection,
  countsPeriods,
  hasValues,
  type KnownValues,
  type MetricGroupTerm,
  ofValues,
  periodCount,
  periodsOfGroup,
  planAllGroups,
  planGroupsPage,
  planPeriodCounts,
  planPeriodsWithValues,
  planTotalFeatures,
  selectMetricAggregates,
} from '@locmetrics/core/plan/plan-metric-aggregates';
import { planPageSize } from '@locmetrics/core/plan/plan-page';
import type { GroupsPlan } from '@locmetrics/core/plan/read-plan';
import type {
  MetricAggregatesRow,
  MetricGroupValue,
  SearchMetricAggregatesRequest,
} from '@locmetrics/core/requests/metric-aggregates';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine, GroupsPage } from '@locmetrics/core/storage/engine';
import {
  compareGroups,
  earlierDays,
  periodText,
  showGroups,
  startOfPeriod,
  termCount,
} from '@locmetrics/core/storage/reference/compare-groups';
import { groupKey } from '@locmetrics/core/storage/reference/finish-groups';
import { inSpan } from '../../observe/request-scope.ts';
import { tooManyGroups } from '../list-groups.ts';
import { finishPage, type PageEnd, startPage, takeSlot } from '../page-steps.ts';
import { readFeatureNames } from '../read-features.ts';
import { circleParts, polygonParts } from '../selection-parts.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { expectBillingContext, filterParts, pinMetric } from './search-metric-values.ts';

export type SearchMetricAggregatesResult = PageEnd & {
  readonly rows: readonly MetricAggregatesRow[];
  readonly appliedFilters: AppliedFilters;
  readonly version: string;
};

/** A page of groups of the values of a metric, with their aggregates, compared and ranked. */
export async function searchMetricAggregates(
  context: ServiceContext,
  request: SearchMetricAggregatesRequest,
  call: Call,
): Promise<SearchMetricAggregatesResult> {
  const { engine, extents, catalogFor } = context;
  // Refused: no billing context.
  expectBillingContext(request.billingContext);
  // Refused: a foreign billing context, a page token of another request.
  const start = startPage(context, call, { ...request, parts: () => requestParts(request) });
  // The caller's part of the catalog. Refused: an unknown catalog, metric or version.
  const version = pinMetric(catalogFor(call.caller), request, start.token);
  // Refused: a filter outside the grant, an unknown name, an aggregation that a value does not have.
  const selection = inSpan('plan', () => selectMetricAggregates(request, version));
  const limit = planPageSize(request.pageSize);
  // Refused: a full queue, a missed deadline.
  const slot = await takeSlot(context, call, { ...start, isAggregation: true });
  try {
    const { signal } = slot;
    const { isWhole = false } = (await extents.soon(version)) ?? {};
    const known = { isWhole, hasTotals: await hasTotals(engine, version, signal) };
    const after = start.token === undefined ? 0 : Number(start.token.position[0]);
    // Refused: a wrong value of a filter, a sum over what cannot be added up.
    const planned = planPage(selection, known, { after, limit });
    // Refused: too many queries at once, too many groups.
    const { found, periodsOf } = await readPageAndPeriods(engine, selection, {
      planned,
      isWhole,
      signal,
    });
    // A period that is the same for all values has no terms, and is no group if there are none.
    const isEmpty =
      selection.groups.length > 0 && termCount(selection) === 0 && periodsOf([]) === 0;
    const { rows, hasMore, total, ...others } = isEmpty ? NO_GROUPS : found;
    const [periodsWithValues, groupsOf] = await Promise.all([
      readPeriodsWithValues(engine, selection, { rows, periodsOf, isWhole, signal }),
      readNames(engine, selection, rows, signal),
    ]);
    const end = finishPage(start, {
      version: version.version,
      found: { hasMore, positionAt: (index) => after + index + 1 },
      rowCount: rows.length,
      totalSize: total,
      writePosition: (position) => [position],
    });
    return {
      ...end,
      rows: showGroups(selection, { rows, ...others }).map(({ row, period, values }) => ({
        groups: groupsOf(row),
        period,
        values,
        periodsWithValues: periodsWithValues(row),
        periods: periodsOf(row),
      })),
      appliedFilters: appliedFilters(selection),
      version: version.version,
    };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

type Rows = readonly (readonly Value[])[];
type FoundPage = Pick<GroupsPage, 'rows' | 'compared' | 'ranks' | 'hasMore' | 'total'>;

const NO_GROUPS: FoundPage = { rows: [], hasMore: false, total: 0 };

/** How a page is read: by one plan, or by the plan of all groups, which are compared and ranked here. */
type PlannedPage =
  | { readonly plan: GroupsPlan }
  | {
      readonly selection: AggregateSelection;
      readonly known: KnownValues;
      readonly page: Pick<GroupsPlan, 'after' | 'limit'>;
      readonly all: GroupsPlan;
    };

/** The number of periods of all groups, by the bucket of a group. */
type PeriodsOf = (row: readonly Value[]) => number;

/** Reads the page, and the periods of all groups where the groups of the page do not say them. */
async function readPageAndPeriods(
  engine: Engine,
  selection: AggregateSelection,
  {
    planned,
    isWhole,
    signal,
  }: {
    readonly planned: PlannedPage;
    readonly isWhole: boolean;
    readonly signal: StopSignal;
  },
): Promise<{ readonly found: FoundPage; readonly periodsOf: PeriodsOf }> {
  const readPeriods = () => readPeriodCounts(engine, selection, { isWhole, signal });
  if (!countsPeriods(selection)) {
    const [found, periodsOf] = await Promise.all([
      readPage(engine, planned, signal),
      readPeriods(),
    ]);
    return { found, periodsOf };
  }
  const found = await readPage(engine, planned, signal);
  return { found, periodsOf: onlyPeriods(selection, found) ?? (await readPeriods()) };
}

/** Undefined unless the page has all groups, and those of a bucket have one period together. */
function onlyPeriods(
  selection: AggregateSelection,
  { rows, total }: FoundPage,
): PeriodsOf | undefined {
  if (rows.length < total) return undefined;
  const bucketOf = bucketIn(selection);
  const days = new Map<string, Value>();
  for (const row of rows) {
    const { first, last } = periodsOfGroup(selection, row);
    const bucket = bucketOf(row);
    if (first !== last || (days.has(bucket) && days.get(bucket) !== first)) return undefined;
    days.set(bucket, first);
  }
  return (row) => ((days.get(bucketOf(row)) ?? null) === null ? 0 : 1);
}

/** The text of the bucket of a group; that of all groups without buckets. */
function bucketIn({ groups }: AggregateSelection): (row: readonly Value[]) => string {
  const byPeriod = groups.find(({ kind }) => kind === 'PERIOD');
  if (byPeriod === undefined || byPeriod.terms.length === 0) return () => '';
  const at = startOfPeriod(groups);
  return (row) => String(row[at]);
}

function planPage(
  selection: AggregateSelection,
  known: KnownValues,
  page: Pick<GroupsPlan, 'after' | 'limit'>,
): PlannedPage {
  const plan = planGroupsPage(selection, known, page);
  return plan ? { plan } : { selection, known, page, all: planAllGroups(selection, known) };
}

async function readPage(
  engine: Engine,
  planned: PlannedPage,
  signal: StopSignal,
): Promise<FoundPage> {
  if ('plan' in planned) return readGroups(engine, planned.plan, signal);
  const { selection, known, page, all } = planned;
  const { rows } = await readGroups(engine, all, signal);
  const earlier = await readEarlier(engine, selection, { rows, known, signal });
  return compareGroups(selection, { rows, earlier, ...page });
}

async function readGroups(
  engine: Engine,
  plan: GroupsPlan,
  signal: StopSignal,
): Promise<GroupsPage> {
  const found = await engine.run(plan, signal);
  if (found.isCutOff) throw tooManyGroups('The values have');
  return found;
}

async function readPeriodCounts(
  engine: Engine,
  selection: AggregateSelection,
  { isWhole, signal }: { readonly isWhole: boolean; readonly signal: StopSignal },
): Promise<PeriodsOf> {
  const plan = planPeriodCounts(selection, { isWhole });
  if (plan === undefined) return () => 1;
  const { rows: counts } = await readGroups(engine, plan, signal);
  if (plan.groups.length === 0) return () => periodCount(counts[0]?.[0], selection.version);
  const known = new Map(counts.map(([bucket, count]) => [String(bucket), Number(count)]));
  const bucketOf = bucketIn(selection);
  return (row) => known.get(bucketOf(row)) ?? 0;
}

/**
 * The number of periods with a value, by the group. Most groups are of one period, or have the only period that there is;
 * whether it has a value follows from the aggregates.
 */
async function readPeriodsWithValues(
  engine: Engine,
  selection: AggregateSelection,
  {
    rows,
    periodsOf,
    isWhole,
    signal,
  }: {
    readonly rows: Rows;
    readonly periodsOf: PeriodsOf;
    readonly isWhole: boolean;
    readonly signal: StopSignal;
  },
): Promise<PeriodsOf> {
  if (countsPeriods(selection)) return (row) => periodsOfGroup(selection, row).withValues;
  const known = (row: readonly Value[]): number | undefined => {
    const periods = periodsOf(row);
    if (periods === 0) return 0;
    const hasValue = hasValues(selection, row);
    return periods > 1 || hasValue === undefined ? undefined : Number(hasValue);
  };
  const counted = rows.filter((row) => known(row) === undefined);
  if (counted.length === 0) return (row) => known(row) ?? 0;
  const plan = planPeriodsWithValues(selection, { isWhole }, counted);
  const { rows: counts } = await readGroups(engine, plan, signal);
  const width = termCount(selection);
  const keyOf = (row: readonly Value[]) => groupKey(row.slice(0, width));
  const found = new Map(counts.map((row) => [keyOf(row), row[width]]));
  return (row) => known(row) ?? periodCount(found.get(keyOf(row)), selection.version);
}

/** Whether values can be of the feature that is the total of the others. */
async function hasTotals(
  engine: Engine,
  version: MetricVersion,
  signal: StopSignal,
): Promise<boolean> {
  const plan = planTotalFeatures(version);
  return plan !== undefined && (await engine.run(plan, signal)) > 0;
}

/** The groups of the periods that the groups are compared with. */
async function readEarlier(
  engine: Engine,
  selection: AggregateSelection,
  {
    rows,
    known,
    signal,
  }: { readonly rows: Rows; readonly known: KnownValues; readonly signal: StopSignal },
): Promise<Rows> {
  const filter = earlierDays(selection, rows);
  if (filter === undefined) return [];
  if (filter === 'found') return rows;
  const plan = planAllGroups(selection, { ...known, filter });
  return (await readGroups(engine, plan, signal)).rows;
}

/** Reads the names of the values of the groups of a page. */
async function readNames(
  engine: Engine,
  selection: AggregateSelection,
  rows: Rows,
  signal: StopSignal,
): Promise<(row: readonly Value[]) => readonly MetricGroupValue[]> {
  let next = 0;
  const columns = selection.groups.map((term) => {
    const at = next;
    next += term.terms.length;
    return { term, at };
  });
  const named = await Promise.all(
    columns.map(async ({ term, at }) => {
      if (term.kind === 'PERIOD') {
        return (row: readonly Value[]): MetricGroupValue => {
          const value = periodText(selection, row);
          return { kind: term.kind, id: term.id, value, displayName: value };
        };
      }
      const values = new Set(rows.flatMap((row) => row[at] ?? []).map(valueText));
      const names = await namesOf(engine, term, values, signal);
      return (row: readonly Value[]): MetricGroupValue => {
        const value = valueText(row[at] ?? null);
        return { kind: term.kind, id: term.id, value, displayName: names.get(value) ?? value };
      };
    }),
  );
  return (row) => named.map((nameIn) => nameIn(row));
}

async function namesOf(
  engine: Engine,
  { kind, names }: MetricGroupTerm,
  values: ReadonlySet<string>,
  signal: StopSignal,
): Promise<ReadonlyMap<string, string>> {
  if (names === undefined || values.size === 0) return new Map();
  if (kind === 'FEATURE' || kind === 'RELATED_FEATURE') {
    return readFeatureNames(engine, names, values, signal);
  }
  const found = await engine.run(
    { kind: 'named_values', sources: [names], values: [...values], limit: values.size },
    signal,
  );
  return new Map(
    found.values.map(({ value, displayName }) => [value, displayName ?? value] as const),
  );
}

/** Everything that decides which groups a request has. A page token is bound to it. */
function requestParts(request: SearchMetricAggregatesRequest): readonly unknown[] {
  return [
    'searchMetricAggregates',
    ...filterParts(ofValues(request)),
    request.groupBy.map(({ kind = '', id, bucket = '' }) => [kind, id, bucket]),
    request.aggregates.map(({ valueName, aggregation = '', quantile = -1, name }) => [
      valueName,
      aggregation,
      quantile,
      name,
    ]),
    request.compare ?? '',
    request.rankBy,
    request.orderBy.map(({ name, descending }) => [name, descending]),
    ...polygonParts(request.polygonFilter),
    ...circleParts(request.circleFilter),
  ];
}
