import {
  AVAILABILITY_NAMES,
  AVAILABILITY_PREFIX,
  type ComponentValuesQuery,
  type DimensionValuesQuery,
  type LayerFeaturesQuery,
  type ListMetricsQuery,
  type SearchLayerFeaturesRequest as SearchLayerFeaturesBody,
} from '@locmetrics/contract';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type {
  Availability,
  GetLayerRequest,
  ListMetricsRequest,
  SearchAddressComponentValuesRequest,
  SearchDimensionValuesRequest,
  SearchLayerFeaturesRequest,
} from '@locmetrics/core/requests/metric-request';
import { enumName } from './enum-name.ts';
import { readBoxParameter } from './read-box-parameter.ts';
import { readCircleParameter } from './read-circle.ts';
import { expectSameAddress, readComponentPairs, readPeriod } from './read-metric-request.ts';
import { readPolygon, readPolygonFilter } from './read-polygon.ts';
import type { RequestState } from './request-state.ts';

/** Parses a request for the metrics of a catalog. */
export function readListMetrics(query: ListMetricsQuery, catalogId: string): ListMetricsRequest {
  return {
    catalogId,
    billingContext: query.billingContext ?? '',
    layerFilter: query.layerFilter ?? [],
    availabilityFilter: (query.availabilityFilter ?? []).map(readAvailability),
    ...readPaging(query),
  };
}

function readAvailability(written: string, index: number): Availability {
  const number = /^[0-9]+$/.test(written) ? Number(written) : written;
  const name = enumName(number, AVAILABILITY_NAMES, AVAILABILITY_PREFIX);
  if (name !== undefined) return name;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    `/availabilityFilter/${index}`,
    `'${written.slice(0, 100)}' is not an availability.`,
    nameHint(written, AVAILABILITY_NAMES),
  );
}

/** Parses a search for the features of a layer from a query string. */
export function readFeaturesQuery(
  query: LayerFeaturesQuery,
  address: GetLayerRequest,
  state: Pick<RequestState, 'writtenPointers'>,
): SearchLayerFeaturesRequest {
  const { boundingBoxFilter = '', existedInDateRange = '' } = query;
  return {
    ...address,
    ...readFeatureSearch(query),
    addressComponentFilter: readComponentPairs(query, 'addressComponentFilter'),
    boundingBoxFilter: readBoxParameter('boundingBoxFilter', boundingBoxFilter),
    polygonFilter: readPolygonFilter(query.polygon, state),
    circleFilter: readCircleParameter(query.circle, '/circleFilter', state),
    existedInDateRange: readPeriod(existedInDateRange, 'existedInDateRange'),
  };
}

/** The same from a body. */
export function readFeaturesBody(
  body: SearchLayerFeaturesBody,
  address: GetLayerRequest,
): SearchLayerFeaturesRequest {
  expectSameAddress(body, address);
  const { boundingBoxFilter: box, polygonFilter, circleFilter } = body;
  const { startDate = '', endDate = '' } = body.existedInDateRange ?? {};
  return {
    ...address,
    ...readFeatureSearch(body),
    addressComponentFilter: body.addressComponentFilter ?? [],
    boundingBoxFilter: box && {
      minLng: box.west,
      minLat: box.south,
      maxLng: box.east,
      maxLat: box.north,
    },
    polygonFilter: polygonFilter && readPolygon(polygonFilter, '/polygonFilter'),
    circleFilter,
    existedInDateRange: {
      ...(startDate === '' ? {} : { start: startDate }),
      ...(endDate === '' ? {} : { end: endDate }),
    },
  };
}

function readFeatureSearch(given: LayerFeaturesQuery | SearchLayerFeaturesBody) {
  return {
    billingContext: given.billingContext ?? '',
    featureFilter: given.featureFilter ?? [],
    query: given.query ?? '',
    addressComponentWhitelist: given.addressComponentWhitelist ?? [],
    skipPolygon: given.skipPolygon ?? false,
    ...readPaging(given),
  };
}

/** Parses a search for the values of an address component. */
export function readComponentValues(
  query: ComponentValuesQuery,
  address: { readonly catalogId: string; readonly component: string },
): SearchAddressComponentValuesRequest {
  return {
    ...address,
    query: query.query ?? '',
    valueIds: query.valueIds ?? [],
    freeFormTarget: query.freeFormTarget ?? '',
    ...readPaging(query),
  };
}

/** Parses a search for the values of a dimension. */
export function readDimensionValues(
  query: DimensionValuesQuery,
  address: { readonly catalogId: string; readonly dimensionId: string },
): SearchDimensionValuesRequest {
  return { ...address, query: query.query ?? '', ...readPaging(query) };
}

function readPaging({
  pageSize = 0,
  pageToken = '',
}: {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}) {
  return { pageSize, pageToken };
}
