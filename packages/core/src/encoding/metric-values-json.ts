import { dateParts } from '../dates/calendar-date.ts';
import { type Feature, pointGeometry } from '../domain/feature.ts';
import type { AddressComponentFilter, Measure, Metric, ValueKind } from '../domain/metric.ts';
import {
  type AppliedFilters,
  dimensionAt,
  flagsAt,
  type MetricValues,
} from '../domain/metric-value.ts';
import type { Column } from '../domain/value.ts';
import { expectAt } from '../errors/expect-at.ts';
import { memoize } from '../runtime/memoize.ts';
import { openTicks } from '../runtime/ticks.ts';
import { type ByteWriter, openByteWriter } from './byte-writer.ts';
import { encodeOnce } from './encode-once.ts';
import { capTotalSize, type PageMembers } from './page-members.ts';

/** A page of metric values; over gRPC the token of the next page depends on the number of sent rows. */
export type MetricValuesPage = PageMembers & {
  readonly metric: Metric;
  readonly values: MetricValues;
  readonly appliedFilters: AppliedFilters;
};

/**
 * The JSON of a page of metric values, assembled from fragments: what is the same for all values of the metric, and
 * the feature of many values, are encoded once. Integers beyond 2^53 keep all their digits.
 */
export async function encodeMetricValuesPage(page: MetricValuesPage): Promise<Buffer> {
  const { metric, values, totalSize, costRows, nextPageToken, version } = page;
  const { size, features, relatedFeatures, period, measures, dimensions, flags } = values;
  const fragments = fragmentsOf(metric);
  const hasRelated = relatedFeatures !== undefined;
  const hasFlags = flags.length > 0;
  const lastPlace = measures.length - 1;
  // The bytes from the last number of a value to the first one of the next value are one piece.
  const beforeFeature = hasFlags ? '' : fragments.afterLast;
  const afterFeature = hasRelated ? '' : fragments.next;
  const featureOf = encodeOnce((feature: Feature) =>
    Buffer.from(`${beforeFeature}${fragments.feature}${encodeFeature(feature)}${afterFeature}`),
  );
  const relatedOf = encodeOnce((feature: Feature) =>
    Buffer.from(`,"relatedMapFeature":${encodeFeature(feature)}${fragments.next}`),
  );
  const [first] = features;
  const featureBytes = first === undefined ? 0 : featureOf(first).length;
  const out = openByteWriter(REST_BYTES + size * (fragments.bytes + featureBytes));
  out.text(`{"valuesList":[${size === 0 ? '' : fragments.start}`);
  const ticks = openTicks();
  for (let index = 0; index < size; index += 1) {
    if (index % 8 === 7 && ticks.isOver()) await ticks.next();
    writeMeasure(out, measures[0], index);
    out.bytes(fragments.periodOf(String(period.start[index]), String(period.end[index])));
    if (dimensions.length > 0) {
      out.text(dimensions.map((one) => JSON.stringify(dimensionAt(one, index))).join(','));
      out.bytes(fragments.afterDimensions);
    }
    for (let place = 1; place < measures.length; place += 1) {
      writeMeasure(out, measures[place], index);
      if (hasFlags || place < lastPlace) out.bytes(expectAt(fragments.afterMeasures, place));
    }
    if (hasFlags) out.text(JSON.stringify(flagsAt(flags, index)));
    out.bytes(featureOf(expectAt(features, index)));
    if (hasRelated) out.bytes(relatedOf(expectAt(relatedFeatures, index)));
  }
  // There is no next value.
  if (size > 0) out.cut(out.size() - Buffer.byteLength(fragments.next) + END.length);
  const cost = costRows === undefined ? '' : `,"costRows":${costRows}`;
  const filters = JSON.stringify(toAppliedFilters(page.appliedFilters));
  out.text(
    `],"appliedFilters":${filters},"totalSize":${capTotalSize(totalSize)},"nextPageToken":${JSON.stringify(nextPageToken(values.size))},"version":${JSON.stringify(version)}${cost}}`,
  );
  return out.end();
}

/** The end of a value. */
const END = '}';
/** About the size of all that is not in a value, and of a number. */
const REST_BYTES = 2048;
const NUMBER_BYTES = 20;

function writeMeasure(out: ByteWriter, values: Column | undefined, index: number): void {
  const value = values?.[index] ?? null;
  if (typeof value === 'number') out.number(value);
  else if (typeof value === 'string') out.text(JSON.stringify(value));
  else out.ascii(String(value));
}

/** The bytes of a value that are the same for all values of the metric, from one number to the next. */
type MetricFragments = {
  /** From the start of a value to its first number. */
  readonly start: string;
  /** After the first number, with the days of the period. */
  readonly periodOf: (startDay: string, endDay: string) => Buffer;
  readonly afterDimensions: Buffer;
  /** After each supporting number, by the place of its measure. */
  readonly afterMeasures: readonly Buffer[];
  /** The last of these. */
  readonly afterLast: string;
  /** Before the feature. */
  readonly feature: string;
  /** From the end of a value to the first number of the next one. */
  readonly next: string;
  /** About the size of a value without its feature. */
  readonly bytes: number;
};

