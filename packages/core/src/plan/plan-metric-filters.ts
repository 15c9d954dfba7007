import { isCalendarDate } from '../dates/calendar-date.ts';
import type { PeriodFilter } from '../dates/period.ts';
import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { Dimension, Measure, Metric } from '../domain/metric.ts';
import type { DimensionFilter, ValueFilter } from '../domain/metric-value.ts';
import type { CompareOperator, Day, Predicate } from '../domain/predicate.ts';
import { EXPECTED_RANGE, isStoredInteger } from '../domain/value.ts';
import { ServiceError } from '../errors/service-error.ts';
import { unknownName } from '../errors/unknown-name.ts';
import type { MergedFilters } from './merge-filters.ts';
import { checkCount, checkMerged, checkValues } from './plan-feature-filters.ts';
import type { PeriodDays } from './plan-layer.ts';
import { planTextValues } from './plan-text-values.ts';
import { roleField } from './role-fields.ts';

const FILTERS_MAX = 100;

/** Values whose period is within the filter. */
export function planPeriodFilter(filter: PeriodFilter, period: PeriodDays): readonly Predicate[] {
  checkPeriodFilter(filter, '/observationPeriodFilter');
  const { start, end } = filter;
  return [
    ...(start === undefined ? [] : [planDay(period.start, '>=', start)]),
    ...(end === undefined ? [] : [planDay(period.end, '<=', end)]),
  ].filter((predicate) => predicate !== undefined);
}

/**
 * Refuses days that do not exist, and a period that ends before it starts; `sides` are the names of the
 * two days in the request.
 */
export function checkPeriodFilter(
  { start, end }: PeriodFilter,
  pointer: string,
  sides: { readonly start: string; readonly end: string } = { start: 'start', end: 'end' },
): void {
  checkDay(start, `${pointer}/${sides.start}`);
  checkDay(end, `${pointer}/${sides.end}`);
  if (start === undefined || end === undefined || start <= end) return;
  throw ServiceError.atPointer(
    'INVALID_PERIOD',
    pointer,
    `The period ends on ${end}, before it starts on ${start}.`,
    'Swap the two days.',
  );
}

function checkDay(day: string | undefined, pointer: string): void {
  if (day === undefined || isCalendarDate(day)) return;
  throw ServiceError.atPointer(
    'INVALID_PERIOD',
    pointer,
    `'${day.slice(0, 100)}' is not a calendar date.`,
    'Send a day that exists, such as 2023-01-31.',
  );
}

/** Undefined if the day is the same for all values and matches. */
function planDay(day: Day, operator: CompareOperator, limit: string): Predicate | undefined {
  if (typeof day !== 'string') return { kind: 'compare', field: day, operator, value: limit };
  const isMatch = operator === '>=' ? day >= limit : day <= limit;
  return isMatch ? undefined : { kind: 'never' };
}

/** Values with one of the named values of each named dimension. */
export function planDimensionFilters(
  filters: MergedFilters<DimensionFilter>,
  metric: Metric,
  dataset: Dataset,
): readonly Predicate[] {
  for (const [index, { dimensionId, values }] of filters.sent.entries()) {
    expectDimension(dimensionId, metric, `/dimensionFilter/${index}/dimensionId`);
    checkValues(values, dimensionId, `/dimensionFilter/${index}/values`);
  }
  checkMerged(filters, '/dimensionFilter');
  return filters.merged.map(({ dimensionId, values }) => {
    const { fields } = expectDimension(dimensionId, metric, '/dimensionFilter');
    return planTextValues(roleField(dataset, fields.value), values);
  });
}

function expectDimension(dimensionId: string, metric: Metric, pointer: string): Dimension {
  const dimension = metric.dimensions.find((known) => known.dimensionId === dimensionId);
  if (dimension !== undefined) return dimension;
  throw unknownName('UNKNOWN_DIMENSION', pointer, {
    noun: 'dimension',
    owner: `the metric '${metric.metricId}'`,
    name: dimensionId,
    known: metric.dimensions.map((known) => known.dimensionId),
  });
}

/** Values whose measures are at least the given numbers. */
export function planValueFilters(
  filters: readonly ValueFilter[],
  metric: Metric,
  dataset: Dataset,
): readonly Predicate[] {
  checkCount(filters, FILTERS_MAX, '/valueFilter', 'filters');
  return filters.map((filter, index) => {
    const pointer = `/valueFilter/${index}`;
    const measure = expectMeasure(filter.valueName, metric, `${pointer}/valueName`);
    checkValueFilter(filter, measure, pointer);
    const field = roleField(dataset, measure.field);
    return planAtLeast(field, filter, `${pointer}/numericValue`);
  });
}

function checkValueFilter(
  { operator, numericValue }: ValueFilter,
  measure: Measure,
  pointer: string,
): void {
  if (measure.kind === 'category') {
    throw ServiceError.atPointer(
      'UNSUPPORTED_FILTER',
      `${pointer}/valueName`,
      `The value '${measure.name}' is a category, which cannot be compared with a number.`,
      'Filter on a value of the kind number or count.',
    );
  }
  if (operator !== 'GREATER_THAN_OR_EQUAL_TO') {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      `${pointer}/operator`,
      `The filter on '${measure.name}' has no operator.`,
      'Send GREATER_THAN_OR_EQUAL_TO.',
    );
  }
  if (!Number.isFinite(numericValue)) {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      `${pointer}/numericValue`,
      `The number of the filter on '${measure.name}' is ${numericValue}.`,
      'Send a finite number.',
    );
  }
}

function planAtLeast(
  field: Field,
  { valueName, numericValue }: ValueFilter,
  pointer: string,
): Predicate {
  if (field.type !== 'integer') {
    return { kind: 'compare', field, operator: '>=', value: numericValue + 0 };
  }
  const least = BigInt(Math.ceil(numericValue));
  if (isStoredInteger(least)) return { kind: 'compare', field, operator: '>=', value: least };
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    `The number ${numericValue} of the filter on '${valueName}' has more than 64 bits.`,
    `Send ${EXPECTED_RANGE}.`,
  );
}

function expectMeasure(name: string, metric: Metric, pointer: string): Measure {
  const measure = metric.measures.find((known) => known.name === name);
  if (measure !== undefined) return measure;
  throw unknownName('UNKNOWN_MEASURE', pointer, {
    noun: 'value',
    owner: `the metric '${metric.metricId}'`,
    name,
    known: metric.measures.map((known) => known.name),
  });
}
