import type { QueryMetricFilters } from '../../generated/messages/unacast/catalog/v1/query_metric_filters_pb.js';
import type { SearchMetricValuesResponse as Answer } from '../../generated/messages/unacast/catalog/v1/query_service_pb.js';
import type { AddressComponentFilter } from '../../generated/messages/unacast/maps/v1/address_component_pb.js';
import type { Feature } from '../../generated/messages/unacast/maps/v1/feature_pb.js';
import {
  type MetricValue_Value,
  type MetricValue as Value,
  ValueFilterOperator,
} from '../../generated/messages/unacast/metric/v1/metric_value_pb.js';
import type { Period as Days } from '../../generated/messages/unacast/metric/v1/period_pb.js';
import type { Date as Day } from '../../generated/messages/unacast/unatype/date_pb.js';
import type {
  AppliedComponentFilter,
  AppliedFilters,
  AppliedPeriodFilter,
  CalendarDate,
  MapFeature,
  Measure,
  MetricValue,
  SearchMetricValuesResponse,
} from '../../generated/schemas.ts';

/** The answer with the names and types of HTTP. */
export function readMetricValues(answer: Answer): SearchMetricValuesResponse {
  const { values, appliedFilters, totalSize, nextPageToken, version, costRows } = answer;
  return {
    valuesList: values.map(readValue),
    appliedFilters: readFilters(appliedFilters),
    totalSize,
    nextPageToken,
    version,
    ...(costRows === undefined ? {} : { costRows: Number(costRows) }),
  };
}

function readValue(value: Value): MetricValue {
  const { metricId, observationPeriod, dimensions, supportingValues, flags } = value;
  const { mapFeatureV2, relatedMapFeature } = value;
  return {
    metricId,
    value: readMeasure(value.value),
    observationPeriod: {
      start: readDay(observationPeriod?.start) ?? NO_DAY,
      end: readDay(observationPeriod?.end) ?? NO_DAY,
    },
    dimensionsList: dimensions.map(({ dimensionId, value: one, displayName }) => ({
      dimensionId,
      value: one,
      displayName,
    })),
    supportingValuesList: supportingValues.map(readMeasure),
    flagsList: flags,
    mapFeatureV2: readFeature(mapFeatureV2),
    ...(relatedMapFeature === undefined
      ? {}
      : { relatedMapFeature: readFeature(relatedMapFeature) }),
  };
}

const NO_DAY: CalendarDate = { year: 0, month: 0, day: 0 };

/** An absent value has no kind on the wire, so each member of it is null. */
function readMeasure(measure: MetricValue_Value | undefined): Measure {
  const { name = '', unit = '', value } = measure ?? {};
  const none = { name, unit, number: 0, count: 0, category: '' };
  switch (value?.case) {
    case 'number':
      return { ...none, number: shortestDecimal(value.value) };
    case 'count':
      return { ...none, count: Number(value.value) };
    case 'category':
      return { ...none, category: value.value };
    case undefined:
      return { name, unit, number: null, count: null, category: null };
  }
}

/** The shortest decimal of a number of single precision: 8.331 and not 8.331000328063965. */
function shortestDecimal(float: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const decimal = Number(float.toPrecision(digits));
    if (Math.fround(decimal) === float) return decimal;
  }
  return Number.isFinite(float) ? Number(float.toPrecision(9)) : float;
}

function readFeature(feature: Feature | undefined): MapFeature {
  const { layerId = '', featureId = '', name = '', geo = '', point = '' } = feature ?? {};
  const { polygon = '', cameIntoExistence = '', ceasedToExist = '' } = feature ?? {};
  return {
    layerId,
    featureId,
    name,
    geo,
    addressComponentsList: (feature?.addressComponents ?? []).map(
      ({ component, value, shortName, displayName }) => ({
        component,
        value,
        shortName,
        displayName,
      }),
    ),
    point,
    polygon,
    cameIntoExistence,
    ceasedToExist,
  };
}

function readFilters(filters: QueryMetricFilters | undefined): AppliedFilters {
  return {
    periodFiltersList: (filters?.periodFilters ?? []).map(readPeriodFilter),
    dimensionFiltersList: (filters?.dimensionFilters ?? []).map(({ dimensionId, values }) => ({
      dimensionId,
      valuesList: values,
    })),
    addressComponentFiltersList: (filters?.addressComponentFilters ?? []).map(readComponents),
    featureFiltersList: filters?.featureFilters ?? [],
    relatedFeatureFiltersList: filters?.relatedFeatureFilters ?? [],
    valueFiltersList: (filters?.valueFilters ?? []).map(
      ({ valueName, operator, numericValue }) => ({
        valueName,
        operator: ValueFilterOperator[operator],
        numericValue: shortestDecimal(numericValue),
      }),
    ),
    relatedAddressComponentFiltersList: (filters?.relatedAddressComponentFilters ?? []).map(
      readComponents,
    ),
  };
}

function readPeriodFilter({ start, end }: Days): AppliedPeriodFilter {
  const first = readDay(start);
  const last = readDay(end);
  return {
    ...(first === undefined ? {} : { start: first }),
    ...(last === undefined ? {} : { end: last }),
  };
}

function readComponents({ component, values }: AddressComponentFilter): AppliedComponentFilter {
  return { component, valuesList: values };
}

function readDay(day: Day | undefined): CalendarDate | undefined {
  return day === undefined ? undefined : { year: day.year, month: day.month, day: day.day };
}
