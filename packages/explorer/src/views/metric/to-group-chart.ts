import type { Metric, MetricAggregatesRow, Period, ValueSpec } from '@locmetrics/client';
import { formatPeriod, periodWord, toDay } from '../../format/periods.ts';
import type { ChartData } from './chart-data.ts';
import { fillPeriods, periodKey } from './fill-periods.ts';
import type { Place } from './to-time-chart.ts';

/** The values of groups over time: a series for each group, from an answer grouped by it and by period. */
export function toGroupChart({
  rows,
  groups,
  metric: { spec },
  measure,
}: {
  readonly rows: readonly MetricAggregatesRow[];
  /** In the order of their colours. */
  readonly groups: readonly Place[];
  readonly metric: Metric;
  readonly measure: ValueSpec;
}): ChartData {
  const found = new Map<string, Period>();
  const values = new Map<string, number | null>();
  for (const { groupsList, period, valuesList } of rows) {
    if (period === undefined) continue;
    const key = periodKey(period);
    found.set(key, period);
    const [value] = valuesList;
    values.set(`${groupsList[0]?.value}\n${key}`, value?.count ?? value?.number ?? null);
  }
  const periods = fillPeriods([...found.values()], spec);
  return {
    points: periods.map((period) => ({
      key: toDay(period.start),
      last: toDay(period.end),
      time: Date.parse(toDay(period.start)) / 1000,
      label: formatPeriod(period, spec.cadence),
    })),
    series: groups.map(({ id, name }, index) => ({
      id,
      placeId: id,
      name,
      title: id,
      tone: { kind: 'series', index },
      values: periods.map((period) => values.get(`${id}\n${periodKey(period)}`) ?? null),
    })),
    unit: measure.unit,
    pointWord: periodWord(spec.cadence),
    isByYear: false,
    isJoined: spec.cadence !== 'UNSPECIFIED',
    hiddenSeries: 0,
  };
}
