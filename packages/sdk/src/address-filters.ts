import { LocmetricsError } from './errors.ts';
import type { Operations } from './generated/operations.ts';
import type {
  AddressComponentFilter,
  PeriodFilter,
  SearchLayerFeaturesRequest,
  SearchMetricValuesRequest,
} from './generated/schemas.ts';
import type { StreamOperations } from './generated/stream-operations.ts';
import { writeQuery } from './send.ts';

/** Longer queries are sent as a body: the address and the headers have at most 16 KiB together. */
const QUERY_MAX_LENGTH = 4_000;

/** The request as parameters of a GET. Undefined: it is too long, or has a member that no parameter can express. */
export function metricValuesQuery(
  request: SearchMetricValuesRequest,
): Operations['searchMetricValues']['query'] | undefined {
  const { requestTags, trackTotalHitsBoolean, trackTotalHitsInteger, ...rest } = request;
  const query = valueParameters(rest);
  const isTotalAskedTwice =
    trackTotalHitsBoolean !== undefined && trackTotalHitsInteger !== undefined;
  if (query === undefined || requestTags !== undefined || isTotalAskedTwice) return undefined;
  const trackTotalHits = (trackTotalHitsBoolean ?? trackTotalHitsInteger)?.toString();
  return unlessTooLong({ ...query, trackTotalHits });
}

/** As `metricValuesQuery`, for an operation that has no other form: a request that no parameters can express is refused. */
export function metricValuesStreamQuery(
  request: MetricValuesSelection & { readonly trackTotalHits?: boolean | undefined },
): StreamOperations['streamMetricValues']['query'] {
  const { observationPeriodFilter: period, ...rest } = request;
  const days = period && { start: dayText(period.start), end: dayText(period.end) };
  const query = valueParameters({ ...rest, observationPeriodFilter: days });
  if (query !== undefined) return query;
  throw new LocmetricsError(
    'streamMetricValues sends its filters in the URL, which cannot express a filter without values, an id with a colon, or a period without days. Change the filter, or use metricValues.',
  );
}

/** YYYY-MM-DD; empty if there is no day. */
function dayText(day: PeriodFilter['start']): string {
  if (day === undefined || typeof day === 'string') return day ?? '';
  const { year, month, day: ofMonth } = day;
  return [String(year).padStart(4, '0'), padded(month), padded(ofMonth)].join('-');
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}

/** The members that say which values are returned, and how. */
export type MetricValuesSelection = Omit<
  SearchMetricValuesRequest,
  'requestTags' | 'trackTotalHitsBoolean' | 'trackTotalHitsInteger'
>;

/** The parameters, however long they are. Undefined: no parameter can express a member. */
function valueParameters<Request extends MetricValuesSelection>(request: Request) {
  const {
    catalogId: _catalog,
    metricId: _metric,
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
    typeof start !== 'string' ||
    typeof end !== 'string' ||
    (period !== undefined && start === '' && end === '') ||
    pairs.includes(INEXPRESSIBLE) ||
    valueFilter.some(({ operator }) => operator !== 'GREATER_THAN_OR_EQUAL_TO')
  ) {
    return undefined;
  }
  return {
    ...same,
    observationPeriodFilter: period === undefined ? undefined : `${start}/${end}`,
    addressComponentFilter: components,
    relatedAddressComponentFilter: relatedComponents,
    dimensionFilter: dimensions,
    valueFilter: valueFilter.map(
      ({ valueName, numericValue = 0 }) => `${valueName}>=${numericValue}`,
    ),
  };
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
    existedInDateRange: range,
    ...same
  } = request;
  const components = componentPairs(addressComponentFilter);
  const { startDate = '', endDate = '' } = range ?? {};
  if (components === INEXPRESSIBLE) return undefined;
  if (range !== undefined && startDate === '' && endDate === '') return undefined;
  return unlessTooLong({
    ...same,
    addressComponentFilter: components,
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
