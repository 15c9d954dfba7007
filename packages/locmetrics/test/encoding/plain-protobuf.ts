import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { catalogV1, type mapsV1, metricV1, unatype } from '@locmetrics/contract/grpc';
import { dateParts } from '@locmetrics/core/dates/calendar-date';
import type { PeriodFilter } from '@locmetrics/core/dates/period';
import { type Feature, pointGeometry } from '@locmetrics/core/domain/feature';
import type { AddressComponentFilter } from '@locmetrics/core/domain/metric';
import { dimensionAt, flagsAt } from '@locmetrics/core/domain/metric-value';
import type { MetricValuesAnswer } from './metric-values-answer.ts';

/**
 * The protobuf of an answer by the library: every value is a message first. Numbers are floats before, because the
 * library refuses others.
 */
export function plainProtobuf(answer: MetricValuesAnswer): Uint8Array {
  const { values, appliedFilters, totalSize, costRows, nextPageToken, version } = answer;
  const schema = catalogV1.SearchMetricValuesResponseSchema;
  const message = create(schema, {
    values: values.features.map((_, index) => toValue(answer, index)),
    appliedFilters: {
      periodFilters: appliedFilters.periods.map(toPeriod),
      dimensionFilters: appliedFilters.dimensions.map(({ dimensionId, values: listed }) => ({
        dimensionId,
        values: [...listed],
      })),
      addressComponentFilters: appliedFilters.addressComponents.map(toComponentFilter),
      featureFilters: [...appliedFilters.features],
      relatedFeatureFilters: [...appliedFilters.relatedFeatures],
      valueFilters: appliedFilters.values.map(({ valueName, operator, numericValue }) => ({
        valueName,
        operator: metricV1.ValueFilterOperator[operator],
        numericValue: Math.fround(numericValue),
      })),
      relatedAddressComponentFilters:
        appliedFilters.relatedAddressComponents.map(toComponentFilter),
      trimToPeriodOfExistence: appliedFilters.isTrimmed
        ? catalogV1.TrimToPeriodOfExistence.TRIM
        : catalogV1.TrimToPeriodOfExistence.UNSPECIFIED,
    },
    totalSize: Math.min(totalSize, 2 ** 31 - 1),
    nextPageToken,
    version,
    ...(costRows === undefined ? {} : { costRows: BigInt(costRows) }),
  });
  return toBinary(schema, message);
}

function toValue({ metric, values }: MetricValuesAnswer, index: number) {
  const measures = metric.measures.map(({ name, unit, kind }, place) => {
    const value = values.measures[place]?.[index] ?? null;
    if (value === null) return create(metricV1.MetricValue_ValueSchema, { name, unit });
    const member = {
      number: () => ({ case: 'number' as const, value: Math.fround(Number(value)) }),
      count: () => ({ case: 'count' as const, value: BigInt(value) }),
      category: () => ({ case: 'category' as const, value: String(value) }),
    };
    return create(metricV1.MetricValue_ValueSchema, { name, unit, value: member[kind]() });
  });
  const [value, ...supportingValues] = measures;
  const [feature, related] = [values.features[index], values.relatedFeatures?.[index]];
  return create(metricV1.MetricValueSchema, {
    metricId: metric.metricId,
    ...(value && { value }),
    observationPeriod: toPeriod({
      start: String(values.period.start[index]),
      end: String(values.period.end[index]),
    }),
    ...(related && { relatedMapFeature: toFeature(related) }),
    dimensions: values.dimensions.map((dimension) => dimensionAt(dimension, index)),
    supportingValues,
    flags: [...flagsAt(values.flags, index)],
    ...(feature && { mapFeatureV2: toFeature(feature) }),
    values: measures,
  });
}

function toPeriod({ start, end }: PeriodFilter): metricV1.Period {
  const toDate = (day: string) => create(unatype.DateSchema, dateParts(day));
  return create(metricV1.PeriodSchema, {
    ...(start === undefined ? {} : { start: toDate(start) }),
    ...(end === undefined ? {} : { end: toDate(end) }),
  });
}

function toFeature(feature: Feature): MessageInitShape<typeof mapsV1.FeatureSchema> {
  const { point: _, addressComponents, ...members } = feature;
  const point = pointGeometry(feature);
  return { ...members, geo: point, point, addressComponents: [...addressComponents] };
}

function toComponentFilter({ component, values }: AddressComponentFilter) {
  return { component, values: [...values] };
}
