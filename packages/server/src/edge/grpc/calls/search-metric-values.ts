import { catalogV1, type metricV1 } from '@locmetrics/contract/grpc';
import { dateText } from '../../../domain/calendar-date.ts';
import type { SearchMetricValuesRequest } from '../../../domain/metric-request.ts';
import { VALUE_FILTER_OPERATORS } from '../../../domain/metric-value.ts';
import type { PeriodFilter } from '../../../domain/period.ts';
import { encodeMetricValuesMessage } from '../../../encoding/metric-values-protobuf.ts';
import { searchMetricValues } from '../../../service/search-metric-values.ts';
import { checkRequestTags } from '../check-request-tags.ts';
import { decimalOf } from '../decimal-of.ts';
import { readComponentFilter } from '../read-component-filter.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callSearchMetricValues({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.QueryService.method.searchMetricValues, async (request, call) => {
    checkRequestTags(request.requestTags);
    const result = await searchMetricValues(service, toRequest(request), call);
    return call.encode(() => encodeMetricValuesMessage(result));
  });
}

function toRequest(request: catalogV1.SearchMetricValuesRequest): SearchMetricValuesRequest {
  const { $typeName, $unknown, requestTags, ...members } = request;
  return {
    ...members,
    trackTotalHits: readTrackTotalHits(request.trackTotalHits),
    observationPeriodFilter: readPeriod(request.observationPeriodFilter),
    addressComponentFilter: request.addressComponentFilter.map(readComponentFilter),
    relatedAddressComponentFilter: request.relatedAddressComponentFilter.map(readComponentFilter),
    dimensionFilter: request.dimensionFilter.map(({ dimensionId, values }) => ({
      dimensionId,
      values,
    })),
    valueFilter: request.valueFilter.map(({ valueName, operator, numericValue }) => ({
      valueName,
      // Parsing has refused numbers that the enum does not have.
      operator: VALUE_FILTER_OPERATORS[operator] ?? 'UNSPECIFIED',
      numericValue: decimalOf(numericValue),
    })),
  };
}

function readTrackTotalHits(
  hits: catalogV1.SearchMetricValuesRequest['trackTotalHits'],
): boolean | number {
  return hits.case === undefined
    ? true
    : hits.case === 'trackTotalHitsInteger'
      ? Number(hits.value)
      : hits.value;
}

/** A side of a period that is not set is open. Dates that do not exist are refused by the plan. */
function readPeriod(period: metricV1.Period | undefined): PeriodFilter {
  const { start, end } = period ?? {};
  return {
    ...(start === undefined ? {} : { start: dateText(start) }),
    ...(end === undefined ? {} : { end: dateText(end) }),
  };
}
