import { dateParts } from '@locmetrics/core/dates/calendar-date';
import { type Feature, pointGeometry } from '@locmetrics/core/domain/feature';
import { dimensionAt, flagsAt } from '@locmetrics/core/domain/metric-value';
import type { MetricValuesAnswer } from './metric-values-answer.ts';

/** The JSON of an answer by the library: every value is an object first. */
export function plainJson(answer: MetricValuesAnswer): string {
  const { metric, values, appliedFilters, totalSize, costRows, nextPageToken, version } = answer;
  const measure = (place: number, index: number) => {
    const { name = '', unit = '', kind = 'number' } = metric.measures[place] ?? {};
    const value = values.measures[place]?.[index] ?? null;
    const raw = JSON as unknown as { rawJSON: (text: string) => unknown };
    const exact = typeof value === 'bigint' ? raw.rawJSON(String(value)) : value;
    return { name, unit, ...{ number: 0, count: 0, category: '' }, [kind]: exact };
  };
  const feature = (shown: Feature) => ({
    layerId: shown.layerId,
    featureId: shown.featureId,
    name: shown.name,
    geo: pointGeometry(shown),
    addressComponentsList: shown.addressComponents,
    point: pointGeometry(shown),
    polygon: '',
    cameIntoExistence: shown.cameIntoExistence,
    ceasedToExist: shown.ceasedToExist,
  });
  return JSON.stringify({
    valuesList: values.features.map((one, index) => ({
      metricId: metric.metricId,
      value: measure(0, index),
      observationPeriod: {
        start: dateParts(String(values.period.start[index])),
        end: dateParts(String(values.period.end[index])),
      },
      dimensionsList: values.dimensions.map((dimension) => dimensionAt(dimension, index)),
      supportingValuesList: values.measures.slice(1).map((_, place) => measure(place + 1, index)),
      flagsList: flagsAt(values.flags, index),
      mapFeatureV2: feature(one),
      ...(values.relatedFeatures?.[index] && {
        relatedMapFeature: feature(values.relatedFeatures[index]),
      }),
    })),
    appliedFilters: {
      periodFiltersList: appliedFilters.periods.map(({ start, end }) => ({
        ...(start === undefined ? {} : { start: dateParts(start) }),
        ...(end === undefined ? {} : { end: dateParts(end) }),
      })),
      dimensionFiltersList: appliedFilters.dimensions.map(withList),
      addressComponentFiltersList: appliedFilters.addressComponents.map(withList),
      featureFiltersList: appliedFilters.features,
      relatedFeatureFiltersList: appliedFilters.relatedFeatures,
      valueFiltersList: appliedFilters.values,
      relatedAddressComponentFiltersList: appliedFilters.relatedAddressComponents.map(withList),
    },
    totalSize: Math.min(totalSize, 2 ** 31 - 1),
    nextPageToken,
    version,
    ...(costRows === undefined ? {} : { costRows }),
  });
}

function withList<Filter extends { readonly values: readonly string[] }>({
  values,
  ...filter
}: Filter) {
  return { ...filter, valuesList: values };
}
