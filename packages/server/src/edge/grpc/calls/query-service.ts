import { catalogV1 } from '@locmetrics/contract/grpc';
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
import type {
  SearchLayerFeaturesRequest,
  SearchMetricValuesRequest,
} from '@locmetrics/core/requests/metric-request';
import { searchLayerFeatures } from '../../../service/features/search-layer-features.ts';
import {
  searchAddressComponentValues,
  searchDimensionValues,
} from '../../../service/features/search-named-values.ts';
import { getMetricReport } from '../../../service/metrics/describe-metrics.ts';
import { searchMetricValues } from '../../../service/metrics/search-metric-values.ts';
import { readComponentFilter } from '../read-component-filter.ts';
import { readMetricFilters } from '../read-metric-filters.ts';
import { readCircle, readPolygon } from '../read-row-selection.ts';
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
    ...readMetricFilters(request),
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

/** `track_total_hits` changes nothing: the total is always counted. */
function toFeaturesRequest(
  request: catalogV1.SearchLayerFeaturesRequest,
): SearchLayerFeaturesRequest {
  const { boundingBoxFilter: box, polygonFilter, circleFilter, existedInDateRange } = request;
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
    polygonFilter: polygonFilter && readPolygon(polygonFilter),
    circleFilter: circleFilter && readCircle(circleFilter),
    query: request.query,
    existedInDateRange: {
      ...(startDate === '' ? {} : { start: startDate }),
      ...(endDate === '' ? {} : { end: endDate }),
    },
    addressComponentWhitelist: request.addressComponentWhitelist,
    skipPolygon: request.skipPolygon,
    pageSize: request.pageSize,
    pageToken: request.pageToken,
  };
}

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
