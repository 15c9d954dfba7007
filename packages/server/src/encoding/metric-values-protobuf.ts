import { create, toBinary } from '@bufbuild/protobuf';
import { catalogV1, metricV1 } from '@locmetrics/contract/grpc';
import type { Feature } from '../domain/feature.ts';
import { keepSome } from '../domain/keep-some.ts';
import type { AddressComponentFilter, Measure, Metric } from '../domain/metric.ts';
import {
  type AppliedFilters,
  type DimensionValue,
  dimensionAt,
  flagsAt,
  type MetricValues,
} from '../domain/metric-value.ts';
import { remember } from '../domain/remember.ts';
import type { PresentValue, Value } from '../domain/value.ts';
import { encodeBoundedPage } from './bounded-page.ts';
import { costMember } from './cost-rows.ts';
import {
  type EncodedField,
  encodeFields,
  encodeFloat,
  encodeInt64,
  textFields,
} from './encode-fields.ts';
import { encodeOnce } from './encode-once.ts';
import { encodeFeatureMessage } from './feature-protobuf.ts';
import { toPeriodMessage } from './period-protobuf.ts';
import { capTotalSize } from './total-size.ts';

/** The bytes of a SearchMetricValuesResponse, and how many of the values are in it. */
export function encodeMetricValuesMessage(page: {
  readonly metric: Metric;
  readonly values: MetricValues;
  readonly appliedFilters: AppliedFilters;
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: (sentRows: number) => string;
  readonly version: string;
}) {
  const response = catalogV1.SearchMetricValuesResponseSchema;
  return encodeBoundedPage({
    rows: page.values.features,
    rowField: response.field.values.number,
    encodeRow: valueEncoder(page.metric, page.values),
    encodeRest: (sentRows) =>
      toBinary(
        response,
        create(response, {
          appliedFilters: toAppliedFiltersMessage(page.appliedFilters),
          totalSize: capTotalSize(page.totalSize),
          nextPageToken: page.nextPageToken(sentRows),
          version: page.version,
          ...costMember(page),
        }),
      ),
  });
}

const FIELD = metricV1.MetricValueSchema.field;
const MEASURE_FIELD = metricV1.MetricValue_ValueSchema.field;

/**
 * Writes a MetricValue. The common parts of values are encoded once: features, periods, dimensions and
 * names of measures.
 */
function valueEncoder(
  metric: Metric,
  values: MetricValues,
): (feature: Feature, index: number) => Uint8Array {
  const { metricId, encoders } = encodersOf(metric);
  const { relatedFeatures, period, measures, dimensions, flags } = values;
  const featureOf = encodeOnce(encodeFeatureMessage);
  return (feature, index) => {
    const relatedFeature = relatedFeatures?.[index];
    const encoded = encoders.map((encode, place) => encode(measures[place]?.[index] ?? null));
    const fields: EncodedField[] = [metricId];
    const [main] = encoded;
    if (main !== undefined) fields.push([FIELD.value.number, main]);
    fields.push([
      FIELD.observationPeriod.number,
      periodOf(`${period.start[index]} ${period.end[index]}`),
    ]);
    if (relatedFeature !== undefined) {
      fields.push([FIELD.relatedMapFeature.number, featureOf(relatedFeature)]);
    }
    for (const dimension of dimensions) {
      fields.push([FIELD.dimensions.number, encodeDimension(dimensionAt(dimension, index))]);
    }
    for (const value of encoded.slice(1)) fields.push([FIELD.supportingValues.number, value]);
    for (const flag of flagsAt(flags, index)) {
      fields.push([FIELD.flags.number, Buffer.from(flag)]);
    }
    fields.push([FIELD.mapFeatureV2.number, featureOf(feature)]);
    for (const value of encoded) fields.push([FIELD.values.number, value]);
    return encodeFields(fields);
  };
}

/** The encoded parts that are the same for all values of a metric. */
const encodersOf = remember((metric: Metric) => ({
  metricId: [FIELD.metricId.number, Buffer.from(metric.metricId)] satisfies EncodedField,
  encoders: metric.measures.map(measureEncoder),
}));

/** A measure with its name and unit; an absent value leaves its kind unset. */
function measureEncoder({ name, unit, kind }: Measure): (value: Value) => Uint8Array {
  const start = toBinary(
    metricV1.MetricValue_ValueSchema,
    create(metricV1.MetricValue_ValueSchema, { name, unit }),
  );
  const encodeValue = (value: PresentValue): Uint8Array => {
    switch (kind) {
      case 'number':
        return encodeFloat(MEASURE_FIELD.number.number, Number(value));
      case 'count':
        return encodeInt64(MEASURE_FIELD.count.number, BigInt(value));
      case 'category':
        return encodeFields([[MEASURE_FIELD.category.number, Buffer.from(String(value))]]);
    }
  };
  return (value) => (value === null ? start : Buffer.concat([start, encodeValue(value)]));
}

const KEPT_PERIODS_MAX = 10_000;

/** The two days of a period, separated by a space. */
const periodOf = keepSome((days: string): Uint8Array => {
  const [start = '', end = ''] = days.split(' ');
  return toBinary(metricV1.PeriodSchema, toPeriodMessage({ start, end }));
}, KEPT_PERIODS_MAX);

function encodeDimension({ dimensionId, value, displayName }: DimensionValue): Uint8Array {
  const { field } = metricV1.DimensionValueSchema;
  return encodeFields(
    textFields([
      [field.dimensionId.number, dimensionId],
      [field.value.number, value],
      [field.displayName.number, displayName],
    ]),
  );
}

/** The filters that were applied to an answer. */
export function toAppliedFiltersMessage(filters: AppliedFilters): catalogV1.QueryMetricFilters {
  const toComponentFilter = ({ component, values }: AddressComponentFilter) => ({
    component,
    values: [...values],
  });
  return create(catalogV1.QueryMetricFiltersSchema, {
    periodFilters: filters.periods.map(toPeriodMessage),
    dimensionFilters: filters.dimensions.map(({ dimensionId, values }) => ({
      dimensionId,
      values: [...values],
    })),
    addressComponentFilters: filters.addressComponents.map(toComponentFilter),
    featureFilters: [...filters.features],
    relatedFeatureFilters: [...filters.relatedFeatures],
    valueFilters: filters.values.map(({ valueName, operator, numericValue }) => ({
      valueName,
      operator: metricV1.ValueFilterOperator[operator],
      numericValue: Math.fround(numericValue),
    })),
    relatedAddressComponentFilters: filters.relatedAddressComponents.map(toComponentFilter),
    trimToPeriodOfExistence: filters.isTrimmed
      ? catalogV1.TrimToPeriodOfExistence.TRIM
      : catalogV1.TrimToPeriodOfExistence.UNSPECIFIED,
  });
}
