import {
  type Comparison,
  earlierPeriod,
  type PeriodComparison,
  type PeriodStep,
  stepOf,
} from '../dates/compared-period.ts';
import type { Period, PeriodFilter } from '../dates/period.ts';
import { type Bucket, bucketOf, bucketSpan } from '../domain/date-bucket.ts';
import type { Field } from '../domain/field.ts';
import type { Measure } from '../domain/metric.ts';
import type { Day, Predicate } from '../domain/predicate.ts';
import { CADENCE_BUCKETS } from '../domain/schedule.ts';
import type { Value } from '../domain/value.ts';
import type { LayerVersion, MetricVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import { unknownName } from '../errors/unknown-name.ts';
import { type Aggregation, aggregationsOf } from '../requests/aggregation.ts';
import type {
  AggregateValue,
  MetricAggregate,
  MetricGroup,
  MetricGroupKind,
  SearchMetricAggregatesRequest,
} from '../requests/metric-aggregates.ts';
import { type MetricFilters, selectFilters } from './applied-filters.ts';
import { checkAdditivity } from './check-additivity.ts';
import { checkAllowed } from './check-allowed.ts';
import { type MergedMetricRequest, mergeMetricRequest } from './merge-filters.ts';
import { metricTemplate } from './metric-template.ts';
import { expectComponent } from './plan-feature-filters.ts';
import { planQuantile } from './plan-groups.ts';
import { planMetricPredicates } from './plan-metric-values.ts';
import { planTextValues } from './plan-text-values.ts';
import {
  type AggregateTerm,
  type CountPlan,
  GROUPS_MAX,
  type GroupNumber,
  type GroupsPlan,
  type GroupTerm,
  type NamedValuesSource,
} from './read-plan.ts';
import { optionalField, roleField } from './role-fields.ts';

/** A request for aggregates of a metric, checked against the version that answers it. */
export type AggregateSelection = {
  readonly request: MergedMetricRequest;
  readonly version: MetricVersion;
  readonly filters: MetricFilters;
  readonly groups: readonly MetricGroupTerm[];
  /** Of a group by period. */
  readonly period: PeriodTerm | undefined;
  readonly aggregates: readonly MetricAggregateTerm[];
  readonly compare: Comparison | undefined;
  readonly rankBy: NumberTerm | undefined;
  readonly order: readonly (NumberTerm & { readonly descending: boolean })[];
};

/** One of the things by which values are grouped. */
export type MetricGroupTerm = {
  readonly kind: MetricGroupKind;
  readonly id: string;
  /** Those of the plan: a period can have two, or none if it is the same for all values. */
  readonly terms: readonly GroupTerm[];
  /** Where the names of its values are; absent if they have none. */
  readonly names: NamedValuesSource | undefined;
};

/** How the period of a group follows from the values of its terms: the start, then the end. */
export type PeriodTerm = {
  readonly start: Day;
  readonly end: Day;
  readonly bucket: Bucket | undefined;
};

export type MetricAggregateTerm = {
  readonly name: string;
  readonly kind: AggregateValue['kind'];
  readonly term: AggregateTerm;
};

/** A number of a group: one of its aggregates, or how that compares. */
export type NumberTerm = {
  readonly aggregate: number;
  readonly part: 'value' | 'change' | 'percent';
};

/** Refuses a request that the schema of the metric does not allow. */
export function selectMetricAggregates(
  request: SearchMetricAggregatesRequest,
  version: MetricVersion,
): AggregateSelection {
  const merged = ofValues(request);
  checkAllowed(merged, version, 'Leave the value out.');
  const { period } = metricTemplate(version);
  const groups = planGroups(request.groupBy, version);
  const grouped = groups.filter(({ kind }) => kind === 'DIMENSION').map(({ id }) => id);
  const byPeriod = request.groupBy.find(({ kind }) => kind === 'PERIOD');
  const aggregates = planAggregates(request.aggregates, version);
  checkComparison(request, byPeriod);
  const planNumber = (name: string, pointer: string) =>
    findNumber(name, { aggregates, compare: request.compare, pointer });
  return {
    request: merged,
    version,
    filters: selectFilters(merged, version, grouped),
    groups,
    period: byPeriod && { ...period, bucket: byPeriod.bucket },
    aggregates,
    compare: request.compare,
    rankBy: request.rankBy === '' ? undefined : planNumber(request.rankBy, '/rankBy'),
    order: request.orderBy.map(({ name, descending }, index) => ({
      ...planNumber(name, `/orderBy/${index}/name`),
      descending,
    })),
  };
}

/** The request for the values that are aggregated. */
export function ofValues(request: SearchMetricAggregatesRequest): MergedMetricRequest {
  return mergeMetricRequest({
    ...request,
    trackTotalHits: true,
    invertSortOrder: false,
    bestEffortQueryWhenNotAllowed: false,
    countOnly: false,
    addressComponentWhitelist: [],
    skipGeo: false,
  });
}

/**
 * The plan of a page of groups, compared and ranked; undefined if groups of other periods or all groups together decide what
 * a group is compared with (see `compareGroups`).
 */
export function planGroupsPage(
  selection: AggregateSelection,
  known: KnownValues,
  { after, limit }: Pick<GroupsPlan, 'after' | 'limit'>,
): GroupsPlan | undefined {
  const { compare, period, request, order, rankBy } = selection;
  if (compare === 'MEAN_OF_GROUPS') return undefined;
  if (compare !== undefined && period !== undefined) return undefined;
  const { start, end } = request.observationPeriodFilter;
  const filter =
    compare === undefined || start === undefined || end === undefined
      ? undefined
      : earlierPeriod({ start, end }, stepFrom(selection, { start, end }, compare));
  const plan = planAllGroups(selection, known);
  const compared = filter && planAllGroups(selection, { ...known, filter });
  const numberOf = ({ aggregate, part }: NumberTerm): GroupNumber => ({
    index: plan.groups.length + aggregate,
    part: part === 'value' ? undefined : part,
  });
  // Without an earlier period nothing changes, so no group has such a number.
  const isThere = ({ part }: NumberTerm): boolean => part === 'value' || compared !== undefined;
  return {
    ...plan,
    ...(compared === undefined ? {} : { compared: { predicates: compared.predicates } }),
    order: order
      .filter(isThere)
      .map(({ descending, ...number }) => ({ ...numberOf(number), descending })),
    ...(rankBy === undefined || !isThere(rankBy) ? {} : { rankBy: numberOf(rankBy) }),
    after,
    limit,
  };
}

/** How far a period is from the one that it is compared with. */
export function stepFrom(
  { version }: AggregateSelection,
  period: Period,
  comparison: PeriodComparison,
): PeriodStep {
  const isWeekly = version.metric.cadence.startsWith('weekly');
  return stepOf(period, comparison, { isWeekly });
}

/**
 * The plan of all groups: their values, and their aggregates. `filter` is the period of the values, that of the request
 * if absent.
 */
export function planAllGroups(
  selection: AggregateSelection,
  {
    isWhole,
    hasTotals,
    filter = selection.request.observationPeriodFilter,
  }: KnownValues & { readonly filter?: PeriodFilter },
): GroupsPlan {
  const { groups, aggregates, version } = selection;
  const plan = planOver(selection, {
    isWhole,
    filter,
    groups: groups.flatMap(({ terms }) => terms),
    aggregates: [...aggregates.map(({ term }) => term), ...planPeriods(selection)],
  });
  checkAdditivity({
    version: version.values,
    groups: plan.groups,
    aggregates: aggregates.map(({ term }, index) => ({ ...term, pointer: `/aggregates/${index}` })),
    isCounted: false,
    predicates: [
      // With the default filters, even if no record fails them: a refusal would tell that.
      ...planMetricPredicates(filtered(selection, filter), false),
      ...planOnePeriod(filter, version),
      ...(hasTotals ? [] : planWithoutTotals(version)),
    ],
    terms: termsOfFields(version),
  });
  return plan;
}

/** What is known of the values of a metric. */
export type KnownValues = {
  /** Whether every record of the version is a value. */
  readonly isWhole: boolean;
  /** Whether values can be of the feature that is the total of the others, if the ids of features have one. */
  readonly hasTotals: boolean;
};

/** The plan of the number of features that are the total of the others; undefined if their ids have no total. */
export function planTotalFeatures(version: MetricVersion): CountPlan | undefined {
  const { totalLabel } = metricTemplate(version).featureId;
  if (totalLabel === undefined) return undefined;
  const { layer, features } = version.layer;
  const id = roleField(features.dataset, layer.featureId);
  return { kind: 'count', version: features, predicates: [planTextValues(id, [totalLabel])] };
}

function planWithoutTotals(version: MetricVersion): readonly Predicate[] {
  const { featureId } = metricTemplate(version);
  const { totalLabel = '' } = featureId;
  return [{ kind: 'compare', field: featureId, operator: '!=', value: totalLabel }];
}

/** What a request groups by, for the fields of a metric that it does not name. */
function termsOfFields(version: MetricVersion): ReadonlyMap<string, string> {
  const { metric, values, layer } = version;
  const { featureId, related, period, isOwn } = metricTemplate(version);
  const ownComponents = isOwn ? layer.layer.addressComponents : [];
  return new Map([
    ...ownComponents.map(
      ({ component, fields }) => [roleField(values.dataset, fields.value).name, component] as const,
    ),
    ...metric.dimensions.map(
      ({ dimensionId, fields }) =>
        [roleField(values.dataset, fields.value).name, dimensionId] as const,
    ),
    ...[period.start, period.end].flatMap((day) =>
      typeof day === 'string' ? [] : [[day.name, 'period'] as const],
    ),
    ...(related === undefined ? [] : [[related.featureId.name, 'relatedFeature'] as const]),
    [featureId.name, 'feature'] as const,
  ]);
}

/** If a filter leaves only one period of the cadence of the metric, each of its days has one value. */
function planOnePeriod({ start, end }: PeriodFilter, version: MetricVersion): readonly Predicate[] {
  if (start === undefined || end === undefined) return [];
  const bucket = CADENCE_BUCKETS[version.metric.cadence];
  const span = bucket && bucketSpan(String(bucketOf(start, bucket)), bucket);
  if (span?.start !== start || span.end !== end) return [];
  const { period } = metricTemplate(version);
  return [
    { day: period.start, value: start },
    { day: period.end, value: end },
  ].flatMap(({ day, value }) =>
    typeof day === 'string' ? [] : [{ kind: 'compare', field: day, operator: '==', value }],
  );
}

/**
 * The plan of the number of periods in each bucket; undefined if each group is of one period. Without terms it also tells
 * whether there are values at all.
 */
export function planPeriodCounts(
  selection: AggregateSelection,
  { isWhole }: { readonly isWhole: boolean },
): GroupsPlan | undefined {
  if (isOfOnePeriod(selection)) return undefined;
  const bucket = selection.groups.find(({ kind }) => kind === 'PERIOD');
  return planOver(selection, {
    isWhole,
    filter: selection.request.observationPeriodFilter,
    groups: bucket?.terms ?? [],
    aggregates: [countPeriods(selection, undefined)],
  });
}

/**
 * Whether the groups of `planGroupsPage` and `planAllGroups` say their periods. Not if each is of one period; and the features
 * of a page are better asked for theirs alone, because there are many others.
 */
export function countsPeriods(selection: AggregateSelection): boolean {
  const isOfMany = selection.groups.some(
    ({ kind }) => kind === 'FEATURE' || kind === 'RELATED_FEATURE',
  );
  return dayOf(selection) !== undefined && !isOfMany && !isOfOnePeriod(selection);
}

/** The number of periods with a value in a group, and the first and the last day by which all its periods differ. */
function planPeriods(selection: AggregateSelection): readonly AggregateTerm[] {
  const field = dayOf(selection);
  if (field === undefined || !countsPeriods(selection)) return [];
  const extremes = (['MIN', 'MAX'] as const).map((aggregation) => ({
    name: aggregation === 'MIN' ? 'first' : 'last',
    aggregation,
    field,
    quantile: 0,
  }));
  return [countPeriods(selection, presentFields(selection)), ...extremes];
}

/** The day by which periods differ: their start, or their end if that is the same for all values. */
function dayOf({ version }: AggregateSelection): Field | undefined {
  const { start, end } = metricTemplate(version).period;
  return [start, end].find((one) => typeof one !== 'string');
}

/** Whether each group is of one period. */
function isOfOnePeriod({ period, groups }: AggregateSelection): boolean {
  if (period === undefined) return false;
  if (period.bucket === undefined) return groups.some(({ terms }) => terms.length > 0);
  const byPeriod = groups.find(({ kind }) => kind === 'PERIOD');
  return period.bucket === 'DAY' && byPeriod?.terms.length !== 0;
}

/** The periods of a group, if `countsPeriods`. */
export function periodsOfGroup(
  { groups, aggregates, version }: AggregateSelection,
  row: readonly Value[],
): { readonly withValues: number; readonly first: Value; readonly last: Value } {
  const at = aggregates.length + groups.reduce((sum, { terms }) => sum + terms.length, 0);
  const [counted = null, first = null, last = null] = row.slice(at);
  return { withValues: periodCount(counted, version), first, last };
}

function presentFields(selection: AggregateSelection): readonly Field[] {
  const fields = selection.aggregates.flatMap(({ term }) => term.field ?? []);
  return fields.length === 0 ? mainFields(selection) : fields;
}

/** The plan of the number of periods with a value, of these groups at least. */
export function planPeriodsWithValues(
  selection: AggregateSelection,
  { isWhole }: { readonly isWhole: boolean },
  rows: readonly (readonly Value[])[],
): GroupsPlan {
  const plan = planOver(selection, {
    isWhole,
    filter: selection.request.observationPeriodFilter,
    groups: selection.groups.flatMap(({ terms }) => terms),
    aggregates: [countPeriods(selection, presentFields(selection))],
  });
  return {
    ...plan,
    predicates: [
      ...plan.predicates,
      ...plan.groups.flatMap(({ field, bucket, lookup }, index): readonly Predicate[] => {
        const values = new Set(rows.map((row) => row[index] ?? null));
        if (bucket !== undefined || lookup !== undefined || values.has(null)) return [];
        const present = [...values].filter((value) => value !== null);
        return [{ kind: 'in', field, negated: false, values: present }];
      }),
    ],
  };
}

function planOver(
  selection: AggregateSelection,
  {
    isWhole,
    filter,
    ...terms
  }: Pick<GroupsPlan, 'groups' | 'aggregates'> & {
    readonly isWhole: boolean;
    readonly filter: PeriodFilter;
  },
): GroupsPlan {
  return {
    kind: 'groups',
    version: selection.version.values,
    predicates: planMetricPredicates(filtered(selection, filter), isWhole),
    ...terms,
    conditions: [],
    order: [],
    after: 0,
    limit: GROUPS_MAX,
  };
}

/** The selection with another filter of the period. */
function filtered(
  { request, version, filters }: AggregateSelection,
  filter: PeriodFilter,
): Parameters<typeof planMetricPredicates>[0] {
  return { request: { ...request, observationPeriodFilter: filter }, version, filters };
}

/** The name of the aggregate that counts the periods of a group. No value of a metric has such a name. */
export const COUNTED_PERIODS = '#periods';

function countPeriods(
  selection: AggregateSelection,
  ofPresent: readonly Field[] | undefined,
): AggregateTerm {
  // If all values have the same period, there is one if there is a value: see `periodCount`.
  const field = dayOf(selection) ?? metricTemplate(selection.version).featureId;
  return { name: COUNTED_PERIODS, aggregation: 'COUNT_DISTINCT', field, quantile: 0, ofPresent };
}

/** Whether a group has a value that is aggregated; undefined if its aggregates do not tell. */
export function hasValues(
  { groups, aggregates }: AggregateSelection,
  row: readonly Value[],
): boolean | undefined {
  const first = groups.reduce((sum, { terms }) => sum + terms.length, 0);
  const isThere = aggregates.map(({ term }, index) => {
    const value = row[first + index] ?? null;
    const isCount = term.aggregation === 'COUNT' || term.aggregation === 'COUNT_DISTINCT';
    return isCount ? value !== 0n : value !== null;
  });
  if (isThere.includes(true)) return true;
  // The sum and the mean of floats that are too large are absent too.
  const areSure = aggregates.every(
    ({ term: { aggregation, field } }) =>
      field?.type === 'integer' || !MAYBE_ABSENT.includes(aggregation),
  );
  return aggregates.length > 0 && areSure ? false : undefined;
}

const MAYBE_ABSENT: readonly Aggregation[] = ['SUM', 'AVG', 'MEDIAN', 'QUANTILE'];

/** The number of periods that the last aggregate of a group says. */
export function periodCount(counted: Value | undefined, version: MetricVersion): number {
  const { start, end } = metricTemplate(version).period;
  const isOne = typeof start === 'string' && typeof end === 'string';
  return isOne ? Math.min(Number(counted ?? 0), 1) : Number(counted ?? 0);
}

function mainFields({ version: { metric, values } }: AggregateSelection): readonly Field[] {
  return metric.measures.slice(0, 1).map(({ field }) => roleField(values.dataset, field));
}

const GROUPS_BY_MAX = 20;
const AGGREGATES_MAX = 100;
const ORDER_MAX = 20;

function planGroups(
  groupBy: readonly MetricGroup[],
  version: MetricVersion,
): readonly MetricGroupTerm[] {
  checkLength(groupBy, GROUPS_BY_MAX, '/groupBy', 'groups');
  const planned: MetricGroupTerm[] = [];
  for (const [index, group] of groupBy.entries()) {
    const pointer = `/groupBy/${index}`;
    checkGroup(group, pointer);
    const term = planGroup(group, version, pointer);
    if (planned.some(({ kind, id }) => kind === term.kind && id === term.id)) {
      throw ServiceError.atPointer(
        'INVALID_AGGREGATION',
        pointer,
        `The values are grouped by ${describeGroup(term)} twice.`,
        'Name it once.',
      );
    }
    planned.push(term);
  }
  return planned;
}

function describeGroup({ kind, id }: Pick<MetricGroupTerm, 'kind' | 'id'>): string {
  const noun = kind.toLowerCase().replace('_', ' ');
  return id === '' ? noun : `the ${noun} '${id}'`;
}

function checkGroup({ kind, id, bucket }: MetricGroup, pointer: string): void {
  if (bucket !== undefined && kind !== 'PERIOD') {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      `${pointer}/bucket`,
      `The bucket ${bucket} can only be used with PERIOD.`,
      'Leave the bucket out, or group by PERIOD.',
    );
  }
  const hasId = kind !== 'FEATURE' && kind !== 'RELATED_FEATURE' && kind !== 'PERIOD';
  if (hasId || id === '') return;
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `${pointer}/id`,
    `A group by ${kind} takes no id, but the request has the id '${id.slice(0, 200)}'.`,
    'Leave the id out.',
  );
}

