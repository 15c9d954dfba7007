import type { Comparison } from '../dates/compared-period.ts';
import type { Period } from '../dates/period.ts';
import type { Bucket } from '../domain/date-bucket.ts';
import type { GeoCircle } from '../geometry/circle.ts';
import type { GeoPolygon } from '../geometry/polygon.ts';
import type { Aggregation } from './aggregation.ts';
import type { SearchMetricValuesRequest } from './metric-request.ts';

/* Aggregates of the values of a metric, by groups: the request, as an edge parsed it, and the answer. */

export const METRIC_GROUP_KINDS = [
  'FEATURE',
  'RELATED_FEATURE',
  'COMPONENT',
  'RELATED_COMPONENT',
  'DIMENSION',
  'PERIOD',
] as const;
export type MetricGroupKind = (typeof METRIC_GROUP_KINDS)[number];

export type SearchMetricAggregatesRequest = Pick<
  SearchMetricValuesRequest,
  | 'catalogId'
  | 'metricId'
  | 'billingContext'
  | 'featureFilter'
  | 'observationPeriodFilter'
  | 'addressComponentFilter'
  | 'dimensionFilter'
  | 'relatedFeatureFilter'
  | 'relatedAddressComponentFilter'
  | 'valueFilter'
  | 'pageSize'
  | 'pageToken'
  | 'asOf'
> & {
  /** Values of the features inside. */
  readonly polygonFilter?: GeoPolygon | undefined;
  /** Not together with `polygonFilter`. */
  readonly circleFilter?: GeoCircle | undefined;
  readonly groupBy: readonly MetricGroup[];
  readonly aggregates: readonly MetricAggregate[];
  readonly compare: Comparison | undefined;
  /** The name of a number; empty: no ranks. */
  readonly rankBy: string;
  readonly orderBy: readonly { readonly name: string; readonly descending: boolean }[];
};

export type MetricGroup = {
  /** Absent: the id is that of a component, else of a dimension. */
  readonly kind: MetricGroupKind | undefined;
  /** Of a component or dimension. */
  readonly id: string;
  /** Of a period. */
  readonly bucket: Bucket | undefined;
};

export type MetricAggregate = {
  readonly valueName: string;
  readonly aggregation: Aggregation | undefined;
  readonly quantile: number | undefined;
  /** Empty: made of the aggregation and the name of the value. */
  readonly name: string;
};

/** A group of metric values with its aggregates. */
export type MetricAggregatesRow = {
  readonly groups: readonly MetricGroupValue[];
  /** Of a group by periods, or by spans of them. */
  readonly period: Period | undefined;
  readonly values: readonly AggregateValue[];
  readonly periodsWithValues: number;
  /** The periods for which any group has a record. */
  readonly periods: number;
};

/** The value of a key that all values of a group share; an absent value has empty texts. */
export type MetricGroupValue = {
  readonly kind: MetricGroupKind;
  readonly id: string;
  readonly value: string;
  readonly displayName: string;
};

export type AggregateValue = {
  readonly name: string;
  /** Whether the value is a number, or a count of 64 bits. */
  readonly kind: 'number' | 'count';
  readonly value: number | bigint | null;
  /** Absent if nothing is compared, or there is nothing to compare with. */
  readonly compared?: number | undefined;
  readonly change?: number | undefined;
  readonly percent?: number | undefined;
  /** From 1 for the largest; absent for all but the number that groups are ranked by. */
  readonly rank?: number | undefined;
  /** The share of groups that are strictly below, from 0 to 100. */
  readonly percentile?: number | undefined;
};
