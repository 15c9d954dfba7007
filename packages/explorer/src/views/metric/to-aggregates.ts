import type { MetricGroup } from '@locmetrics/client';
import type { AggregatesRequest } from '../../calls/call.ts';
import type { MetricView, Sort, Span, ViewAggregation } from '../../data/metric-view.ts';
import { canSum, type Parts } from './aggregation.ts';
import { areaOfPlaces } from './area-of-places.ts';
import { isDescending, sortKey } from './ranking.ts';
import type { Stretch } from './spans.ts';

type Aggregation = AggregatesRequest['aggregates'][number]['aggregation'];

const AGGREGATIONS: Readonly<Record<ViewAggregation, Aggregation>> = {
  sum: 'SUM',
  avg: 'AVG',
  median: 'MEDIAN',
  max: 'MAX',
  min: 'MIN',
};

/** The name that the aggregate has in requests, so that its order does not depend on the measure. */
const VALUE = 'value';

export type Asked = {
  readonly parts: Parts;
  readonly view: MetricView;
  readonly aggregation: ViewAggregation;
};

/** The request for the list: the value of each place or group in a stretch of days. */
export function toListRequest({
  asked,
  stretch,
  compare,
  sort,
}: {
  readonly asked: Asked;
  /** Undefined: all days. */
  readonly stretch: Stretch | undefined;
  readonly compare?: 'PREVIOUS' | 'SAME_PERIOD_LAST_YEAR' | undefined;
  readonly sort: Sort;
}): AggregatesRequest {
  const { parts } = asked;
  const order = toOrder(sort);
  return {
    ...commonOf(asked),
    groupBy: [
      ...placeGroups(parts),
      // The sum of one period is allowed only if the request says that it is one.
      ...(parts.span === 'period' && parts.measure.additive === 'places'
        ? [{ kind: 'PERIOD' } as const]
        : []),
    ],
    ...(stretch === undefined
      ? {}
      : { observationPeriodFilter: { start: stretch.start, end: stretch.end } }),
    ...(compare === undefined ? {} : { compare }),
    ...(order === undefined ? {} : { orderBy: [order] }),
  };
}

function toOrder(sort: Sort) {
  const key = sortKey(sort);
  if (key === 'name') return undefined;
  const name = key === 'value' ? VALUE : `${VALUE}.${key}`;
  return { name, ...(isDescending(sort) ? { direction: 'DESC' as const } : {}) };
}

/** The lengths in which the service puts periods together. */
export type Bucket = NonNullable<MetricGroup['bucket']>;

/** The request for the small lines of some rows of the list: means of the periods in each bucket. */
export function toSparkRequest(
  asked: Asked,
  ids: readonly string[],
  bucket: Bucket | undefined,
): AggregatesRequest {
  const { parts } = asked;
  // The mean of the periods does not fall at the end of the data, where a bucket has fewer of them.
  const isSum = parts.group !== undefined && parts.measure.additive === 'all';
  return {
    ...commonOf({ ...asked, aggregation: isSum ? 'sum' : 'avg' }),
    ...onlyIds(asked, ids),
    groupBy: [ownGroup(parts), { kind: 'PERIOD', ...(bucket === undefined ? {} : { bucket }) }],
  };
}

/** The request for the stretches that have any value, each as a group. */
export function toStretchesRequest(asked: Asked): AggregatesRequest {
  const bucket = STRETCH_BUCKETS[asked.parts.span];
  return {
    ...commonOf({ ...asked, aggregation: 'max' }),
    groupBy: [{ kind: 'PERIOD', ...(bucket === undefined ? {} : { bucket }) }],
  };
}

const STRETCH_BUCKETS: Readonly<Record<Span, Bucket | undefined>> = {
  period: undefined,
  month: 'MONTH',
  quarter: 'QUARTER',
  year: 'YEAR',
  all: 'YEAR',
};

/** The request for the lines of groups in the chart: their values in each period. */
export function toSeriesRequest(asked: Asked, ids: readonly string[]): AggregatesRequest {
  const { parts, view, aggregation } = asked;
  const { from, to } = view;
  const isSummed = aggregation === 'sum' || canSum({ ...parts, span: 'period' });
  return {
    ...commonOf({ ...asked, aggregation: isSummed ? 'sum' : aggregation }),
    ...onlyIds(asked, ids),
    groupBy: [ownGroup(parts), { kind: 'PERIOD' }],
    ...(from === undefined && to === undefined
      ? {}
      : {
          observationPeriodFilter: {
            ...(from === undefined ? {} : { start: from }),
            ...(to === undefined ? {} : { end: to }),
          },
        }),
  };
}

function commonOf({ parts, view, aggregation }: Asked) {
  const { metric, measure } = parts;
  const { related, components = [], dimensions = [] } = view;
  return {
    catalogId: metric.catalogId,
    metricId: metric.id,
    aggregates: [
      { valueName: measure.name, aggregation: AGGREGATIONS[aggregation], name: VALUE },
    ] as const,
    ...(related === undefined ? {} : { relatedFeatureFilter: related }),
    ...(components.length === 0 ? {} : { addressComponentFilter: components }),
    ...(dimensions.length === 0 ? {} : { dimensionFilter: dimensions }),
  };
}

function ownGroup({ group }: Parts): MetricGroup {
  if (group === undefined) return { kind: 'FEATURE' };
  return { kind: group.kind === 'component' ? 'COMPONENT' : 'DIMENSION', id: group.id };
}

/** A place comes with the area that it is in: many counties have the same name. */
function placeGroups(parts: Parts): readonly MetricGroup[] {
  const area = areaOfPlaces(parts.metric);
  if (parts.group !== undefined || area === undefined) return [ownGroup(parts)];
  return [ownGroup(parts), { kind: 'COMPONENT', id: area.component }];
}

/** Only these places or groups, together with the filters of the view. */
function onlyIds({ parts: { group }, view }: Asked, ids: readonly string[]) {
  const { components = [], dimensions = [] } = view;
  if (group === undefined) return { featureFilter: ids };
  if (group.kind === 'component') {
    const others = components.filter(({ component }) => component !== group.id);
    return { addressComponentFilter: [...others, { component: group.id, values: ids }] };
  }
  const others = dimensions.filter(({ dimensionId }) => dimensionId !== group.id);
  return { dimensionFilter: [...others, { dimensionId: group.id, values: ids }] };
}
