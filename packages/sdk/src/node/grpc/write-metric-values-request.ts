import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MetricValuesRequest } from '../../client.ts';
import { LocmetricsError } from '../../errors.ts';
import type { SearchMetricValuesRequestSchema } from '../../generated/messages/unacast/catalog/v1/query_service_pb.js';
import { ValueFilterOperator } from '../../generated/messages/unacast/metric/v1/metric_value_pb.js';
import type {
  AddressComponentFilter,
  CalendarDate,
  DimensionFilter,
  PeriodFilter,
  ValueFilter,
} from '../../generated/schemas.ts';

type Message = MessageInitShape<typeof SearchMetricValuesRequestSchema>;

/** The request as a message. An absent member is left out, which the service reads as its empty value. */
export function writeMetricValuesRequest(request: MetricValuesRequest): Message {
  const {
    catalogId,
    metricId,
    billingContext = '',
    featureFilter = [],
    relatedFeatureFilter = [],
    invertSortOrder = false,
    bestEffortQueryWhenNotAllowed = false,
    pageSize = 0,
    pageToken = '',
    asOf = '',
    countOnly = false,
    addressComponentWhitelist = [],
    skipGeo = false,
    trackTotalHitsBoolean,
    trackTotalHitsInteger,
    observationPeriodFilter,
    addressComponentFilter = [],
    relatedAddressComponentFilter = [],
    dimensionFilter = [],
    valueFilter = [],
    requestTags = {},
    ...rest
  } = request;
  // A member that the contract gains does not compile until it is sent.
  rest satisfies { readonly [name: string]: never };
  checkId('catalogId', catalogId);
  checkId('metricId', metricId);
  return {
    catalogId,
    metricId,
    billingContext,
    featureFilter: [...featureFilter],
    relatedFeatureFilter: [...relatedFeatureFilter],
    invertSortOrder,
    bestEffortQueryWhenNotAllowed,
    pageSize,
    pageToken,
    asOf,
    countOnly,
    addressComponentWhitelist: [...addressComponentWhitelist],
    skipGeo,
    trackTotalHits: writeTotal(trackTotalHitsBoolean, trackTotalHitsInteger),
    ...writePeriod(observationPeriodFilter),
    addressComponentFilter: addressComponentFilter.map(writeComponents),
    relatedAddressComponentFilter: relatedAddressComponentFilter.map(writeComponents),
    dimensionFilter: dimensionFilter.map(writeDimension),
    valueFilter: valueFilter.map(writeValueFilter),
    requestTags: { ...requestTags },
  };
}

function checkId(name: string, id: string): void {
  if (typeof id === 'string' && id !== '') return;
  throw new LocmetricsError(`The request has no ${name}. Give a non-empty string.`);
}

function writeTotal(
  isCounted: boolean | undefined,
  countMax: number | undefined,
): NonNullable<Message['trackTotalHits']> {
  if (isCounted !== undefined && countMax !== undefined) {
    throw new LocmetricsError(
      'The request has trackTotalHitsBoolean and trackTotalHitsInteger. Give one of them.',
    );
  }
  if (countMax !== undefined) return { case: 'trackTotalHitsInteger', value: BigInt(countMax) };
  if (isCounted !== undefined) return { case: 'trackTotalHitsBoolean', value: isCounted };
  return { case: undefined };
}

function writePeriod(period: PeriodFilter | undefined) {
  if (period === undefined) return {};
  const start = writeDay('start', period.start);
  const end = writeDay('end', period.end);
  return {
    observationPeriodFilter: {
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { end }),
    },
  };
}

function writeDay(name: string, day: CalendarDate | string | undefined): CalendarDate | undefined {
  if (typeof day !== 'string') return day;
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) {
    throw new LocmetricsError(
      `The ${name} of observationPeriodFilter is '${day}'. Write a day as YYYY-MM-DD.`,
    );
  }
  return { year: Number(year), month: Number(month), day: Number(date) };
}

function writeComponents({ component, values }: AddressComponentFilter) {
  return { component, values: [...values] };
}

function writeDimension({ dimensionId, values }: DimensionFilter) {
  return { dimensionId, values: [...values] };
}

function writeValueFilter({ valueName, operator, numericValue = 0 }: ValueFilter) {
  return { valueName, operator: ValueFilterOperator[operator], numericValue };
}