function planGroup(
  { kind, id, bucket }: MetricGroup,
  version: MetricVersion,
  pointer: string,
): MetricGroupTerm {
  const { metric, layer } = version;
  switch (kind ?? kindOf(id, version, pointer)) {
    case 'FEATURE':
      return planFeature('FEATURE', metricTemplate(version).featureId, layer);
    case 'RELATED_FEATURE': {
      const related = expectRelated(version, pointer);
      return planFeature('RELATED_FEATURE', related.featureId, related.layer);
    }
    case 'COMPONENT': {
      const { isOwn, featureId } = metricTemplate(version);
      return planComponent('COMPONENT', id, { layer, isOwn, featureId, pointer });
    }
    case 'RELATED_COMPONENT':
      return planComponent('RELATED_COMPONENT', id, {
        ...expectRelated(version, pointer),
        isOwn: false,
        pointer,
      });
    case 'DIMENSION': {
      const dimension = metric.dimensions.find(({ dimensionId }) => dimensionId === id);
      if (dimension === undefined) {
        throw unknownName('UNKNOWN_DIMENSION', `${pointer}/id`, {
          noun: 'dimension',
          owner: `the metric '${metric.metricId}'`,
          name: id,
          known: metric.dimensions.map(({ dimensionId }) => dimensionId),
        });
      }
      const { dataset } = version.values;
      const { value, displayName } = dimension.fields;
      const field = roleField(dataset, value);
      return {
        kind: 'DIMENSION',
        id,
        terms: [{ name: id, field }],
        names:
          displayName === undefined
            ? undefined
            : {
                version: version.values,
                value: field,
                displayName: roleField(dataset, displayName),
              },
      };
    }
    case 'PERIOD':
      return { kind: 'PERIOD', id: '', terms: planPeriod(version, bucket), names: undefined };
  }
}

