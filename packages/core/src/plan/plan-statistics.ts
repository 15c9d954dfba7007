import { isCalendarDate } from '../dates/calendar-date.ts';
import { type Dataset, findField } from '../domain/dataset.ts';
import { findFeatureField } from '../domain/feature-field.ts';
import type { Field } from '../domain/field.ts';
import type { Predicate } from '../domain/predicate.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import type {
  GetLayerStatsRequest,
  ListRecordsStatisticsRequest,
  RowOptions,
} from '../requests/catalog-request.ts';
import { expectField } from './plan-fields.ts';
import { planFilters } from './plan-filters.ts';
import { planOptionPredicates, refuseNear, refuseThenBy } from './plan-options.ts';
import type { AggregateTerm, GroupsPlan } from './read-plan.ts';

/** More dates would not fit into a message of gRPC. */
export const STATISTICS_DATES_MAX = 100_000;

const DIMENSIONS_MAX = 100;

/**
 * Counts the records and the places of each observation date: a group for each start of a period, by ascending date.
 * Records without a start are left out.
 */
export function planRecordsStatistics(
  { filters, filterLogic, options }: ListRecordsStatisticsRequest,
  version: DatasetVersion,
): GroupsPlan {
  const { start, location } = statisticsFields(version);
  return {
    ...planCounts(version, options),
    predicates: [
      ...planFilters(filters, version.dataset, filterLogic),
      ...planOptionPredicates(options, version.dataset),
      ...(version.dataset.key.includes(start.name) ? [] : [isPresent(start)]),
    ],
    groups: [{ name: start.name, field: start }],
    aggregates: [
      { name: 'total_rows', aggregation: 'COUNT', quantile: 0 },
      countDistinct('unique_location_ids', location),
    ],
    limit: STATISTICS_DATES_MAX,
  };
}

/** Counts the places with a record on an observation date, and then the different values of each named field. */
export function planLayerStats(
  { filters, options, observationDate, dimensions }: GetLayerStatsRequest,
  version: DatasetVersion,
): GroupsPlan {
  const { dataset } = version;
  const { start, location } = statisticsFields(version);
  return {
    ...planCounts(version, options),
    predicates: [
      planDate(observationDate, start),
      ...planFilters(filters, dataset, ''),
      ...planOptionPredicates(options, dataset),
    ],
    groups: [],
    aggregates: [
      countDistinct('location_count', location),
      ...planDimensions(dimensions, dataset).map((field) => countDistinct(field.name, field)),
    ],
    limit: 1,
  };
}

/** The common members. Refused: an order. */
function planCounts(version: DatasetVersion, options: RowOptions) {
  const { orderBy } = options;
  refuseNear(options, 'counts');
  if (orderBy !== undefined) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/options/orderBy',
      'Statistics have no order of their own.',
      'Leave orderBy out; dates are ascending.',
    );
  }
  refuseThenBy(
    options,
    'Statistics have no order of their own.',
    'Leave thenBy out; dates are ascending.',
  );
  return { kind: 'groups', version, conditions: [], order: [], after: 0 } as const;
}

function isPresent(field: Field): Predicate {
  return { kind: 'empty', field, negated: true };
}

function countDistinct(name: string, field: Field): AggregateTerm {
  return { name, aggregation: 'COUNT_DISTINCT', field, quantile: 0 };
}

/** The fields with the observation date and with the place of a record. */
function statisticsFields(version: DatasetVersion): {
  readonly start: Field;
  readonly location: Field;
} {
  const { dataset } = version;
  const start = findField(dataset, dataset.period?.start ?? '');
  if (start === undefined) throw unavailable(dataset, 'period');
  const location = findFeatureField(version);
  if (location === undefined) throw unavailable(dataset, 'place');
  return { start, location };
}

function unavailable({ name }: Dataset, what: 'period' | 'place'): ServiceError {
  return ServiceError.atPointer(
    'STATISTICS_UNAVAILABLE',
    '/dataReferenceName',
    `The records of ${name} have no ${what}, so there are no statistics by observation date.`,
    'List the records, or group them with groupBy in listRecords.',
  );
}

function planDate(observationDate: string, start: Field): Predicate {
  if (isCalendarDate(observationDate)) {
    return { kind: 'compare', field: start, operator: '==', value: observationDate };
  }
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    '/observationDate',
    observationDate === ''
      ? "The field 'observationDate' is missing."
      : `'${observationDate.slice(0, 100)}' is not a date.`,
    'Send the first day of a period, YYYY-MM-DD; listRecordsStatistics lists those with records.',
  );
}

function planDimensions(dimensions: readonly string[], dataset: Dataset): readonly Field[] {
  if (dimensions.length > DIMENSIONS_MAX) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/dimensions',
      `The request has ${dimensions.length} dimensions.`,
      `Send at most ${DIMENSIONS_MAX}.`,
    );
  }
  return dimensions.map((name, index) => {
    const pointer = `/dimensions/${index}`;
    const field = expectField(name, dataset, pointer);
    if (dimensions.indexOf(name) === index) return field;
    throw ServiceError.atPointer(
      'INVALID_FIELD',
      pointer,
      `The dimension '${name}' is named twice.`,
      'Name each field once.',
    );
  });
}
