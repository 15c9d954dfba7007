import { dateParts } from '../domain/calendar-date.ts';
import { expectAt } from '../domain/expect-at.ts';
import { type Feature, pointGeometry } from '../domain/feature.ts';
import { keepSome } from '../domain/keep-some.ts';
import type { AddressComponentFilter, Measure, Metric, ValueKind } from '../domain/metric.ts';
import {
  type AppliedFilters,
  dimensionAt,
  flagsAt,
  type MetricValues,
} from '../domain/metric-value.ts';
import { remember } from '../domain/remember.ts';
import { openTurns } from '../domain/turns.ts';
import type { Column } from '../domain/value.ts';
import { type ByteWriter, openByteWriter } from './byte-writer.ts';
import { encodeOnce } from './encode-once.ts';
import { capTotalSize } from './total-size.ts';

/**
 * The JSON of a page of metric values, assembled from fragments: what is the same for all values of the metric, and
 * the feature of many values, are encoded once. Integers beyond 2^53 keep all their digits.
 */
export async function encodeMetricValuesPage(page: {
  readonly metric: Metric;
  readonly values: MetricValues;
  readonly appliedFilters: AppliedFilters;
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: string;
  readonly version: string;
}): Promise<Buffer> {
  const { values, totalSize, costRows, nextPageToken, version } = page;
  const { size, features, relatedFeatures } = values;
  const fragments = fragmentsOf(page.metric);
  const featureOf = encodeOnce((feature: Feature) => Buffer.from(encodeFeature(feature)));
  const parts = partsOf(values, fragments);
  const [first] = features;
  const featureBytes = first === undefined ? 0 : featureOf(first).length;
  const sameBytes = parts.reduce((sum, { before }) => sum + before.length + PART_BYTES, 0);
  const out = openByteWriter(REST_BYTES + size * (sameBytes + featureBytes));
  out.text('{"valuesList":[');
  const turns = openTurns();
  for (let index = 0; index < size; index += 1) {
    if (turns.isOver()) await turns.next();
    if (index > 0) out.bytes(COMMA);
    for (const { before, write } of parts) {
      out.bytes(before);
      write(out, index);
    }
    out.bytes(FEATURE);
    out.bytes(featureOf(expectAt(features, index)));
    if (relatedFeatures !== undefined) {
      out.bytes(RELATED_FEATURE);
      out.bytes(featureOf(expectAt(relatedFeatures, index)));
    }
    out.bytes(END);
  }
  const cost = costRows === undefined ? '' : `,"costRows":${costRows}`;
  const filters = JSON.stringify(toAppliedFilters(page.appliedFilters));
  out.text(
    `],"appliedFilters":${filters},"totalSize":${capTotalSize(totalSize)},"nextPageToken":${JSON.stringify(nextPageToken)},"version":${JSON.stringify(version)}${cost}}`,
  );
  return out.end();
}

/** About the size of what differs between values, such as a day, and of all that is not in a value. */
const PART_BYTES = 24;
const REST_BYTES = 2048;

const COMMA = Buffer.from(',');
const END = Buffer.from('}');
const FEATURE = Buffer.from(',"mapFeatureV2":');
const RELATED_FEATURE = Buffer.from(',"relatedMapFeature":');

/** A part of a value: bytes that are the same for all values, then what differs. */
type Part = { readonly before: Buffer; readonly write: Write };
type Write = (out: ByteWriter, index: number) => void;

/** The parts of a value, from its begin to its feature. */
function partsOf(values: MetricValues, fragments: MetricFragments): readonly Part[] {
  const { period, measures, dimensions, flags } = values;
  const parts: Part[] = [];
  let before = '';
  const add = (write: Write): void => {
    parts.push({ before: fragments.bytesOf(before), write });
    before = '';
  };
  const addMeasure = (place: number): void => {
    const fragment = fragments.measures[place];
    before += fragment?.start ?? '';
    add(measureWriter(measures[place] ?? []));
    before += fragment?.end ?? '';
  };
  before = fragments.start;
  addMeasure(0);
  before += ',"observationPeriod":{"start":';
  add((out, index) => out.bytes(encodedDay(String(period.start[index]))));
  before += ',"end":';
  add((out, index) => out.bytes(encodedDay(String(period.end[index]))));
  before += '},"dimensionsList":[';
  if (dimensions.length > 0) {
    add((out, index) => {
      const all = dimensions.map((dimension) => JSON.stringify(dimensionAt(dimension, index)));
      out.text(all.join(','));
    });
  }
  before += '],"supportingValuesList":[';
  for (let place = 1; place < measures.length; place += 1) {
    if (place > 1) before += ',';
    addMeasure(place);
  }
  before += '],"flagsList":';
  if (flags.length > 0) add((out, index) => out.text(JSON.stringify(flagsAt(flags, index))));
  else before += '[]';
  return before === '' ? parts : [...parts, { before: fragments.bytesOf(before), write: ignore }];
}

function ignore(): void {}

function measureWriter(values: Column): Write {
  return (out, index) => {
    const value = values[index] ?? null;
    if (typeof value === 'number' && (value | 0) === value) out.integer(value);
    else if (typeof value === 'string') out.text(JSON.stringify(value));
    else out.ascii(String(value));
  };
}

type MetricFragments = {
  readonly start: string;
  readonly measures: readonly { readonly start: string; readonly end: string }[];
  /** The bytes of a text, made once for the metric. */
  readonly bytesOf: (text: string) => Buffer;
};

/** The encoded parts that are the same for all values of a metric. */
const fragmentsOf = remember(
  (metric: Metric): MetricFragments => ({
    start: `{"metricId":${JSON.stringify(metric.metricId)},"value":`,
    measures: metric.measures.map(measureFragment),
    bytesOf: encodeOnce((text: string) => Buffer.from(text)),
  }),
);

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

function encodeFeature(feature: Feature): string {
  const point = pointGeometry(feature);
  return JSON.stringify({
    layerId: feature.layerId,
    featureId: feature.featureId,
    name: feature.name,
    geo: point,
    addressComponentsList: feature.addressComponents,
    point,
    polygon: '',
    cameIntoExistence: feature.cameIntoExistence,
    ceasedToExist: feature.ceasedToExist,
  });
}

function toAppliedFilters(filters: AppliedFilters) {
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

const KEPT_DAYS_MAX = 10_000;
const encodedDay = keepSome(
  (day: string) => Buffer.from(JSON.stringify(dateParts(day))),
  KEPT_DAYS_MAX,
);
