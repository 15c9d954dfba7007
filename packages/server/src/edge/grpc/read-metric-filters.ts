import type { catalogV1, metricV1, unatype } from '@locmetrics/contract/grpc';
import { dateText } from '@locmetrics/core/dates/calendar-date';
import type { PeriodFilter } from '@locmetrics/core/dates/period';
import { VALUE_FILTER_OPERATORS } from '@locmetrics/core/domain/metric-value';
import { describeUnservedField } from '@locmetrics/core/domain/unserved-field';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { SearchMetricValuesRequest } from '@locmetrics/core/requests/metric-request';
import { readComponentFilter } from './read-component-filter.ts';

type FilterName =
  | 'observationPeriodFilter'
  | 'addressComponentFilter'
  | 'relatedAddressComponentFilter'
  | 'dimensionFilter'
  | 'valueFilter';

/** The filters of a request for values or aggregates of a metric. */
export function readMetricFilters(
  request: Pick<catalogV1.SearchMetricValuesRequest, FilterName>,
): Pick<SearchMetricValuesRequest, FilterName> {
  return {
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

/** A side of a period that is not set is open. Dates that do not exist are refused by the plan. */
function readPeriod(period: metricV1.Period | undefined): PeriodFilter {
  const { start, end } = period ?? {};
  return {
    ...(start === undefined ? {} : { start: readDate(start, '/observationPeriodFilter/start') }),
    ...(end === undefined ? {} : { end: readDate(end, '/observationPeriodFilter/end') }),
  };
}

/** A time of the day is refused, as over HTTP: periods start and end with whole days. */
function readDate(date: unatype.Date, pointer: string): string {
  const { hour, minute, second } = date;
  for (const [name, value] of Object.entries({ hour, minute, second })) {
    const said = value === 0 ? undefined : describeUnservedField(name, name);
    if (said === undefined) continue;
    const { message, hint } = said;
    throw ServiceError.atPointer('UNKNOWN_REQUEST_FIELD', `${pointer}/${name}`, message, hint);
  }
  return dateText(date);
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