/** The kind of a group that has only an id. */
function kindOf(
  id: string,
  { metric, layer }: MetricVersion,
  pointer: string,
): 'COMPONENT' | 'DIMENSION' {
  const components = layer.layer.addressComponents.map(({ component }) => component);
  if (components.includes(id)) return 'COMPONENT';
  const dimensions = metric.dimensions.map(({ dimensionId }) => dimensionId);
  if (dimensions.includes(id)) return 'DIMENSION';
  throw unknownName('INVALID_AGGREGATION', pointer, {
    noun: 'component or dimension',
    owner: `the metric '${metric.metricId}'`,
    name: id,
    known: [...components, ...dimensions, 'feature', 'period'],
  });
}

function expectRelated(version: MetricVersion, pointer: string) {
  const { related } = metricTemplate(version);
  if (related !== undefined) return related;
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `${pointer}/kind`,
    `The metric '${version.metric.metricId}' has no related layer, so its values cannot be grouped by related features.`,
    'Group by FEATURE or COMPONENT.',
  );
}

function planFeature(
  kind: 'FEATURE' | 'RELATED_FEATURE',
  field: Field,
  { layer, features }: LayerVersion,
): MetricGroupTerm {
  return {
    kind,
    id: '',
    terms: [{ name: kind.toLowerCase(), field }],
    names: {
      version: features,
      value: roleField(features.dataset, layer.featureId),
      displayName: roleField(features.dataset, layer.name),
    },
  };
}

