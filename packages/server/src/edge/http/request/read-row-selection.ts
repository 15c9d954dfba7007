import {
  AGGREGATION_NUMBERS,
  AGGREGATION_PREFIX,
  BUCKET_NUMBERS,
  BUCKET_PREFIX,
  DIRECTION_NAMES,
  DIRECTION_PREFIX,
  type GetLayerStatsRequest as GetLayerStatsBody,
  type ListRecordsRequest as ListRecordsBody,
  type ListRecordsStatisticsRequest as ListRecordsStatisticsBody,
  type SearchFieldValuesRequest as SearchFieldValuesBody,
  TRIM_NAMES,
  TRIM_PREFIX,
} from '@locmetrics/contract';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type {
  FieldSelection,
  GetLayerStatsRequest,
  ListRecordsRequest,
  ListRecordsStatisticsRequest,
  OrderKey,
  RowOptions,
  RowSelection,
  SearchFieldValuesRequest,
  TrimToPeriodOfExistence,
} from '@locmetrics/core/requests/catalog-request';
import { enumName, numberedName } from './enum-name.ts';
import { readPolygon } from './read-polygon.ts';

/** Parses a request for records; absent members get their defaults. */
export function readListRecords(body: ListRecordsBody): ListRecordsRequest {
  const { fields = [], groupBy = [], groupFilters = [], recordCount = false } = body;
  return {
    ...readRowSelection(body),
    fields: fields.map(readAggregatedField),
    groupBy: groupBy.map(({ fieldName, bucket }) => ({
      fieldName,
      bucket:
        bucket === undefined ? undefined : numberedName(bucket, BUCKET_NUMBERS, BUCKET_PREFIX),
    })),
    groupFilters: groupFilters.map(readFilter),
    recordCount,
    typedValues: body.typedValues ?? false,
  };
}

/** Parses a search for the values of a field; absent members get their defaults. */
export function readSearchFieldValues(body: SearchFieldValuesBody): SearchFieldValuesRequest {
  const { field, term = '' } = body;
  return { ...readRowSelection(body), field: readFieldSelection(field), term };
}

/** Parses a request for the statistics of records; absent members get their defaults. */
export function readListRecordsStatistics(
  body: ListRecordsStatisticsBody,
): ListRecordsStatisticsRequest {
  const { dataReferenceName, filters = [], filterLogic = '', billingContext = '' } = body;
  return {
    dataReferenceName,
    filters: filters.map(readFilter),
    filterLogic,
    options: readOptions(body),
    billingContext,
  };
}

/** Parses a request for the statistics of one date; absent members get their defaults. */
export function readGetLayerStats(body: GetLayerStatsBody): GetLayerStatsRequest {
  const { dataReferenceName, observationDate, filters = [], billingContext = '' } = body;
  return {
    dataReferenceName,
    observationDate,
    filters: filters.map(readFilter),
    options: readOptions(body),
    dimensions: body.dimensions ?? [],
    billingContext,
  };
}

type WireSelection = Omit<
  ListRecordsBody,
  'fields' | 'typedValues' | 'groupBy' | 'groupFilters' | 'recordCount'
> &
  Omit<SearchFieldValuesBody, 'field' | 'term'>;

/** Parses the common part of both row requests. */
function readRowSelection(body: WireSelection): RowSelection {
  return {
    dataReferenceName: body.dataReferenceName,
    filters: (body.filters ?? []).map(readFilter),
    filterLogic: body.filterLogic ?? '',
    options: readOptions(body),
    billingContext: body.billingContext ?? '',
    pageSize: body.pageSize ?? 0,
    pageToken: body.pageToken ?? '',
    asOf: body.asOf ?? '',
    countOnly: body.countOnly ?? false,
  };
}

export function readFilter({
  fieldName,
  operator,
  value = '',
  values = [],
}: NonNullable<ListRecordsBody['filters']>[number]): FilterClause {
  return { fieldName, operator, value, values };
}

function readAggregatedField(
  written: NonNullable<ListRecordsBody['fields']>[number],
): FieldSelection {
  const field = readFieldSelection(written);
  if (typeof written === 'string') return field;
  const { aggregation, alias, quantile } = written;
  return {
    ...field,
    aggregation:
      aggregation === undefined
        ? undefined
        : numberedName(aggregation, AGGREGATION_NUMBERS, AGGREGATION_PREFIX),
    alias,
    quantile,
  };
}

/** A field may be written as just its name. */
export function readFieldSelection(
  written: string | { readonly name: string; readonly source?: string },
): FieldSelection {
  return typeof written === 'string'
    ? { name: written, source: '' }
    : { name: written.name, source: written.source ?? '' };
}

type WireOptions = Pick<ListRecordsBody, 'options' | 'trimToPeriodOfExistence'>;

export function readOptions(body: WireOptions): RowOptions {
  const { boundingBox, polygon, circle, near, orderBy, thenBy = [] } = body.options ?? {};
  return {
    ...(boundingBox === undefined ? {} : { boundingBox }),
    ...(polygon === undefined ? {} : { polygon: readPolygon(polygon, '/options/polygon') }),
    ...(circle === undefined ? {} : { circle }),
    ...(near === undefined ? {} : { near }),
    trimToPeriodOfExistence: readTrim(body),
    ...(orderBy === undefined ? {} : { orderBy: readOrderKey(orderBy) }),
    ...(thenBy.length === 0 ? {} : { thenBy: thenBy.map(readOrderKey) }),
  };
}

function readOrderKey({
  fieldName,
  direction = 0,
}: NonNullable<NonNullable<ListRecordsBody['options']>['orderBy']>): OrderKey {
  return {
    fieldName,
    descending: enumName(direction, DIRECTION_NAMES, DIRECTION_PREFIX) === 'DESC',
  };
}

/** The member may be next to the options or inside them, but not with two different values. */
function readTrim(body: WireOptions): TrimToPeriodOfExistence {
  const beside = body.trimToPeriodOfExistence;
  const inside = body.options?.trimToPeriodOfExistence;
  const read = (written: string | number): TrimToPeriodOfExistence =>
    enumName(written, TRIM_NAMES, TRIM_PREFIX) === 'IGNORE' ? 'ignore' : 'trim';
  if (beside !== undefined && inside !== undefined) {
    const names = [beside, inside].map((written) => enumName(written, TRIM_NAMES, TRIM_PREFIX));
    if (names[0] !== names[1]) {
      throw ServiceError.atPointer(
        'INVALID_OPTION',
        '/trimToPeriodOfExistence',
        `trimToPeriodOfExistence is ${beside} outside options and ${inside} inside them.`,
        'Send it once.',
      );
    }
  }
  return read(inside ?? beside ?? 0);
}
