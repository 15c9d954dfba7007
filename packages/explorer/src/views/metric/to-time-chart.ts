import type { MapFeature, Measure, Metric, MetricValue, ValueSpec } from '@locmetrics/client';
import { MAX_PLACES } from '../../data/metric-view.ts';
import { isWithheld } from '../../data/withheld-queries.ts';
import { formatPeriod, periodWord, toDay } from '../../format/periods.ts';
import type { ChartData, PointValue, Series } from './chart-data.ts';
import { fillPeriods, periodKey } from './fill-periods.ts';

export type Place = { readonly id: string; readonly name: string };

/** Places by their ids. One without a name, or one that the service does not know, has its id. */
export function toPlaces(ids: readonly string[], found: readonly MapFeature[]): readonly Place[] {
  return ids.map((id) => ({
    id,
    name: found.find(({ featureId }) => featureId === id)?.name || id,
  }));
}

/** The values over time: a series for each place, or for each of its dimensions and related places. */
export function toTimeChart({
  values,
  places,
  metric,
  measure,
}: {
  readonly values: readonly MetricValue[];
  /** In the order of their colours. */
  readonly places: readonly Place[];
  readonly metric: Metric;
  readonly measure: ValueSpec;
}): ChartData {
  const { spec } = metric;
  const periods = fillPeriods(distinctPeriods(values), spec);
  const byPlace = Map.groupBy(values, ({ mapFeatureV2 }) => mapFeatureV2.featureId);
  const telling = tellingDimensions(values);
  const all = places.flatMap((place) =>
    placeSeries({ place, values: byPlace.get(place.id) ?? [], telling }),
  );
  const keys = periods.map(periodKey);
  return {
    points: periods.map((period) => ({
      key: toDay(period.start),
      last: toDay(period.end),
      time: Date.parse(toDay(period.start)) / 1000,
      label: formatPeriod(period, spec.cadence),
    })),
    series: all.slice(0, MAX_PLACES).map(({ values: of, ...series }, index): Series => {
      const byKey = new Map(
        of.map((value) => [periodKey(value.observationPeriod), readMeasure(value, measure)]),
      );
      const withheld = new Set(
        of
          .filter((value) => isWithheld(value, measure))
          .map((value) => keys.indexOf(periodKey(value.observationPeriod))),
      );
      return {
        ...series,
        tone: { kind: 'series', index },
        values: keys.map((key) => byKey.get(key) ?? null),
        ...(withheld.size === 0 ? {} : { withheld }),
      };
    }),
    unit: measure.unit,
    pointWord: periodWord(spec.cadence),
    isByYear: false,
    isJoined: spec.cadence !== 'UNSPECIFIED',
    hiddenSeries: Math.max(0, all.length - MAX_PLACES),
  };
}

type ValuesOfSeries = Omit<Series, 'tone' | 'values'> & { readonly values: readonly MetricValue[] };

/** A place without values has an empty series, so that it keeps its colour and is seen to have none. */
function placeSeries({
  place: { id, name },
  values,
  telling,
}: {
  readonly place: Place;
  readonly values: readonly MetricValue[];
  readonly telling: ReadonlySet<string>;
}): ValuesOfSeries[] {
  if (values.length === 0) return [{ id, placeId: id, name, title: id, values }];
  return [...Map.groupBy(values, seriesKey)].map(([key, of]) => ({
    id: key,
    placeId: id,
    name: [name, ...(of[0] === undefined ? [] : partNames(of[0], telling))].join(' · '),
    title: id,
    values: of,
  }));
}

/** The dimensions of which there is more than one value: only these tell series apart. */
function tellingDimensions(values: readonly MetricValue[]): ReadonlySet<string> {
  const all = values.flatMap(({ dimensionsList }) => dimensionsList);
  const ids = Map.groupBy(all, ({ dimensionId }) => dimensionId);
  return new Set(
    [...ids]
      .filter(([, of]) => new Set(of.map(({ value }) => value)).size > 1)
      .map(([dimensionId]) => dimensionId),
  );
}

function seriesKey({ mapFeatureV2, relatedMapFeature, dimensionsList }: MetricValue): string {
  const dimensions = dimensionsList.map(({ value }) => value);
  return JSON.stringify([mapFeatureV2.featureId, relatedMapFeature?.featureId, ...dimensions]);
}

/** The related place and the values of the dimensions that tell, for people. */
function partNames(
  { relatedMapFeature: related, dimensionsList }: MetricValue,
  telling: ReadonlySet<string>,
): string[] {
  return [
    ...(related === undefined ? [] : [related.name || related.featureId]),
    ...dimensionsList
      .filter(({ dimensionId }) => telling.has(dimensionId))
      .map(({ value, displayName }) => displayName || value),
  ];
}

function distinctPeriods(values: readonly MetricValue[]) {
  const periods = new Map(
    values.map(({ observationPeriod }) => [periodKey(observationPeriod), observationPeriod]),
  );
  return [...periods.values()];
}

function readMeasure(value: MetricValue, { name, valueKind }: ValueSpec): PointValue {
  const measures: readonly Measure[] = [value.value, ...value.supportingValuesList];
  const measure = measures.find((one) => one.name === name);
  return valueKind === 'NUMBER' ? measure?.number : measure?.count;
}
