import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { catalogV1, metricV1, unatype } from '@locmetrics/contract/grpc';
import type { AddressComponentFilter, Measure, Metric } from '../domain/metric.ts';
import type { AppliedFilters, DimensionValue, MetricValue } from '../domain/metric-value.ts';
import type { Period } from '../domain/period.ts';
import type { Value } from '../domain/value.ts';
import { encodeBoundedPage } from './bounded-page.ts';
import { encodeFeatureMessage } from './feature-protobuf.ts';
import { toDateMessage, toPeriodMessage } from './period-protobuf.ts';
import { remember } from './remember.ts';
import { capTotalSize } from './total-size.ts';

/** The bytes of a SearchMetricValuesResponse, and how many of the values are in it. */
export function encodeMetricValuesMessage(page: {
  readonly metric: Metric;
  readonly values: readonly MetricValue[];
  readonly appliedFilters: AppliedFilters;
  readonly totalSize: number;
  readonly nextPageToken: (sentRows: number) => string;
  readonly version: string;
}) {
  const response = catalogV1.SearchMetricValuesResponseSchema;
  return encodeBoundedPage({
    rows: page.values,
    rowField: response.field.values.number,
    encodeRow: valueEncoder(page.metric),
    encodeRest: (sentRows) =>
      toBinary(
        response,
        create(response, {
          appliedFilters: toAppliedFiltersMessage(page.appliedFilters),
          totalSize: capTotalSize(page.totalSize),
          nextPageToken: page.nextPageToken(sentRows),
          version: page.version,
        }),
      ),
  });
}

const FIELD = metricV1.MetricValueSchema.field;
const MEASURE_FIELD = metricV1.MetricValue_ValueSchema.field;

/**
 * Writes a MetricValue. What values have in common is encoded once: their features, days and the
 * names of their measures.
 */
function valueEncoder(metric: Metric): (value: MetricValue) => Uint8Array {
  const featureOf = remember(encodeFeatureMessage);
  const dayOf = remember((day: string) => toBinary(unatype.DateSchema, toDateMessage(day)));
  const encoders = metric.measures.map(measureEncoder);
  return ({ feature, relatedFeature, period, measures, dimensions, flags }) => {
    const encoded = encoders.map((encode, index) => encode(measures[index] ?? null));
    const [main, ...supporting] = encoded;
    const writer = new BinaryWriter();
    const write = (field: { readonly number: number }, bytes: Uint8Array | undefined): void => {
      if (bytes !== undefined) writer.tag(field.number, WireType.LengthDelimited).bytes(bytes);
    };
    writer.tag(FIELD.metricId.number, WireType.LengthDelimited).string(metric.metricId);
    write(FIELD.value, main);
    write(FIELD.observationPeriod, encodePeriod(period, dayOf));
    write(
      FIELD.relatedMapFeature,
      relatedFeature === undefined ? undefined : featureOf(relatedFeature),
    );
    for (const dimension of dimensions) write(FIELD.dimensions, encodeDimension(dimension));
    for (const value of supporting) write(FIELD.supportingValues, value);
    for (const flag of flags) {
      writer.tag(FIELD.flags.number, WireType.LengthDelimited).string(flag);
    }
    write(FIELD.mapFeatureV2, featureOf(feature));
    for (const value of encoded) write(FIELD.values, value);
    return writer.finish();
  };
}

/** A measure with its name and unit; an absent value leaves its kind unset. */
function measureEncoder({ name, unit, kind }: Measure): (value: Value) => Uint8Array {
  const start = toBinary(
    metricV1.MetricValue_ValueSchema,
    create(metricV1.MetricValue_ValueSchema, { name, unit }),
  );
  return (value) => {
    if (value === null) return start;
    const writer = new BinaryWriter().raw(start);
    switch (kind) {
      case 'number':
        // Rounded first: the nearest float of a number too large for one is infinite.
        writer.tag(MEASURE_FIELD.number.number, WireType.Bit32).float(Math.fround(Number(value)));
        break;
      case 'count':
        writer.tag(MEASURE_FIELD.count.number, WireType.Varint).int64(BigInt(value));
        break;
      case 'category':
        writer.tag(MEASURE_FIELD.category.number, WireType.LengthDelimited).string(String(value));
        break;
    }
    return writer.finish();
  };
}

function encodePeriod({ start, end }: Period, dayOf: (day: string) => Uint8Array): Uint8Array {
  const { field } = metricV1.PeriodSchema;
  return new BinaryWriter()
    .tag(field.start.number, WireType.LengthDelimited)
    .bytes(dayOf(start))
    .tag(field.end.number, WireType.LengthDelimited)
    .bytes(dayOf(end))
    .finish();
}

function encodeDimension(dimension: DimensionValue): Uint8Array {
  return toBinary(metricV1.DimensionValueSchema, create(metricV1.DimensionValueSchema, dimension));
}

/** The filters that made an answer. */
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
