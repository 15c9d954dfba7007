import type { Operations } from './generated/operations.ts';
import type {
  AddressComponentFilter,
  SearchLayerFeaturesRequest,
  SearchMetricValuesRequest,
} from './generated/schemas.ts';
import { writeQuery } from './send.ts';

/** Longer queries are sent as a body: the address and the headers have at most 16 KiB together. */
const QUERY_MAX_LENGTH = 4_000;

/** The request as parameters of a GET. Undefined: it is too long, or has a member that no parameter can express. */
export function metricValuesQuery(
  request: SearchMetricValuesRequest,
): Operations['searchMetricValues']['query'] | undefined {
  const {
    catalogId: _catalog,
    metricId: _metric,
    requestTags,
    trackTotalHitsBoolean,
    trackTotalHitsInteger,
    observationPeriodFilter: period,
    addressComponentFilter,
    relatedAddressComponentFilter,
    dimensionFilter,
    valueFilter = [],
    ...same
  } = request;
  const { start = '', end = '' } = period ?? {};
  const pairs = [
    componentPairs(addressComponentFilter),
    componentPairs(relatedAddressComponentFilter),
    toPairs(dimensionFilter?.map(({ dimensionId, values }) => [dimensionId, values])),
  ] as const;
  const [components, relatedComponents, dimensions] = pairs;
  if (
    requestTags !== undefined ||
    (trackTotalHitsBoolean !== undefined && trackTotalHitsInteger !== undefined) ||
    typeof start !== 'string' ||
    typeof end !== 'string' ||
    (period !== undefined && start === '' && end === '') ||
    pairs.includes(INEXPRESSIBLE) ||
    valueFilter.some(({ operator }) => operator !== 'GREATER_THAN_OR_EQUAL_TO')
  ) {
    return undefined;
  }
  return unlessTooLong({
    ...same,
    trackTotalHits: (trackTotalHitsBoolean ?? trackTotalHitsInteger)?.toString(),
    observationPeriodFilter: period === undefined ? undefined : `${start}/${end}`,
    addressComponentFilter: components,
    relatedAddressComponentFilter: relatedComponents,
    dimensionFilter: dimensions,
    valueFilter: valueFilter.map(
      ({ valueName, numericValue = 0 }) => `${valueName}>=${numericValue}`,
    ),
  });
}

/** As `metricValuesQuery`. */
export function layerFeaturesQuery(
  request: SearchLayerFeaturesRequest,
): Operations['searchLayerFeatures']['query'] | undefined {
  const {
    catalogId: _catalog,
    layerId: _layer,
    addressComponentFilter,
    boundingBoxFilter: box,
    polygonFilter,
    circleFilter: circle,
    existedInDateRange: range,
    ...same
  } = request;
  const components = componentPairs(addressComponentFilter);
  const { startDate = '', endDate = '' } = range ?? {};
  if (components === INEXPRESSIBLE || polygonFilter !== undefined) return undefined;
  if (range !== undefined && startDate === '' && endDate === '') return undefined;
  return unlessTooLong({
    ...same,
    addressComponentFilter: components,
    circle:
      circle === undefined
        ? undefined
        : [circle.longitude, circle.latitude, circle.radiusMetres].join(','),
    boundingBoxFilter:
      box === undefined ? undefined : [box.west, box.south, box.east, box.north].join(','),
    existedInDateRange: range === undefined ? undefined : `${startDate}/${endDate}`,
  });
}

type Pairs = readonly string[] | undefined;

/** A filter without values, or an id with a colon, cannot be a parameter. */
const INEXPRESSIBLE: Pairs = [];

function componentPairs(filters: readonly AddressComponentFilter[] | undefined): Pairs {
  return toPairs(filters?.map(({ component, values }) => [component, values]));
}

function toPairs(filters: readonly (readonly [string, readonly string[]])[] | undefined): Pairs {
  if (filters?.some(([id, values]) => id.includes(':') || values.length === 0)) {
    return INEXPRESSIBLE;
  }
  return filters?.flatMap(([id, values]) => values.map((value) => `${id}:${value}`));
}

function unlessTooLong<Query extends Readonly<Record<string, unknown>>>(
  query: Query,
): Query | undefined {
  return writeQuery(query).length > QUERY_MAX_LENGTH ? undefined : query;
}
