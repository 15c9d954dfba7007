import { dateParts } from '../domain/calendar-date.ts';
import { type Feature, pointGeometry } from '../domain/feature.ts';
import { keepSome } from '../domain/keep-some.ts';
import type { AddressComponentFilter, Measure, Metric, ValueKind } from '../domain/metric.ts';
import type { AppliedFilters, MetricValue } from '../domain/metric-value.ts';
import { remember } from '../domain/remember.ts';
import { openTurns } from '../domain/turns.ts';
import type { Value } from '../domain/value.ts';
import { openByteWriter } from './byte-writer.ts';
import { encodeOnce } from './encode-once.ts';
import { capTotalSize } from './total-size.ts';

/**
 * The JSON of a page of metric values, assembled from fragments: the fragment of a feature is reused for all
 * of its values, and integers beyond 2^53 keep all their digits.
 */
export async function encodeMetricValuesPage(page: {
  readonly metric: Metric;
  readonly values: readonly MetricValue[];
  readonly appliedFilters: AppliedFilters;
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: string;
  readonly version: string;
}): Promise<Buffer> {
  const { metric, values, totalSize, costRows, nextPageToken, version } = page;
  const { start, main, supporting } = encodersOf(metric);
  const featureOf = encodeOnce((feature: Feature) => Buffer.from(encodeFeature(feature)));
  const [first] = values;
  const valueBytes = first === undefined ? 0 : featureOf(first.feature).length + VALUE_BYTES;
  const out = openByteWriter(REST_BYTES + values.length * valueBytes);
  let text = '{"valuesList":[';
  let isFirst = true;
  const turns = openTurns();
  for (const { feature, relatedFeature, period, measures, dimensions, flags } of values) {
    if (turns.isOver()) await turns.next();
    text += isFirst ? start : `,${start}`;
    isFirst = false;
    text += main?.(measures[0] ?? null);
    text += `,"observationPeriod":{"start":${encodeDay(period.start)},"end":${encodeDay(period.end)}}`;
    text += `,"dimensionsList":${dimensions.length === 0 ? '[]' : JSON.stringify(dimensions)}`;
    text += ',"supportingValuesList":[';
    for (const [index, encode] of supporting.entries()) {
      text += index === 0 ? '' : ',';
      text += encode(measures[index + 1] ?? null);
    }
    text += `],"flagsList":${flags.length === 0 ? '[]' : JSON.stringify(flags)},"mapFeatureV2":`;
    out.text(text);
    out.bytes(featureOf(feature));
    if (relatedFeature !== undefined) {
      out.text(',"relatedMapFeature":');
      out.bytes(featureOf(relatedFeature));
    }
    text = '}';
  }
  const cost = costRows === undefined ? '' : `,"costRows":${costRows}`;
  const filters = JSON.stringify(toAppliedFilters(page.appliedFilters));
  out.text(
    `${text}],"appliedFilters":${filters},"totalSize":${capTotalSize(totalSize)},"nextPageToken":${JSON.stringify(nextPageToken)},"version":${JSON.stringify(version)}${cost}}`,
  );
  return out.end();
}

/** About the size of a value without its feature, and of all that is not in a value. */
const VALUE_BYTES = 600;
const REST_BYTES = 2048;

/** The encoded parts that are the same for all values of a metric. */
const encodersOf = remember((metric: Metric) => {
  const [main, ...supporting] = metric.measures.map(measureEncoder);
  return { start: `{"metricId":${JSON.stringify(metric.metricId)},"value":`, main, supporting };
});

/** A measure has all members: the one of its kind has the value, the others are empty. */
function measureEncoder({ name, unit, kind }: Measure): (value: Value) => string {
  const start = `{"name":${JSON.stringify(name)},"unit":${JSON.stringify(unit)},`;
  const members = (['number', 'count', 'category'] as const).map((member) =>
    member === kind ? undefined : `"${member}":${NOTHING[member]}`,
  );
  const place = members.indexOf(undefined);
  const before = members.slice(0, place).map((member) => `${member},`);
  const after = members.slice(place + 1).map((member) => `,${member}`);
  const [head, tail] = [`${start}${before.join('')}"${kind}":`, `${after.join('')}}`];
  const encode = (value: Value): string =>
    typeof value === 'string' ? JSON.stringify(value) : String(value);
  return (value) => head + encode(value) + tail;
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
const encodeDay = keepSome((day: string) => JSON.stringify(dateParts(day)), KEPT_DAYS_MAX);
