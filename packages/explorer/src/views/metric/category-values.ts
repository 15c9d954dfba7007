import type { Metric, MetricValue, ValueSpec } from '@locmetrics/client';
import { formatPeriod, periodWord, toDay } from '../../format/periods.ts';
import { nextCategories } from '../map/categories.ts';
import type { ChartData, Tone } from './chart-data.ts';
import { fillPeriods, periodKey } from './fill-periods.ts';

/** A place with the category that it has in a period. */
export type CategoryRow = {
  readonly id: string;
  readonly name: string;
  /** Tells places of equal names apart: the area that they are in. */
  readonly detail: string;
  /** Null: there is none. */
  readonly category: string | null;
};

/** The places of values, by their names; of several values of a place, the most frequent category. */
export function toCategoryRows(
  values: readonly MetricValue[],
  measure: Pick<ValueSpec, 'name'>,
): readonly CategoryRow[] {
  const byPlace = Map.groupBy(values, ({ mapFeatureV2 }) => mapFeatureV2.featureId);
  const rows = [...byPlace].map(([id, of]): CategoryRow => {
    const [most] = rankCategories(of.map((value) => categoryOf(value, measure)));
    const feature = of[0]?.mapFeatureV2;
    const [area] = feature?.addressComponentsList ?? [];
    const name = feature?.name || id;
    const areaName = area?.displayName || area?.value || '';
    return { id, name, detail: areaName === name ? '' : areaName, category: most ?? null };
  });
  return rows.sort(
    (one, other) => NAMES.compare(one.name, other.name) || NAMES.compare(one.detail, other.detail),
  );
}

const NAMES = new Intl.Collator('en-US', { numeric: true });

/** The categories, the most frequent first. */
export function rankCategories(categories: readonly (string | null)[]): readonly string[] {
  const present = categories.filter((category) => category !== null);
  const counts = new Map(
    [...Map.groupBy(present, (one) => one)].map(([one, all]) => [one, all.length]),
  );
  return [...counts]
    .sort(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1))
    .map(([category]) => category);
}

/** The categories that have colours of their own, at their places; the others share one. */
export function colouredCategories(
  values: readonly MetricValue[],
  measure: ValueSpec,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    const category = categoryOf(value, measure);
    if (category !== null) counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return nextCategories([], counts).filter((category) => category !== undefined);
}

export function categoryTone(coloured: readonly string[], category: string | null): Tone {
  const index = category === null ? -1 : coloured.indexOf(category);
  return index === -1 ? { kind: 'past', strength: 1 } : { kind: 'series', index };
}

export const OTHERS = 'Others';

/** The number of values with each category in each period: a series for each category, and one for all others. */
export function toCountsChart({
  values,
  coloured,
  metric: { spec },
  measure,
}: {
  readonly values: readonly MetricValue[];
  readonly coloured: readonly string[];
  readonly metric: Metric;
  readonly measure: ValueSpec;
}): ChartData {
  const found = new Map(
    values.map(({ observationPeriod }) => [periodKey(observationPeriod), observationPeriod]),
  );
  const periods = fillPeriods([...found.values()], spec);
  const counts = new Map<string, number>();
  let hasOthers = false;
  for (const value of values) {
    const category = categoryOf(value, measure);
    if (category === null) continue;
    const name = coloured.includes(category) ? category : OTHERS;
    hasOthers ||= name === OTHERS;
    const key = `${name}\n${periodKey(value.observationPeriod)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const names = hasOthers ? [...coloured, OTHERS] : coloured;
  return {
    points: periods.map((period) => ({
      key: toDay(period.start),
      last: toDay(period.end),
      time: Date.parse(toDay(period.start)) / 1000,
      label: formatPeriod(period, spec.cadence),
    })),
    series: names.map((name) => ({
      id: name,
      placeId: name,
      name,
      title: name,
      tone: categoryTone(coloured, name),
      values: periods.map((period) => counts.get(`${name}\n${periodKey(period)}`) ?? 0),
    })),
    unit: '',
    pointWord: periodWord(spec.cadence),
    isByYear: false,
    isJoined: false,
    hiddenSeries: 0,
  };
}

/** The category of a value; null if it is absent. */
export function categoryOf(
  { value, supportingValuesList }: MetricValue,
  { name }: Pick<ValueSpec, 'name'>,
): string | null {
  return [value, ...supportingValuesList].find((one) => one.name === name)?.category ?? null;
}