function planComponent(
  kind: 'COMPONENT' | 'RELATED_COMPONENT',
  id: string,
  {
    layer: { layer, features },
    featureId,
    isOwn,
    pointer,
  }: {
    readonly layer: LayerVersion;
    readonly featureId: Field;
    readonly isOwn: boolean;
    readonly pointer: string;
  },
): MetricGroupTerm {
  const { fields } = expectComponent(id, layer, `${pointer}/id`);
  const { dataset } = features;
  const value = roleField(dataset, fields.value);
  const lookup = { version: features, id: roleField(dataset, layer.featureId), value };
  return {
    kind,
    id,
    terms: [isOwn ? { name: id, field: value } : { name: id, field: featureId, lookup }],
    names:
      fields.displayName === undefined
        ? undefined
        : {
            version: features,
            value,
            displayName: optionalField(dataset, fields.displayName),
          },
  };
}

function planPeriod(version: MetricVersion, bucket: Bucket | undefined): readonly GroupTerm[] {
  const { start, end } = metricTemplate(version).period;
  const days = bucket === undefined ? [start, end] : [start];
  return days.flatMap((field) =>
    typeof field === 'string' ? [] : [{ name: field.name, field, bucket }],
  );
}

function planAggregates(
  aggregates: readonly MetricAggregate[],
  version: MetricVersion,
): readonly MetricAggregateTerm[] {
  checkLength(aggregates, AGGREGATES_MAX, '/aggregates', 'aggregates');
  const planned = aggregates.map((one, index) =>
    planAggregate(one, version, `/aggregates/${index}`),
  );
  const twice = planned.findIndex(
    ({ name }, index) => planned.findIndex((other) => other.name === name) !== index,
  );
  const again = planned[twice];
  if (again === undefined) return planned;
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `/aggregates/${twice}`,
    `Two aggregates have the name '${again.name}'.`,
    'Give one of them another name.',
  );
}