const fragmentsOf = memoize(
  ({ metricId, measures, dimensions, flags }: Metric): MetricFragments => {
    const [main, ...supporting] = measures.map(measureFragment);
    const start = `{"metricId":${JSON.stringify(metricId)},"value":${main?.start ?? ''}`;
    const beforeFlags = flags.length > 0 ? '],"flagsList":' : '';
    const feature = flags.length > 0 ? '' : '],"flagsList":[]';
    const afterDimensions = `],"supportingValuesList":[${supporting[0]?.start ?? beforeFlags}`;
    const afterMeasures = supporting.map(({ end }, index) => {
      const next = supporting[index + 1];
      return `${end}${next === undefined ? beforeFlags : `,${next.start}`}`;
    });
    const afterPeriod = `},"dimensionsList":[${dimensions.length > 0 ? '' : afterDimensions}`;
    const encodePeriod = (startDay: string, endDay: string): Buffer =>
      Buffer.from(
        `${main?.end ?? ''},"observationPeriod":{"start":${encodeDay(startDay)},"end":${encodeDay(endDay)}${afterPeriod}`,
      );
    const sample = [encodePeriod(SOME_DAY, SOME_DAY), start, ...afterMeasures];
    return {
      start,
      periodOf: memoizePeriods(encodePeriod),
      afterDimensions: Buffer.from(afterDimensions),
      afterMeasures: ['', ...afterMeasures].map((text) => Buffer.from(text)),
      afterLast: afterMeasures.at(-1) ?? '',
      feature: `${feature},"mapFeatureV2":`,
      next: `${END},${start}`,
      bytes: sample.reduce((sum, { length }) => sum + length + NUMBER_BYTES, 0),
    };
  },
);

function encodeDay(day: string): string {
  return JSON.stringify(dateParts(day));
}

const SOME_DAY = '2000-12-31';

/** Keeps the bytes of periods. Most that start on a day end on the same one, which needs one lookup. */
function memoizePeriods(
  encode: (startDay: string, endDay: string) => Buffer,
): MetricFragments['periodOf'] {
  const ofStart = memoize(
    (startDay: string): KeptPeriods => ({
      endDay: undefined,
      bytes: NO_BYTES,
      of: memoize((endDay: string) => encode(startDay, endDay), KEPT_ENDS_MAX),
    }),
    KEPT_DAYS_MAX,
  );
  return (startDay, endDay) => {
    const kept = ofStart(startDay);
    if (kept.endDay !== endDay) {
      kept.bytes = kept.of(endDay);
      kept.endDay = endDay;
    }
    return kept.bytes;
  };
}

/** The periods that start on a day, and the one that was asked for last. */
type KeptPeriods = {
  endDay: string | undefined;
  bytes: Buffer;
  readonly of: (endDay: string) => Buffer;
};

const NO_BYTES = Buffer.alloc(0);
const KEPT_DAYS_MAX = 10_000;
const KEPT_ENDS_MAX = 10;

/** A measure has all members: the one of its kind has the value, the others are empty. */
function measureFragment({ name, unit, kind }: Measure) {
  const start = `{"name":${JSON.stringify(name)},"unit":${JSON.stringify(unit)},`;
  const members = (['number', 'count', 'category'] as const).map((member) =>
    member === kind ? undefined : `"${member}":${NOTHING[member]}`,
  );
  const place = members.indexOf(undefined);
  const before = members.slice(0, place).map((member) => `${member},`);
  const after = members.slice(place + 1).map((member) => `,${member}`);
  return { start: `${start}${before.join('')}"${kind}":`, end: `${after.join('')}}` };
}

const NOTHING: Readonly<Record<ValueKind, string>> = { number: '0', count: '0', category: '""' };

/** The JSON of a feature. */
export function encodeFeature(feature: Feature): string {
  const point = pointGeometry(feature);
  return JSON.stringify({
    layerId: feature.layerId,
    featureId: feature.featureId,
    name: feature.name,
    geo: point,
    addressComponentsList: feature.addressComponents,
    point,
    polygon: feature.polygon ?? '',
    cameIntoExistence: feature.cameIntoExistence,
    ceasedToExist: feature.ceasedToExist,
  });
}

export function toAppliedFilters(filters: AppliedFilters) {
  return {
    periodFiltersList: filters.periods.map(({ start, end }) => ({
      start: start === undefined ? undefined : dateParts(start),
      end: end === undefined ? undefined : dateParts(end),
    })),
    dimensionFiltersList: filters.dimensions.map(({ dimensionId, values }) => ({
      dimensionId,
      valuesList: values,
    })),
    addressComponentFiltersList: filters.addressComponents.map(toComponentFilter),
    featureFiltersList: filters.features,
    relatedFeatureFiltersList: filters.relatedFeatures,
    valueFiltersList: filters.values,
    relatedAddressComponentFiltersList: filters.relatedAddressComponents.map(toComponentFilter),
  };
}

function toComponentFilter({ component, values }: AddressComponentFilter) {
  return { component, valuesList: values };
}
