import { dateParts } from '../domain/calendar-date.ts';
import { type Feature, pointGeometry } from '../domain/feature.ts';
import type { AddressComponentFilter, Measure, Metric, ValueKind } from '../domain/metric.ts';
import type { AppliedFilters, MetricValue } from '../domain/metric-value.ts';
import type { Value } from '../domain/value.ts';
import { encodeOnce } from './encode-once.ts';
import { capTotalSize } from './total-size.ts';

/**
 * The JSON of a page of metric values, assembled from fragments: the fragment of a feature is reused for all
 * of its values, and integers beyond 2^53 keep all their digits.
 */
export function encodeMetricValuesPage(page: {
  readonly metric: Metric;
  readonly values: readonly MetricValue[];
  readonly appliedFilters: AppliedFilters;
  readonly totalSize: number;
  readonly costRows?: number;
  readonly nextPageToken: string;
  readonly version: string;
}): Buffer {
  const { metric, values, totalSize, costRows, nextPageToken, version } = page;
  const start = `{"metricId":${JSON.stringify(metric.metricId)},"value":`;
  const [main, ...supporting] = metric.measures.map(measureEncoder);
  const dayOf = encodeOnce(encodeDay);
  const featureOf = encodeOnce(encodeFeature);
  let list = '';
  for (const { feature, relatedFeature, period, measures, dimensions, flags } of values) {
    const supportingValues = supporting.map((encode, index) => encode(measures[index + 1] ?? null));
    list += list === '' ? start : `,${start}`;
    list += main?.(measures[0] ?? null);
    list += `,"observationPeriod":{"start":${dayOf(period.start)},"end":${dayOf(period.end)}}`;
    list += `,"dimensionsList":${dimensions.length === 0 ? '[]' : JSON.stringify(dimensions)}`;
    list += `,"supportingValuesList":[${supportingValues.join(',')}]`;
    list += `,"flagsList":${flags.length === 0 ? '[]' : JSON.stringify(flags)}`;
    list += `,"mapFeatureV2":${featureOf(feature)}`;
    if (relatedFeature !== undefined) list += `,"relatedMapFeature":${featureOf(relatedFeature)}`;
    list += '}';
  }
  const cost = costRows === undefined ? '' : `,"costRows":${costRows}`;
  const filters = JSON.stringify(toAppliedFilters(page.appliedFilters));
  return Buffer.from(
    `{"valuesList":[${list}],"appliedFilters":${filters},"totalSize":${capTotalSize(totalSize)},"nextPageToken":${JSON.stringify(nextPageToken)},"version":${JSON.stringify(version)}${cost}}`,
  );
}

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

function encodeDay(day: string): string {
  return JSON.stringify(dateParts(day));
}