const NAME = /^[a-z][a-z0-9_]{0,99}$/;

function planAggregate(
  { valueName, aggregation, quantile, name }: MetricAggregate,
  { metric, values }: MetricVersion,
  pointer: string,
): MetricAggregateTerm {
  const measure = metric.measures.find((known) => known.name === valueName);
  if (measure === undefined) {
    throw unknownName('UNKNOWN_MEASURE', `${pointer}/valueName`, {
      noun: 'value',
      owner: `the metric '${metric.metricId}'`,
      name: valueName,
      known: metric.measures.map((known) => known.name),
    });
  }
  const field = roleField(values.dataset, measure.field);
  const allowed = allowedFor(measure, field);
  if (aggregation === undefined || !allowed.includes(aggregation)) {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      `${pointer}/aggregation`,
      aggregation === undefined
        ? `The aggregate of '${valueName}' has no aggregation.`
        : `${aggregation} is not possible for '${valueName}', which is a ${measure.kind}.`,
      `Use ${allowed.join(', ')}.`,
    );
  }
  if (name !== '' && !NAME.test(name)) {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      `${pointer}/name`,
      `'${name.slice(0, 100)}' cannot be the name of an aggregate.`,
      'Use a lowercase letter, then up to 99 lowercase letters, digits and underscores.',
    );
  }
  const isOfKind = aggregation === 'SUM' || aggregation === 'MIN' || aggregation === 'MAX';
  const isCount = aggregation === 'COUNT' || aggregation === 'COUNT_DISTINCT';
  return {
    name: name === '' ? `${aggregation.toLowerCase()}_${valueName}` : name,
    kind: isCount || (isOfKind && measure.kind === 'count') ? 'count' : 'number',
    term: {
      name: valueName,
      aggregation,
      field,
      quantile: planQuantile(aggregation, quantile, pointer),
    },
  };
}

