import {
  type Day,
  type DownloadMetricRequest as DownloadMetricBody,
  type MetricValuesQuery,
  type SearchMetricValuesRequest as SearchMetricValuesBody,
  type StreamMetricValuesRequest as StreamMetricValuesBody,
  type StreamMetricValuesQuery,
  VALUE_FILTER_OPERATOR_NAMES,
  VALUE_FILTER_OPERATOR_PREFIX,
} from '@locmetrics/contract';
import { dateText } from '@locmetrics/core/dates/calendar-date';
import type { PeriodFilter } from '@locmetrics/core/dates/period';
import type { AddressComponentFilter } from '@locmetrics/core/domain/metric';
import type { DimensionFilter, ValueFilter } from '@locmetrics/core/domain/metric-value';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { DownloadMetricRequest } from '@locmetrics/core/requests/export-job';
import type { SearchMetricValuesRequest } from '@locmetrics/core/requests/metric-request';
import { enumName } from './enum-name.ts';
import { readInteger } from './read-integer.ts';

export type MetricAddress = { readonly catalogId: string; readonly metricId: string };

/** Parses a request for metric values from a query string. */
export function readMetricQuery(
  query: MetricValuesQuery,
  address: MetricAddress,
): SearchMetricValuesRequest {
  return {
    ...address,
    ...readCommon(query),
    ...readQueryFilters(query),
    trackTotalHits: readTrackTotalHits(query.trackTotalHits ?? 'true'),
  };
}

/** Parses a request for all values of a metric in one stream. */
export function readMetricStreamQuery(
  { trackTotalHits = false, ...query }: StreamMetricValuesQuery,
  address: MetricAddress,
): SearchMetricValuesRequest {
  return { ...readMetricQuery(query, address), trackTotalHits };
}

type QueryFilters = Pick<
  MetricValuesQuery,
  | 'observationPeriodFilter'
  | 'addressComponentFilter'
  | 'relatedAddressComponentFilter'
  | 'dimensionFilter'
  | 'valueFilter'
>;

/** Parses the filters of a query string. */
export function readQueryFilters(query: QueryFilters) {
  return {
    observationPeriodFilter: readPeriod(
      query.observationPeriodFilter ?? '',
      'observationPeriodFilter',
    ),
    addressComponentFilter: readComponentPairs(query, 'addressComponentFilter'),
    relatedAddressComponentFilter: readComponentPairs(query, 'relatedAddressComponentFilter'),
    dimensionFilter: readDimensionPairs(query.dimensionFilter),
    valueFilter: (query.valueFilter ?? []).map(readValueFilter),
  };
}

/** Parses a request for metric values from a body. */
export function readMetricBody(
  body: SearchMetricValuesBody,
  address: MetricAddress,
): SearchMetricValuesRequest {
  expectSameAddress(body, address);
  return {
    ...address,
    ...readCommon(body),
    ...readBodyFilters(body),
    trackTotalHits: readTrackTotalHitsMembers(body),
  };
}

/** Parses a request for all values of a metric in one stream from a body. */
export function readMetricStreamBody(
  { trackTotalHits = false, ...body }: StreamMetricValuesBody,
  address: MetricAddress,
): SearchMetricValuesRequest {
  return { ...readMetricBody(body, address), trackTotalHits };
}

/** Parses a request for files with the values of a metric. */
export function readDownloadMetric(
  body: DownloadMetricBody,
  address: MetricAddress,
): DownloadMetricRequest {
  expectSameAddress(body, address);
  const { billingContext = '', fileName = '', expiryInHours = 0 } = body;
  return { ...address, billingContext, fileName, expiryInHours };
}

/** Parses the filters of a body. */
export function readBodyFilters(
  body: Pick<SearchMetricValuesBody, keyof QueryFilters>,
): Pick<SearchMetricValuesRequest, keyof QueryFilters> {
  return {
    observationPeriodFilter: readPeriodFilter(body.observationPeriodFilter),
    addressComponentFilter: body.addressComponentFilter ?? [],
    relatedAddressComponentFilter: body.relatedAddressComponentFilter ?? [],
    dimensionFilter: body.dimensionFilter ?? [],
    valueFilter: (body.valueFilter ?? []).map(({ valueName, operator, numericValue }, index) => ({
      valueName,
      operator:
        enumName(operator ?? 0, VALUE_FILTER_OPERATOR_NAMES, VALUE_FILTER_OPERATOR_PREFIX) ??
        'UNSPECIFIED',
      numericValue: exactNumber(numericValue ?? 0, `/valueFilter/${index}/numericValue`),
    })),
  };
}

/** Refuses ids of a body that are not those of the address. */
export function expectSameAddress<Address extends Readonly<Record<string, string>>>(
  body: { readonly [name in keyof Address]?: string },
  address: Address,
): void {
  for (const [name, expected] of Object.entries(address)) {
    const given = body[name];
    if (given === undefined || given === expected) continue;
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      `/${name}`,
      `${name} is '${given.slice(0, 200)}' in the body and '${expected.slice(0, 200)}' in the URL.`,
      'Leave it out of the body.',
    );
  }
}

/** Parses the period of a body. */
export function readPeriodFilter({
  start,
  end,
}: NonNullable<SearchMetricValuesBody['observationPeriodFilter']> = {}): PeriodFilter {
  return {
    ...(start === undefined ? {} : { start: readDay(start) }),
    ...(end === undefined ? {} : { end: readDay(end) }),
  };
}

