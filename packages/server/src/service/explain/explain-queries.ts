import { isDeepStrictEqual } from 'node:util';
import { bucketOf } from '@locmetrics/core/domain/date-bucket';
import type { Value } from '@locmetrics/core/domain/value';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { COUNTED_PERIODS } from '@locmetrics/core/plan/plan-metric-aggregates';
import { planPageSize } from '@locmetrics/core/plan/plan-page';
import type { GroupsPlan, GroupTerm, ReadPlan } from '@locmetrics/core/plan/read-plan';
import type {
  GetLayerStatsRequest,
  ListRecordsRequest,
  ListRecordsStatisticsRequest,
  SearchFieldValuesRequest,
} from '@locmetrics/core/requests/catalog-request';
import type { SearchMetricAggregatesRequest } from '@locmetrics/core/requests/metric-aggregates';
import type { SearchMetricValuesRequest } from '@locmetrics/core/requests/metric-request';
import {
  type Engine,
  type GroupsPage,
  type PlanExplanation,
  type PlanKind,
  type PlanResults,
  runBy,
} from '@locmetrics/core/storage/engine';
import type { PlanDescription } from '../../observe/plan-description.ts';
import { openMetricExtents } from '../extents.ts';
import { getLayerStats } from '../features/get-layer-stats.ts';
import { listRecords } from '../list-records.ts';
import { listRecordsStatistics } from '../list-records-statistics.ts';
import { searchMetricAggregates } from '../metrics/search-metric-aggregates.ts';
import {
  layersReadByValues,
  type MetricValuesPage,
  pinMetricValues,
  readMetricValues,
} from '../metrics/search-metric-values.ts';
import { openAnswerLimit } from '../queries/answer-limit.ts';
import { describePlan } from '../queries/describe-plan.ts';
import { readFeatures } from '../read-features.ts';
import { searchFieldValues } from '../search-field-values.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/*
 * Explanations: the queries that a request would run, in order, and which store answers each and why. The
 * operations themselves run, over an engine that only records their plans. So they refuse what they always
 * refuse, and an explanation cannot differ from what happens. No data is read.
 */

/** A query that a request would run, as the slow-query log describes it. */
export type ExplainedQuery = PlanDescription &
  PlanExplanation & {
    /** The comparison, the order and the rank of the groups of a metric, such as `rank by sum_visits`. */
    readonly steps: readonly string[];
    /** Sentences that are all true if the query is run; empty if it always is. */
    readonly onlyIf: readonly string[];
  };

/** The queries of `listRecords`. */
export function explainListRecords(
  context: ServiceContext,
  request: ListRecordsRequest,
  call: Call,
): Promise<readonly ExplainedQuery[]> {
  return recordQueries(context, (recording) => listRecords(recording, request, call));
}

/** The queries of `searchFieldValues`. */
export function explainSearchFieldValues(
  context: ServiceContext,
  request: SearchFieldValuesRequest,
  call: Call,
): Promise<readonly ExplainedQuery[]> {
  return recordQueries(context, (recording) => searchFieldValues(recording, request, call));
}

/** The query of `listRecordsStatistics`. */
export function explainListRecordsStatistics(
  context: ServiceContext,
  request: ListRecordsStatisticsRequest,
  call: Call,
): Promise<readonly ExplainedQuery[]> {
  return recordQueries(context, (recording) => listRecordsStatistics(recording, request, call));
}

/** The query of `getLayerStats`. */
export function explainGetLayerStats(
  context: ServiceContext,
  request: GetLayerStatsRequest,
  call: Call,
): Promise<readonly ExplainedQuery[]> {
  return recordQueries(context, (recording) => getLayerStats(recording, request, call));
}

async function recordQueries(
  context: ServiceContext,
  run: (recording: ServiceContext) => Promise<unknown>,
): Promise<readonly ExplainedQuery[]> {
  const { context: recording, queries } = openRecorder(context);
  await run(recording);
  return queries;
}

/**
 * The queries of `searchMetricValues`. What they are depends on whether all records of the version are values;
 * both cases are explained if that is not known yet and makes a difference.
 */
export async function explainSearchMetricValues(
  context: ServiceContext,
  request: SearchMetricValuesRequest,
  call: Call,
): Promise<readonly ExplainedQuery[]> {
  const page = pinMetricValues(context, request, call);
  const { version } = page.selection;
  const known = context.extents.known(version);
  const whole = await explainMetricValues(context, page, call, known?.isWhole ?? true);
  const partial =
    known === undefined ? await explainMetricValues(context, page, call, false) : whole;
  return [...(await explainExtent(context, version, call)), ...eitherOf(whole, partial)];
}

/**
 * The queries of `searchMetricAggregates`, as those of metric values are explained. The groups are not known before they
 * are read, so the queries that follow are explained for a full page of them.
 */