/** The answer has numbers only. */
function allowedFor({ kind }: Measure, field: Field) {
  return aggregationsOf(field).filter(
    (one) => kind !== 'category' || one === 'COUNT' || one === 'COUNT_DISTINCT',
  );
}

function checkComparison(
  { compare, observationPeriodFilter, orderBy }: SearchMetricAggregatesRequest,
  byPeriod: MetricGroup | undefined,
): void {
  checkLength(orderBy, ORDER_MAX, '/orderBy', 'names to order by');
  if (compare === undefined || compare === 'MEAN_OF_GROUPS') return;
  const { start, end } = observationPeriodFilter;
  if (byPeriod === undefined) {
    if (start !== undefined && end !== undefined) return;
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      '/compare',
      `${compare} compares periods, but the values are not grouped by PERIOD, and observationPeriodFilter does not have both days.`,
      'Group by PERIOD, or filter by a period with a start and an end.',
    );
  }
  const { bucket } = byPeriod;
  if (bucket !== 'DAY_OF_WEEK' && bucket !== 'MONTH_OF_YEAR') return;
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    '/compare',
    `${compare} compares spans of days, and ${bucket} is not one.`,
    'Use the bucket DAY, WEEK, MONTH, QUARTER or YEAR.',
  );
}

function findNumber(
  name: string,
  {
    aggregates,
    compare,
    pointer,
  }: {
    readonly aggregates: readonly MetricAggregateTerm[];
    readonly compare: Comparison | undefined;
    readonly pointer: string;
  },
): NumberTerm {
  for (const part of ['value', 'change', 'percent'] as const) {
    const suffix = part === 'value' ? '' : `.${part}`;
    const aggregate = aggregates.findIndex((one) => `${one.name}${suffix}` === name);
    if (aggregate === -1) continue;
    if (part === 'value' || compare !== undefined) return { aggregate, part };
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      pointer,
      `'${name}' needs a comparison.`,
      'Send compare.',
    );
  }
  if (aggregates.length === 0) {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      pointer,
      `The request has no aggregates, so it has no '${name.slice(0, 200)}'.`,
      'Send aggregates, such as the SUM of a value.',
    );
  }
  throw unknownName('INVALID_AGGREGATION', pointer, {
    noun: 'aggregate',
    owner: 'the request',
    name,
    known: aggregates.flatMap((one) => [one.name, `${one.name}.change`, `${one.name}.percent`]),
  });
}

function checkLength(list: readonly unknown[], max: number, pointer: string, what: string): void {
  if (list.length <= max) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    pointer,
    `The request has ${list.length} ${what}.`,
    `Send at most ${max}.`,
  );
}
