import {
  AGGREGATION_NUMBERS,
  AGGREGATION_PREFIX,
  BUCKET_NUMBERS,
  BUCKET_PREFIX,
  COMPARISON_NAMES,
  COMPARISON_PREFIX,
  DIRECTION_NAMES,
  DIRECTION_PREFIX,
  METRIC_GROUP_KIND_NAMES,
  METRIC_GROUP_KIND_PREFIX,
  type MetricAggregatesQuery,
  type SearchMetricAggregatesRequest as SearchMetricAggregatesBody,
} from '@locmetrics/contract';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type {
  MetricAggregate,
  MetricGroup,
  SearchMetricAggregatesRequest,
} from '@locmetrics/core/requests/metric-aggregates';
import { enumName, numberedName } from './enum-name.ts';
import { readCircleParameter } from './read-circle.ts';
import {
  expectSameAddress,
  type MetricAddress,
  readBodyFilters,
  readQueryFilters,
} from './read-metric-request.ts';
import { readPolygon, readPolygonFilter } from './read-polygon.ts';
import type { RequestState } from './request-state.ts';

/** Parses a request for aggregates of a metric from a query string. */
export function readAggregatesQuery(
  query: MetricAggregatesQuery,
  address: MetricAddress,
  state: Pick<RequestState, 'writtenPointers'>,
): SearchMetricAggregatesRequest {
  return {
    ...address,
    ...readQueryFilters(query),
    polygonFilter: readPolygonFilter(query.polygon, state),
    circleFilter: readCircleParameter(query.circle, '/circleFilter', state),
    ...readPaging(query),
    groupBy: (query.groupBy ?? []).map(readGroup),
    aggregates: (query.aggregate ?? []).map(readAggregate),
    orderBy: (query.orderBy ?? []).map(readOrder),
  };
}

/** Parses a request for aggregates of a metric from a body. */
export function readAggregatesBody(
  body: SearchMetricAggregatesBody,
  address: MetricAddress,
): SearchMetricAggregatesRequest {
  expectSameAddress(body, address);
  const { polygonFilter, circleFilter } = body;
  return {
    ...address,
    ...readBodyFilters(body),
    polygonFilter: polygonFilter && readPolygon(polygonFilter, '/polygonFilter'),
    circleFilter,
    ...readPaging(body),
    groupBy: (body.groupBy ?? []).map(({ kind = 0, id = '', bucket }) => ({
      kind: known(enumName(kind, METRIC_GROUP_KIND_NAMES, METRIC_GROUP_KIND_PREFIX)),
      id,
      bucket:
        bucket === undefined ? undefined : numberedName(bucket, BUCKET_NUMBERS, BUCKET_PREFIX),
    })),
    aggregates: (body.aggregates ?? []).map(({ valueName, aggregation, quantile, name = '' }) => ({
      valueName,
      aggregation: numberedName(aggregation, AGGREGATION_NUMBERS, AGGREGATION_PREFIX),
      quantile,
      name,
    })),
    orderBy: (body.orderBy ?? []).map(({ name, direction = 0 }) => ({
      name,
      descending: enumName(direction, DIRECTION_NAMES, DIRECTION_PREFIX) === 'DESC',
    })),
  };
}

function readPaging(given: MetricAggregatesQuery | SearchMetricAggregatesBody) {
  return {
    billingContext: given.billingContext ?? '',
    featureFilter: given.featureFilter ?? [],
    relatedFeatureFilter: given.relatedFeatureFilter ?? [],
    pageSize: given.pageSize ?? 0,
    pageToken: given.pageToken ?? '',
    asOf: given.asOf ?? '',
    compare: known(enumName(given.compare ?? 0, COMPARISON_NAMES, COMPARISON_PREFIX)),
    rankBy: given.rankBy ?? '',
  };
}

function known<Name extends string>(name: Name | 'UNSPECIFIED' | undefined) {
  return name === 'UNSPECIFIED' ? undefined : (name as Exclude<Name, 'UNSPECIFIED'> | undefined);
}

const KINDS = {
  feature: 'FEATURE',
  relatedFeature: 'RELATED_FEATURE',
  related_feature: 'RELATED_FEATURE',
  component: 'COMPONENT',
  relatedComponent: 'RELATED_COMPONENT',
  related_component: 'RELATED_COMPONENT',
  dimension: 'DIMENSION',
  period: 'PERIOD',
} as const;

/** `feature`, `period:YEAR`, `component:id`, or only an id. */
function readGroup(text: string, index: number): MetricGroup {
  const colon = text.indexOf(':');
  const [head, rest] = colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  const kind = Object.hasOwn(KINDS, head) ? KINDS[head as keyof typeof KINDS] : undefined;
  if (kind === undefined) return { kind, id: text, bucket: undefined };
  if (kind !== 'PERIOD' || rest === '') return { kind, id: rest, bucket: undefined };
  const bucket = numberedName(rest.toUpperCase(), BUCKET_NUMBERS, BUCKET_PREFIX);
  if (bucket !== undefined) return { kind, id: '', bucket };
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `/groupBy/${index}`,
    `There is no bucket '${rest.slice(0, 100)}'.`,
    nameHint(rest.toUpperCase(), Object.keys(BUCKET_NUMBERS)),
  );
}

/** `sum:person_count`, or `quantile:person_count:0.9`. */
function readAggregate(text: string, index: number): MetricAggregate {
  const [head = '', valueName, quantile, ...others] = text.split(':');
  const aggregation = numberedName(head.toUpperCase(), AGGREGATION_NUMBERS, AGGREGATION_PREFIX);
  const refuse = (message: string, hint: string) =>
    ServiceError.atPointer('INVALID_AGGREGATION', `/aggregate/${index}`, message, hint);
  if (valueName === undefined || others.length > 0) {
    throw refuse(
      `'${text.slice(0, 100)}' is not an aggregation and the name of a value separated by a colon.`,
      'Write for example aggregate=sum:person_count.',
    );
  }
  if (aggregation === undefined) {
    throw refuse(
      `There is no aggregation '${head.slice(0, 100)}'.`,
      nameHint(head.toUpperCase(), Object.keys(AGGREGATION_NUMBERS)),
    );
  }
  if (quantile !== undefined && !NUMBER.test(quantile)) {
    throw refuse(
      `'${quantile.slice(0, 100)}' is not a quantile.`,
      'Write for example aggregate=quantile:person_count:0.9.',
    );
  }
  return {
    valueName,
    aggregation,
    quantile: quantile === undefined ? undefined : Number(quantile),
    name: '',
  };
}

const NUMBER = /^([0-9]+\.?[0-9]*|\.[0-9]+)$/;

/** A name, then optionally `:ASC` or `:DESC`. */
function readOrder(text: string, index: number) {
  const [name = '', direction = 'ASC', ...others] = text.split(':');
  const written = direction.toUpperCase();
  if (others.length === 0 && (written === 'ASC' || written === 'DESC')) {
    return { name, descending: written === 'DESC' };
  }
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `/orderBy/${index}`,
    `'${text.slice(0, 100)}' does not end with ASC or DESC.`,
    'Write for example orderBy=sum_person_count:DESC.',
  );
}
