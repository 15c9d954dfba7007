import { create, toBinary } from '@bufbuild/protobuf';
import { catalogV1, metricV1 } from '@locmetrics/contract/grpc';
import type { Feature } from '../domain/feature.ts';
import type { AddressComponentFilter, Metric, ValueKind } from '../domain/metric.ts';
import {
  type AppliedFilters,
  type DimensionColumns,
  type DimensionValue,
  dimensionAt,
  type FlagColumn,
  type MetricValues,
} from '../domain/metric-value.ts';
import type { Column, Value } from '../domain/value.ts';
import { expectAt } from '../errors/expect-at.ts';
import { memoize } from '../runtime/memoize.ts';
import { encodeBoundedPage, type RowWriter } from './bounded-page.ts';
import {
  encodeFields,
  encodeInt64,
  FLOAT_FIELD_SIZE,
  fieldSize,
  textFields,
  varintFieldSize,
} from './encode-fields.ts';
import { encodeOnce } from './encode-once.ts';
import { encodeFeatureMessage } from './feature-protobuf.ts';
import { toPeriodMessage } from './lens-protobuf.ts';
import type { MetricValuesPage } from './metric-values-json.ts';
import { capTotalSize, costMember } from './page-members.ts';

/** The framed bytes of a SearchMetricValuesResponse, and how many of the values are in it. */
export function encodeMetricValuesMessage(page: MetricValuesPage) {
  const response = catalogV1.SearchMetricValuesResponseSchema;
  return encodeBoundedPage({
    rows: valueWriter(page.metric, page.values),
    rowField: response.field.values.number,
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

/** Writes MetricValues from their columns, part by part in the order of the fields. */
function valueWriter(metric: Metric, values: MetricValues): RowWriter {
  const { metricId, starts } = fragmentsOf(metric);
  const { size, features, relatedFeatures, period, dimensions, flags } = values;
  const encodedFeature = encodeOnce(encodeFeatureMessage);
  const featureField = (number: number, found: readonly Feature[]): Part =>
    bytesField(number, (index) => encodedFeature(expectAt(found, index)));
  const measureFields = (number: number, first: number, end?: number): readonly Part[] =>
    metric.measures
      .slice(first, end)
      .map(({ kind }, place) =>
        measureField(
          number,
          expectAt(starts, first + place),
          VALUE_OF[kind](expectAt(values.measures, first + place)),
        ),
      );
  const parts: readonly Part[] = [
    knownBytes(() => metricId),
    ...measureFields(FIELD.value.number, 0, 1),
    bytesField(FIELD.observationPeriod.number, (index) =>
      encodedPeriod(String(period.start[index]))(String(period.end[index])),
    ),
    ...(relatedFeatures === undefined
      ? []
      : [featureField(FIELD.relatedMapFeature.number, relatedFeatures)]),
    ...dimensions.map((one) => bytesField(FIELD.dimensions.number, dimensionEncoder(one))),
    ...measureFields(FIELD.supportingValues.number, 1),
    ...flags.map(flagField),
    featureField(FIELD.mapFeatureV2.number, features),
    ...measureFields(FIELD.values.number, 0),
  ];
  return {
    size,
    start: (index) => {
      let length = 0;
      for (const part of parts) length += part.start(index);
      return length;
    },
    write: (out) => {
      for (const part of parts) part.write(out);
    },
  };
}

/** A part of each value. */
type Part = Omit<RowWriter, 'size'>;

/** A part whose bytes are known, head included. */
function knownBytes(bytesOf: (index: number) => Uint8Array): Part {
  let bytes = NOTHING;
  return {
    start: (index) => {
      bytes = bytesOf(index);
      return bytes.length;
    },
    write: (out) => out.bytes(bytes),
  };
}

const NOTHING: Uint8Array = new Uint8Array(0);

/** A field whose content is encoded. */
function bytesField(number: number, bytesOf: (index: number) => Uint8Array): Part {
  let bytes = NOTHING;
  return {
    start: (index) => {
      bytes = bytesOf(index);
      return fieldSize(bytes.length);
    },
    write: (out) => {
      out.head(number, bytes.length);
      out.bytes(bytes);
    },
  };
}

/** A measure: `start` has its name and unit. An absent value leaves its kind unset. */
function measureField(number: number, start: Uint8Array, value: Part): Part {
  let length = 0;
  return {
    start: (index) => {
      length = start.length + value.start(index);
      return fieldSize(length);
    },
    write: (out) => {
      out.head(number, length);
      out.bytes(start);
      value.write(out);
    },
  };
}

/** The encoded parts that are the same for all values of a metric: its id, and the name and the unit of each measure. */
const fragmentsOf = memoize(({ metricId, measures }: Metric) => ({
  metricId: encodeFields(textFields([[FIELD.metricId.number, metricId]])),
  starts: measures.map(({ name, unit }) =>
    encodeFields(
      textFields([
        [MEASURE_FIELD.name.number, name],
        [MEASURE_FIELD.unit.number, unit],
      ]),
    ),
  ),
}));

const VALUE_OF: Readonly<Record<ValueKind, (column: Column) => Part>> = {
  number: numberOf,
  count: countOf,
  category: categoryOf,
};

function numberOf(column: Column): Part {
  const { number } = MEASURE_FIELD.number;
  let value: Value = null;
  return {
    start: (index) => {
      value = column[index] ?? null;
      return value === null ? 0 : FLOAT_FIELD_SIZE;
    },
    write: (out) => {
      if (value !== null) out.float(number, Number(value));
    },
  };
}

function countOf(column: Column): Part {
  const { number } = MEASURE_FIELD.count;
  let count = 0;
  /** The bytes of a count that is absent, negative, or not exact as a number. */
  let other: Uint8Array | undefined;
  return {
    start: (index) => {
      const value = column[index] ?? null;
      count = Number(value);
      const isSmall = value !== null && count >= 0 && count <= Number.MAX_SAFE_INTEGER;
      if (isSmall) other = undefined;
      else other = value === null ? NOTHING : encodeInt64(number, BigInt(value));
      return other?.length ?? varintFieldSize(count);
    },
    write: (out) => {
      if (other === undefined) out.varint(number, count);
      else out.bytes(other);
    },
  };
}

function categoryOf(column: Column): Part {
  const { number } = MEASURE_FIELD.category;
  const encodedText = encodeOnce((value: Value) =>
    value === null ? NOTHING : encodeFields([[number, String(value)]]),
  );
  return knownBytes((index) => encodedText(column[index] ?? null));
}

const KEPT_STARTS_MAX = 10_000;
const KEPT_ENDS_MAX = 4;

/** By start and end. Most periods of a start have one end. */
const encodedPeriod = memoize(
  (start: string) =>
    memoize(
      (end: string): Uint8Array => toBinary(metricV1.PeriodSchema, toPeriodMessage({ start, end })),
      KEPT_ENDS_MAX,
    ),
  KEPT_STARTS_MAX,
);

/** Encodes each pair of a value and its name once. */
function dimensionEncoder(dimension: DimensionColumns): (index: number) => Uint8Array {
  const { values, names } = dimension;
  const namesOf = encodeOnce((_value: Value) => new Map<Value, Uint8Array>());
  return (index) => {
    const known = namesOf(values[index] ?? null);
    const name = names[index] ?? null;
    const bytes = known.get(name) ?? encodeDimension(dimensionAt(dimension, index));
    known.set(name, bytes);
    return bytes;
  };
}

function encodeDimension({ dimensionId, value, displayName }: DimensionValue): Uint8Array {
  const { field: ids } = metricV1.DimensionValueSchema;
  return encodeFields(
    textFields([
      [ids.dimensionId.number, dimensionId],
      [ids.value.number, value],
      [ids.displayName.number, displayName],
    ]),
  );
}

function flagField({ flag, values }: FlagColumn): Part {
  const bytes = encodeFields([[FIELD.flags.number, flag]]);
  return knownBytes((index) => (values[index] === true ? bytes : NOTHING));
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