export async function explainSearchMetricAggregates(
  context: ServiceContext,
  request: SearchMetricAggregatesRequest,
  call: Call,
): Promise<readonly ExplainedQuery[]> {
  const whole = await explainMetricAggregates(context, request, call, true);
  const partial = await explainMetricAggregates(context, request, call, false);
  return [
    ...(await explainExtent(context, whole.version, call)),
    ...eitherOf(whole.queries, partial.queries),
  ];
}

async function explainMetricAggregates(
  context: ServiceContext,
  request: SearchMetricAggregatesRequest,
  call: Call,
  isWhole: boolean,
): Promise<{ readonly version: MetricVersion; readonly queries: readonly ExplainedQuery[] }> {
  const { context: recording, queries } = openRecorder(context, {
    conditionsOf: (plan) => conditionsOfAggregates(request, plan, queries),
    answerGroups: (plan) => makeGroups(plan, request),
  });
  let version: MetricVersion | undefined;
  const extents: ServiceContext['extents'] = {
    ...context.extents,
    soon: async (asked) => {
      version = asked;
      return { ...ANSWERS.extent, isWhole: context.extents.known(asked)?.isWhole ?? isWhole };
    },
  };
  await searchMetricAggregates({ ...recording, extents }, request, call);
  if (version === undefined) throw new Error('Aggregates are of the values of a metric.');
  // The first groups are those of the page.
  const ofPage = queries.find(({ plan }) => plan === 'groups');
  const steps = stepsOf(request);
  return { version, queries: queries.map((one) => (one === ofPage ? { ...one, steps } : one)) };
}

/** The comparison, the order and the rank of the groups of a request. */
function stepsOf({ compare, orderBy, rankBy }: SearchMetricAggregatesRequest): readonly string[] {
  const order = orderBy.map(({ name, descending }) => `${name} ${descending ? 'desc' : 'asc'}`);
  return [
    ...(compare === undefined ? [] : [`compare with ${compare}`]),
    ...(order.length === 0 ? [] : [`order by ${order.join(', ')}`]),
    ...(rankBy === '' ? [] : [`rank by ${rankBy}`]),
  ];
}

/** The conditions of a query that comes after those of the groups. */
function conditionsOfAggregates(
  { groupBy }: SearchMetricAggregatesRequest,
  plan: ReadPlan,
  before: readonly ExplainedQuery[],
): readonly string[] {
  // The names of components and dimensions, and of features.
  if (plan.kind === 'named_values' || plan.kind === 'records') return [HAS_GROUPS];
  if (plan.kind !== 'groups') return [];
  const [first, ...others] = plan.aggregates;
  if (first?.name === COUNTED_PERIODS && others.length === 0) {
    if (first.ofPresent !== undefined) return [HAS_PERIODS];
    const isSaid = before.some((one) =>
      one.aggregates?.some((text) => text.includes(' of records ')),
    );
    return isSaid ? [HAS_MANY_PERIODS] : [];
  }
  if (!groupBy.some(({ kind }) => kind === 'PERIOD')) return [];
  const { groups, aggregates } = describePlan(plan);
  const isEarlier = before.some((one) =>
    isDeepStrictEqual([one.groups, one.aggregates], [groups, aggregates]),
  );
  return isEarlier ? [HAS_EARLIER] : [];
}

/** A full page of different groups, each of a period that the request selects. */
function makeGroups(
  { groups, aggregates, limit }: GroupsPlan,
  { observationPeriodFilter: { start, end }, pageSize }: SearchMetricAggregatesRequest,
): GroupsPage {
  const day = start ?? end ?? '2000-01-01';
  const size = groups.length === 0 ? 1 : Math.min(limit, planPageSize(pageSize));
  const rows = Array.from({ length: size }, (_, index) => [
    ...groups.map((term) => valueOfGroup(term, { day, index })),
    // There are several periods.
    ...aggregates.map(({ aggregation }) => (aggregation === 'MAX' ? 3n : 2n)),
  ]);
  return { ...ANSWERS.groups, rows, hasMore: false, total: size };
}

function valueOfGroup(
  { field, bucket, lookup }: GroupTerm,
  { day, index }: { readonly day: string; readonly index: number },
): Value {
  if (bucket !== undefined) return bucketOf(day, bucket);
  switch ((lookup?.value ?? field).type) {
    case 'string':
      return String(index);
    case 'integer':
      return BigInt(index);
    case 'float':
      return index;
    case 'boolean':
      return index % 2 === 0;
    case 'date':
      return day;
  }
}

/** The queries of the extent of a metric. */
async function explainExtent(
  context: ServiceContext,
  version: MetricVersion,
  { signal }: Call,
): Promise<readonly ExplainedQuery[]> {
  const extent = openRecorder(context, { conditionsOf: () => [FIRST_REQUEST] });
  await openMetricExtents(extent.context.engine).read(version, signal);
  return extent.queries;
}

