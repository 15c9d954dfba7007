import type { Metric } from '@locmetrics/client';
import type { Comparison } from '../../data/metric-view.ts';
import { CHANGE_UNIT, type ChartData, type Point, type PointValue } from './chart-data.ts';
import { isShort, yearBefore } from './fill-periods.ts';

type Cadence = Metric['spec']['cadence'];

/** More years than this cannot be distinguished in one chart. */
export const MAX_YEARS = 12;

/** The lightest line is still seen on its background. */
const [STRONGEST, LIGHTEST] = [0.85, 0.25];

/**
 * Whether values can be compared so: without a cadence there are only bars, and years over each other need several
 * periods in each year.
 */
export function canCompare(compare: Comparison, cadence: Cadence): boolean {
  if (compare === 'bars') return true;
  if (cadence === 'UNSPECIFIED') return false;
  const isWithinYears = compare === 'years' || compare === 'totals' || compare === 'period';
  return !isWithinYears || cadence !== 'YEARLY';
}

/** The period that a change is measured against, in words. */
export function changeWords(cadence: Cadence): string {
  if (isShort(cadence)) return 'Change from 52 weeks earlier, on the same weekday';
  if (cadence === 'YEARLY') return 'Change from the previous year';
  if (cadence === 'MONTHLY') return 'Change from the same month a year earlier';
  if (cadence === 'QUARTERLY') return 'Change from the same quarter a year earlier';
  return 'Change from the same period a year earlier';
}

/** The years of the first series as lines over the parts of the year, the newest first. */
export function toYearChart(chart: ChartData, placeId: string, cadence: Cadence): ChartData {
  const series = chart.series.find((one) => one.placeId === placeId) ?? chart.series[0];
  if (series === undefined) return chart;
  const parts = new Map<string, Point>();
  const years = new Map<string, Map<string, PointValue>>();
  for (const [index, { key }] of chart.points.entries()) {
    const year = key.slice(0, 4);
    const part = partOfYear(key, cadence);
    parts.set(part.key, part);
    const values = years.get(year) ?? new Map<string, PointValue>();
    years.set(year, values.set(part.key, series.values[index]));
  }
  const points = [...parts.values()].toSorted((one, other) => one.time - other.time);
  const withValues = [...years]
    .filter(([, values]) => values.values().some((value) => typeof value === 'number'))
    .toReversed();
  const shown = withValues.slice(0, MAX_YEARS);
  return {
    ...chart,
    points,
    series: shown.map(([year, values], age) => ({
      id: year,
      placeId: series.placeId,
      name: year,
      title: series.name,
      tone: age === 0 ? series.tone : { kind: 'past', strength: toStrength(age, shown.length) },
      values: points.map(({ key }) => values.get(key)),
    })),
    isByYear: true,
    hiddenSeries: withValues.length - shown.length,
  };
}

function toStrength(age: number, years: number): number {
  return STRONGEST - ((STRONGEST - LIGHTEST) * (age - 1)) / Math.max(1, years - 2);
}

/** 2000 is a leap year, so each day of every year has a place in it. */
const YEAR_OF_PARTS = 2000;
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
const MONTH_DAY = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const DAY_MS = 24 * 3600 * 1000;

function partOfYear(day: string, cadence: Cadence): Point {
  const monthDay = day.slice(5);
  const time = Date.parse(`${YEAR_OF_PARTS}-${monthDay}`);
  const toPoint = (key: string, label: string, at = time): Point => ({
    key,
    last: key,
    time: at / 1000,
    label,
  });
  if (cadence.startsWith('WEEKLY')) {
    const start = Date.parse(`${day.slice(0, 4)}-01-01`);
    const week = Math.floor((Date.parse(day) - start) / DAY_MS / 7) + 1;
    const at = Date.parse(`${YEAR_OF_PARTS}-01-01`) + (week - 1) * 7 * DAY_MS;
    return toPoint(`W${String(week).padStart(2, '0')}`, `Week ${week}`, at);
  }
  if (cadence === 'MONTHLY') return toPoint(monthDay.slice(0, 2), MONTH.format(time));
  if (cadence === 'QUARTERLY') {
    const quarter = `Q${Math.ceil(Number(monthDay.slice(0, 2)) / 3)}`;
    return toPoint(quarter, quarter);
  }
  return toPoint(monthDay, MONTH_DAY.format(time));
}

/**
 * The values as changes against a year before, in percent. `from` is the first day that is shown: the values before it
 * are only compared with. There is no change from an absent value, from 0 or from a negative value.
 */
export function toChangeChart(
  chart: ChartData,
  { spec }: Pick<Metric, 'spec'>,
  from: string | undefined,
): ChartData {
  const indexes = new Map(chart.points.map(({ key }, index) => [key, index]));
  const series = chart.series.map((one) => ({
    ...one,
    withheld: undefined,
    values: chart.points.map(({ key }, index) => {
      const base = indexes.get(yearBefore(key, spec));
      return base === undefined ? null : toChange(one.values[base], one.values[index]);
    }),
  }));
  const isShown = (key: string, index: number): boolean =>
    from === undefined
      ? series.some(({ values }) => typeof values[index] === 'number')
      : key >= from;
  const first = chart.points.findIndex(({ key }, index) => isShown(key, index));
  const start = first === -1 ? chart.points.length : first;
  return {
    ...chart,
    points: chart.points.slice(start),
    series: series.map((one) => ({ ...one, values: one.values.slice(start) })),
    unit: CHANGE_UNIT,
  };
}

function toChange(before: PointValue, now: PointValue): PointValue {
  if (typeof before !== 'number' || typeof now !== 'number' || before <= 0) return null;
  return ((now - before) / before) * 100;
}