/** After parsing JSON, it is unknown whether a whole number beyond 2^53 is exact. */
function exactNumber(number: number, pointer: string): number {
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return number;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    `The JSON number ${number} is beyond 2^53, where JSON numbers are not exact.`,
    'Send a smaller number, or send the request with GET, whose numbers are read from their text.',
  );
}

function readCommon(given: MetricValuesQuery | SearchMetricValuesBody) {
  return {
    billingContext: given.billingContext ?? '',
    featureFilter: given.featureFilter ?? [],
    relatedFeatureFilter: given.relatedFeatureFilter ?? [],
    invertSortOrder: given.invertSortOrder ?? false,
    bestEffortQueryWhenNotAllowed: given.bestEffortQueryWhenNotAllowed ?? false,
    pageSize: given.pageSize ?? 0,
    pageToken: given.pageToken ?? '',
    asOf: given.asOf ?? '',
    countOnly: given.countOnly ?? false,
    addressComponentWhitelist: given.addressComponentWhitelist ?? [],
    skipGeo: given.skipGeo ?? false,
  };
}

function readTrackTotalHits(text: string): boolean | number {
  if (text === 'true' || text === 'false') return text === 'true';
  const integer = readInteger(text);
  if (integer !== undefined && integer >= 0) return integer;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/trackTotalHits',
    `'${text.slice(0, 100)}' is neither true, nor false, nor a maximum to count.`,
    'Send true, false, or a whole number of 0 or more.',
  );
}

function readTrackTotalHitsMembers(body: SearchMetricValuesBody): boolean | number {
  const { trackTotalHitsBoolean, trackTotalHitsInteger } = body;
  if (trackTotalHitsBoolean !== undefined && trackTotalHitsInteger !== undefined) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/trackTotalHitsInteger',
      'The request has both trackTotalHitsBoolean and trackTotalHitsInteger.',
      'Send one of them.',
    );
  }
  return trackTotalHitsInteger ?? trackTotalHitsBoolean ?? true;
}

/** `start/end`; a side that is empty or `..` (ISO 8601-2) is open. */
export function readPeriod(text: string, name: string): PeriodFilter {
  if (text === '') return {};
  const [start = '', end, ...rest] = text.split('/');
  if (end === undefined || rest.length > 0) {
    throw ServiceError.atPointer(
      'INVALID_PERIOD',
      `/${name}`,
      `'${text.slice(0, 100)}' is not two days separated by a slash.`,
      'Write for example 2023-01-01/2023-12-31; one side can be empty.',
    );
  }
  const isOpen = (side: string) => side === '' || side === '..';
  return { ...(isOpen(start) ? {} : { start }), ...(isOpen(end) ? {} : { end }) };
}

function readDay(day: Day): string {
  return typeof day === 'string' ? day : dateText(day);
}

/** `component:value`, repeated. */
export function readComponentPairs<Name extends string>(
  query: { readonly [name in Name]?: readonly string[] | undefined },
  name: Name,
): readonly AddressComponentFilter[] {
  return readPairs(query[name], name).map(([component, value]) => ({ component, values: [value] }));
}

/** `dimension:value`, repeated. */
export function readDimensionPairs(
  written: readonly string[] | undefined,
): readonly DimensionFilter[] {
  return readPairs(written, 'dimensionFilter').map(([dimensionId, value]) => ({
    dimensionId,
    values: [value],
  }));
}

/** `id:value`, split at the first colon. */
function readPairs(
  written: readonly string[] | undefined,
  name: string,
): readonly (readonly [string, string])[] {
  return (written ?? []).map((text, index) => {
    const colon = text.indexOf(':');
    if (colon > 0) return [text.slice(0, colon), text.slice(colon + 1)];
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      `/${name}/${index}`,
      `'${text.slice(0, 100)}' is not an id and a value separated by a colon.`,
      name === 'dimensionFilter'
        ? 'Write for example dimensionFilter=age:20-29.'
        : `Write for example ${name}=us_state_2020:06.`,
    );
  });
}

const VALUE_FILTER = /^([^<>=!]*)([<>=!]+)(.*)$/s;
const NUMBER = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/;

/** `name>=number`. */
function readValueFilter(text: string, index: number): ValueFilter {
  const [, valueName = '', operator = '', number = ''] = VALUE_FILTER.exec(text) ?? [];
  const refuse = (
    message: string,
    hint = 'Write for example valueFilter=person_count>=1000.',
  ): ServiceError =>
    ServiceError.atPointer('INVALID_FILTER_VALUE', `/valueFilter/${index}`, message, hint);
  const shown = text.slice(0, 100);
  if (operator !== '>=')
    throw refuse(`'${shown}' is not a name and a number with >= between them.`);
  if (!NUMBER.test(number)) throw refuse(`'${number.slice(0, 100)}' is not a number.`);
  const numericValue = Number(number);
  if (!Number.isFinite(numericValue)) {
    throw refuse(
      `The number ${number.slice(0, 100)} is beyond the greatest possible number, 1.8e308.`,
    );
  }
  if (/^[+-]?[0-9]+$/.test(number) && BigInt(number) !== BigInt(numericValue)) {
    throw refuse(
      `The number ${number.slice(0, 100)} is beyond 2^53 and is not exact as a number.`,
      'Send a smaller number, or one that a double represents exactly.',
    );
  }
  return { valueName, operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue };
}