/** The queries if all records are values, and those if some are not; without conditions if they are the same. */
function eitherOf(
  whole: readonly ExplainedQuery[],
  partial: readonly ExplainedQuery[],
): readonly ExplainedQuery[] {
  return isDeepStrictEqual(whole, partial)
    ? whole
    : [...onlyIf(ALL_ARE_VALUES, whole), ...onlyIf(SOME_ARE_NO_VALUES, partial)];
}

async function explainMetricValues(
  context: ServiceContext,
  page: MetricValuesPage,
  call: Call,
  isWhole: boolean,
): Promise<readonly ExplainedQuery[]> {
  const { context: recording, queries } = openRecorder(context);
  const extents = {
    ...context.extents,
    soon: async () => ({ ...ANSWERS.extent, isWhole }),
  };
  await readMetricValues({ ...recording, extents }, page, call);
  const features = openRecorder(context, { conditionsOf: () => [HAS_VALUES] });
  const { selection } = page;
  // A full page of values with as many features.
  const ids = new Set(Array.from({ length: planPageSize(selection.request.pageSize) }, toText));
  for (const layer of layersReadByValues(selection)) {
    await readFeatures(features.context.engine, layer, ids, call.signal);
  }
  // The values are counted after that.
  return [
    ...queries.filter(({ plan }) => plan !== 'count'),
    ...features.queries,
    ...queries.filter(({ plan }) => plan === 'count'),
  ];
}

const toText = (_: unknown, index: number): string => String(index);

const FIRST_REQUEST =
  'It is the first request for this metric, with these rights, in a worker process.';
const ALL_ARE_VALUES =
  'Every record of the version is a value that passes the default filters of the metric.';
const SOME_ARE_NO_VALUES =
  'Some records of the version are not values, or do not pass the default filters of the metric.';
const HAS_VALUES = 'The page has values. A full page of different features is explained.';
const HAS_GROUPS = 'The page has groups. A full page of different groups is explained.';
const HAS_PERIODS =
  'Groups of the page have several periods, or no value. A full page of such groups is explained.';
const HAS_MANY_PERIODS = 'The groups of the page have several periods, or are not all groups.';
const HAS_EARLIER = 'There are groups, and there are periods before theirs to compare them with.';
const HAS_MORE = 'More rows match than the page has, and the query of the page did not count them.';

function onlyIf(condition: string, queries: readonly ExplainedQuery[]): readonly ExplainedQuery[] {
  return queries.map((query) => ({ ...query, onlyIf: [condition, ...query.onlyIf] }));
}

type Recorder = {
  /** The context with an engine that only records plans. */
  readonly context: ServiceContext;
  /** The recorded plans so far. */
  readonly queries: readonly ExplainedQuery[];
};

function openRecorder(
  context: ServiceContext,
  {
    conditionsOf = () => [],
    answerGroups = () => ANSWERS.groups,
  }: {
    readonly conditionsOf?: (plan: ReadPlan) => readonly string[];
    readonly answerGroups?: (plan: GroupsPlan) => GroupsPage;
  } = {},
): Recorder {
  const { explain } = context.engine;
  if (explain === undefined) throw new Error('An engine of one store has nothing to explain.');
  const queries: ExplainedQuery[] = [];
  const record = (plan: ReadPlan): void => {
    // The rows of a page are counted if the page does not have all of them.
    const conditions = conditionsOf(plan);
    const isAfterPage = plan.kind === 'count' && queries.some((one) => one.pageSize !== undefined);
    queries.push({
      plan: plan.kind,
      ...describePlan(plan),
      ...explain(plan),
      steps: [],
      onlyIf: isAfterPage ? [...conditions, HAS_MORE] : conditions,
    });
  };
  const answer =
    <Kind extends PlanKind>(kind: Kind) =>
    async (plan: ReadPlan): Promise<PlanResults[Kind]> => {
      record(plan);
      return ANSWERS[kind];
    };
  const engine: Engine = {
    run: runBy({
      records: answer('records'),
      batch: answer('batch'),
      count: answer('count'),
      distinct: answer('distinct'),
      named_values: answer('named_values'),
      named_values_count: answer('named_values_count'),
      extent: answer('extent'),
      tile: answer('tile'),
      groups: async (plan) => {
        record(plan);
        return answerGroups(plan);
      },
    }),
    close: async () => {},
  };
  // An explanation is made at once, also while other requests are queued.
  return { context: { ...context, engine, answers: openAnswerLimit() }, queries };
}

function positionAt(): never {
  throw new Error('A page without rows has no positions.');
}

/** Without rows, but as if more of them followed, so that an operation does all that it does after a page. */
const ANSWERS: PlanResults = {
  records: { size: 0, rows: [], hasMore: true, positionAt },
  batch: { size: 0, end: 0, rows: [] },
  count: 0,
  distinct: { values: [], hasMore: true, positionAt },
  named_values: { values: [], hasMore: true, positionAt },
  named_values_count: 0,
  extent: { firstDay: null, lastDay: null, count: 0 },
  tile: { kind: 'points', rows: [] },
  groups: { rows: [], hasMore: true, positionAt, total: 0, isCutOff: false },
};
