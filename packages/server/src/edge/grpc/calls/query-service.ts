import { catalogV1, type metricV1 } from '@locmetrics/contract/grpc';
import { dateText } from '@locmetrics/core/domain/calendar-date';
import type {
  SearchLayerFeaturesRequest,
  SearchMetricValuesRequest,
} from '@locmetrics/core/domain/metric-request';
import { VALUE_FILTER_OPERATORS } from '@locmetrics/core/domain/metric-value';
import type { PeriodFilter } from '@locmetrics/core/domain/period';
import { encodeFramed } from '@locmetrics/core/encoding/message-frame';
import { toExtentPeriod } from '@locmetrics/core/encoding/metric-protobuf';
import {
  encodeMetricValuesMessage,
  toAppliedFiltersMessage,
} from '@locmetrics/core/encoding/metric-values-protobuf';
import {
  encodeComponentValuesMessage,
  encodeDimensionValuesMessage,
  encodeLayerFeaturesMessage,
} from '@locmetrics/core/encoding/searches-protobuf';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { getMetricReport } from '../../../service/describe-metrics.ts';
import { searchLayerFeatures } from '../../../service/search-layer-features.ts';
import { searchMetricValues } from '../../../service/search-metric-values.ts';
import {
  searchAddressComponentValues,
  searchDimensionValues,
} from '../../../service/search-named-values.ts';
import { readComponentFilter } from '../read-component-filter.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

/** Searches of metric values, features, components and dimensions. */
export const QUERY_SERVICE: ServedService = {
  service: catalogV1.QueryService,
  scope: 'metrics',
  calls: [
    unaryCall(catalogV1.QueryService.method.searchMetricValues, {
      read: toValuesRequest,
      run: searchMetricValues,
      rowsOf: ({ values }) => values.size,
      encode: encodeMetricValuesMessage,
    }),
    unaryCall(catalogV1.QueryService.method.searchLayerFeatures, {
      read: toFeaturesRequest,
      run: searchLayerFeatures,
      rowsOf: ({ features }) => features.length,
      encode: encodeLayerFeaturesMessage,
    }),
    unaryCall(catalogV1.QueryService.method.searchAddressComponentValues, {
      read: (request) => request,
      run: searchAddressComponentValues,
      rowsOf: ({ values }) => values.length,
      encode: encodeComponentValuesMessage,
    }),
    unaryCall(catalogV1.QueryService.method.searchDimensionValues, {
      read: (request) => request,
      run: searchDimensionValues,
      rowsOf: ({ values }) => values.length,
      encode: encodeDimensionValuesMessage,
    }),
    unaryCall(catalogV1.QueryService.method.searchMetricReport, {
      read: (request) => request,
      run: getMetricReport,
      encode: ({ extent, appliedFilters }) => {
        const observationPeriod = toExtentPeriod(extent);
        return encodeFramed(catalogV1.SearchMetricReportResponseSchema, {
          report: observationPeriod === undefined ? {} : { observationPeriod },
          appliedFilters: toAppliedFiltersMessage(appliedFilters),
        });
      },
    }),
  ],
};

function toValuesRequest(request: catalogV1.SearchMetricValuesRequest): SearchMetricValuesRequest {
  checkRequestTags(request.requestTags);
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

/** `skip_polygon` and `track_total_hits` change nothing: features have no outline, and the total is always counted. */
function toFeaturesRequest(
  request: catalogV1.SearchLayerFeaturesRequest,
): SearchLayerFeaturesRequest {
  const { boundingBoxFilter: box, existedInDateRange } = request;
  const { startDate = '', endDate = '' } = existedInDateRange ?? {};
  return {
    catalogId: request.catalogId,
    layerId: request.layerId,
    billingContext: request.billingContext,
    featureFilter: request.featureFilter,
    addressComponentFilter: request.addressComponentFilter.map(readComponentFilter),
    boundingBoxFilter: box && {
      minLng: box.west,
      minLat: box.south,
      maxLng: box.east,
      maxLat: box.north,
    },
    query: request.query,
    existedInDateRange: {
      ...(startDate === '' ? {} : { start: startDate }),
      ...(endDate === '' ? {} : { end: endDate }),
    },
    addressComponentWhitelist: request.addressComponentWhitelist,
    pageSize: request.pageSize,
    pageToken: request.pageToken,
  };
}

/**
 * The number of the shortest decimal that rounds to a float: 8.331 sent as a float is
 * 8.33100032806396484375 in binary, and the caller means 8.331. Nine significant digits identify every
 * float; this finds the fewest digits that give the same float.
 */
function decimalOf(float: number): number {
  for (let digits = 1; digits <= FLOAT_DIGITS_MAX; digits += 1) {
    const decimal = Number(float.toPrecision(digits));
    if (Math.fround(decimal) === float) return decimal;
  }
  return float;
}

const FLOAT_DIGITS_MAX = 9;

const TAGS_MAX = 100;

/** Tags are labels for people, so a request with many of them is a mistake. */
function checkRequestTags(tags: Readonly<Record<string, string>>): void {
  const count = Object.keys(tags).length;
  if (count <= TAGS_MAX) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    '/requestTags',
    `The request has ${count} tags.`,
    `Send at most ${TAGS_MAX}.`,
  );
}
