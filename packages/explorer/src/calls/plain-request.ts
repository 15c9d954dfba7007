import type { AggregatedField, ListRecordsRequest, MetricValuesRequest } from '@locmetrics/client';
import type { AggregatesRequest } from './call.ts';

/** A request for records without what is the default anyway; all its options are together. */
export type PlainRecordsRequest = Omit<
  ListRecordsRequest,
  'billingContext' | 'fields' | 'trimToPeriodOfExistence'
> & { readonly fields?: readonly PlainField[] | undefined };

/** The name of a field, or an aggregate of it. */
export type PlainField = string | Omit<AggregatedField, 'source'>;

/** A request for aggregates without what is the default anyway. Days are text. */
export type PlainAggregatesRequest = Omit<
  AggregatesRequest,
  'billingContext' | 'observationPeriodFilter'
> & { readonly observationPeriodFilter?: PlainPeriod | undefined };

/** A request for metric values without what is the default anyway. Days are text. */
export type PlainMetricRequest = Omit<
  MetricValuesRequest,
  'billingContext' | 'requestTags' | 'observationPeriodFilter'
> & { readonly observationPeriodFilter?: PlainPeriod | undefined };

type PlainPeriod = { readonly start?: string | undefined; readonly end?: string | undefined };

/** The organisation is that of the token, so the request need not name it. */
export function plainRecordsRequest({
  dataReferenceName,
  fields,
  filters,
  options: { boundingBox, orderBy, thenBy, trimToPeriodOfExistence } = {},
  trimToPeriodOfExistence: trim = trimToPeriodOfExistence,
  billingContext: _organisation,
  ...rest
}: ListRecordsRequest): PlainRecordsRequest {
  const options = withoutDefaults({
    boundingBox,
    orderBy: orderBy && plainOrder(orderBy),
    thenBy: thenBy?.map(plainOrder),
    trimToPeriodOfExistence: trim === 'IGNORE' ? trim : undefined,
  });
  return withoutDefaults({
    dataReferenceName,
    fields: fields?.map(plainField),
    filters: filters?.map(withoutUndefined),
    options: hasMembers(options) ? options : undefined,
    ...rest,
  });
}

type Order = NonNullable<NonNullable<ListRecordsRequest['options']>['orderBy']>;

function plainOrder(order: Order): Order {
  return order.direction === 'DESC' ? order : { fieldName: order.fieldName };
}

function plainField(field: AggregatedField | string): PlainField {
  if (typeof field === 'string') return field;
  const { source: _published, ...aggregated } = withoutUndefined(field);
  return aggregated.aggregation === undefined ? field.name : aggregated;
}

/** Whether an answer has groups of records. */
export function isGrouped({ groupBy, fields, recordCount }: PlainRecordsRequest): boolean {
  return (
    groupBy !== undefined ||
    recordCount !== undefined ||
    (fields ?? []).some((field) => typeof field !== 'string')
  );
}

/** The names of fields that are not aggregated. */
export function fieldNames(
  fields: readonly PlainField[] | undefined,
): readonly string[] | undefined {
  return fields?.map((field) => (typeof field === 'string' ? field : field.name));
}

export function plainAggregatesRequest({
  billingContext: _organisation,
  observationPeriodFilter: period,
  pageSize,
  pageToken,
  ...rest
}: AggregatesRequest): PlainAggregatesRequest {
  return {
    ...withoutDefaults({
      ...rest,
      observationPeriodFilter: plainPeriod(period),
      pageSize,
      pageToken,
    }),
    aggregates: rest.aggregates,
  };
}

/** The organisation and the tags of the page are left out: a text has the first where it needs it. */
export function plainMetricRequest({
  billingContext: _organisation,
  requestTags: _tags,
  trackTotalHitsBoolean,
  observationPeriodFilter: period,
  valueFilter,
  pageSize,
  pageToken,
  ...rest
}: MetricValuesRequest): PlainMetricRequest {
  return {
    ...withoutDefaults({
      ...rest,
      observationPeriodFilter: plainPeriod(period),
      valueFilter: valueFilter?.map(withoutUndefined),
      pageSize,
      pageToken,
    }),
    ...(trackTotalHitsBoolean === false ? { trackTotalHitsBoolean } : {}),
  };
}

function plainPeriod(period: MetricValuesRequest['observationPeriodFilter']) {
  const days = withoutDefaults({ start: toText(period?.start), end: toText(period?.end) });
  return hasMembers(days) ? days : undefined;
}

type Day = NonNullable<MetricValuesRequest['observationPeriodFilter']>['start'];

function toText(day: Day): string | undefined {
  if (day === undefined || typeof day === 'string') return day;
  const pad = (part: number, length: number) => String(part).padStart(length, '0');
  return `${pad(day.year, 4)}-${pad(day.month, 2)}-${pad(day.day, 2)}`;
}

function hasMembers(given: object): boolean {
  return Object.keys(given).length > 0;
}

/** Without members that mean the same as an absent one. */
export function withoutDefaults<Given extends object>(given: Given): Given {
  const isDefault = (value: unknown): boolean =>
    value === undefined ||
    value === '' ||
    value === false ||
    value === 0 ||
    (Array.isArray(value) && value.length === 0);
  const kept = Object.entries(given).filter(([, value]) => !isDefault(value));
  // Only optional members have such values.
  return Object.fromEntries(kept) as Given;
}

/** An empty text or list in a filter is not the same as an absent one. */
function withoutUndefined<Given extends object>(given: Given): Given {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined);
  // Only optional members are undefined.
  return Object.fromEntries(kept) as Given;
}
