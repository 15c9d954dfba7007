import type {
  MetricAggregatesRow,
  MetricGroupValue,
  SearchMetricAggregatesRequest,
} from '@locmetrics/core/domain/metric-aggregates';
import type { AppliedFilters } from '@locmetrics/core/domain/metric-value';
import { type Value, valueText } from '@locmetrics/core/domain/value';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { appliedFilters } from '@locmetrics/core/plan/applied-filters';
import {
  type AggregateSelection,
  type KnownValues,
  type MetricGroupTerm,
  ofValues,
  periodCount,
  planAllGroups,
  planPeriodCounts,
  planTotalFeatures,
  selectMetricAggregates,
} from '@locmetrics/core/plan/plan-metric-aggregates';
import { planPageSize } from '@locmetrics/core/plan/plan-page';
import type { GroupsPlan } from '@locmetrics/core/plan/read-plan';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import {
  type ComparedGroup,
  compareGroups,
  earlierDays,
  periodText,
  startOfPeriod,
  termCount,
} from '@locmetrics/core/storage/reference/compare-groups';
import { inSpan } from '../observe/request-scope.ts';
import { tooManyGroups } from './list-groups.ts';
import { finishPage, type PageEnd, startPage, takeSlot } from './page-steps.ts';
import { expectBillingContext, filterParts, pinMetric } from './search-metric-values.ts';
import type { Call, ServiceContext } from './service-context.ts';

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
    // Refused: a wrong value of a filter, too many queries at once, too many groups.
    const [found, periodsOf] = await Promise.all([
      readGroups(engine, planAllGroups(selection, known), signal),
      readPeriodCounts(engine, selection, { isWhole, signal }),
    ]);
    // A period that is the same for all values has no terms, and is no group if there are none.
    const isEmpty =
      selection.groups.length > 0 && termCount(selection) === 0 && periodsOf([]) === 0;
    const rows = isEmpty ? [] : found;
    const earlier = await readEarlier(engine, selection, { rows, known, signal });
    const after = start.token === undefined ? 0 : Number(start.token.position[0]);
    const { page, hasMore } = compareGroups(selection, { rows, earlier, after, limit });
    const groupsOf = await readNames(engine, selection, page, signal);
    const last = termCount(selection) + selection.aggregates.length;
    const end = finishPage(start, {
      version: version.version,
      found: { hasMore, positionAt: (index) => after + index + 1 },
      rowCount: page.length,
      totalSize: rows.length,
      writePosition: (position) => [position],
    });
    return {
      ...end,
      rows: page.map(({ row, period, values }) => ({
        groups: groupsOf(row),
        period,
        values,
        periodsWithValues: periodCount(row[last], version),
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

async function readGroups(engine: Engine, plan: GroupsPlan, signal: StopSignal): Promise<Rows> {
  const found = await engine.run(plan, signal);
  if (found.isCutOff) throw tooManyGroups('The values have');
  return found.rows;
}

/** The number of periods of all groups, by the bucket of a group. */
async function readPeriodCounts(
  engine: Engine,
  selection: AggregateSelection,
  { isWhole, signal }: { readonly isWhole: boolean; readonly signal: StopSignal },
): Promise<(row: readonly Value[]) => number> {
  const plan = planPeriodCounts(selection, { isWhole });
  if (plan === undefined) return () => 1;
  const counts = await readGroups(engine, plan, signal);
  if (plan.groups.length === 0) return () => periodCount(counts[0]?.[0], selection.version);
  const known = new Map(counts.map(([bucket, count]) => [String(bucket), Number(count)]));
  const at = startOfPeriod(selection.groups);
  return (row) => known.get(String(row[at])) ?? 0;
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
  return readGroups(engine, planAllGroups(selection, { ...known, filter }), signal);
}

/** Reads the names of the values of the groups of a page. */
async function readNames(
  engine: Engine,
  selection: AggregateSelection,
  page: readonly ComparedGroup[],
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
      const values = new Set(page.flatMap(({ row }) => row[at] ?? []).map(valueText));
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
  { names }: MetricGroupTerm,
  values: ReadonlySet<string>,
  signal: StopSignal,
): Promise<ReadonlyMap<string, string>> {
  if (names === undefined || values.size === 0) return new Map();
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
  ];
}
