import type { Metric } from '@locmetrics/client';
import { toDay } from '../../format/periods.ts';
import type { ChartData, Point, PointValue } from './chart-data.ts';
import { addDays, addMonths, fromDay, isShort } from './fill-periods.ts';
import type { Stretch } from './spans.ts';

type Cadence = Metric['spec']['cadence'];

/** Whether values of several periods are added up; otherwise their mean is taken. */
type Fold = { readonly isSum: boolean };

/**
 * A point for each year: the total of its values, or their mean. A total in which a value is absent is absent too; a
 * year that has only some of its periods says so.
 */
export function toTotalsChart(chart: ChartData, { isSum }: Fold): ChartData {
  const years = Map.groupBy(
    chart.points.keys(),
    (index) => chart.points[index]?.key.slice(0, 4) ?? '',
  );
  const most = Math.max(...[...years.values()].map(({ length }) => length));
  const word = chart.pointWord.toLowerCase();
  return {
    ...chart,
    points: [...years].map(([year, indexes]) => {
      // Years have 365 or 366 days, and 52 or 53 weeks.
      const isWhole = indexes.length >= most - 1;
      return {
        key: `${year}-01-01`,
        last: `${year}-12-31`,
        time: Date.parse(`${year}-01-01`) / 1000,
        label: most < 3 || isWhole ? year : `${year}, only ${indexes.length} of its ${word}s`,
      };
    }),
    series: chart.series.map((series) => ({
      ...series,
      withheld: undefined,
      values: [...years.values()].map((indexes) =>
        fold(
          indexes.map((index) => series.values[index]),
          { isSum },
        ),
      ),
    })),
    pointWord: 'Year',
  };
}

function fold(values: readonly PointValue[], { isSum }: Fold): number | null {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0 || (isSum && numbers.length < values.length)) return null;
  const sum = numbers.reduce((total, value) => total + value, 0);
  return isSum ? sum : sum / numbers.length;
}

/** How many periods a moving average has: a week of days, a year of months or quarters. */
export function averageWindow(cadence: Cadence): number {
  if (cadence === 'DAILY' || cadence === 'HOURLY') return 7;
  if (cadence === 'MONTHLY') return 12;
  return cadence === 'YEARLY' ? 5 : 4;
}

/** The mean of each period and those before it; a gap where one of them is absent. */
export function toAverageChart(chart: ChartData, cadence: Cadence): ChartData {
  const length = averageWindow(cadence);
  return {
    ...chart,
    series: chart.series.map((series) => ({
      ...series,
      values: series.values.map((_, index) => {
        const window = series.values.slice(Math.max(0, index - length + 1), index + 1);
        const numbers = window.filter((value) => typeof value === 'number');
        return numbers.length < length ? null : fold(numbers, { isSum: false });
      }),
    })),
  };
}

/** The values as percentages of the first one of each series. There is no index to 0 or to a negative value. */
export function toIndexChart(chart: ChartData): ChartData {
  return {
    ...chart,
    series: chart.series.map((series) => {
      const first = series.values.find((value) => typeof value === 'number');
      return {
        ...series,
        values: series.values.map((value) =>
          typeof value !== 'number' || first === undefined || first === null || first <= 0
            ? null
            : (value / first) * 100,
        ),
      };
    }),
    unit: '',
  };
}

/** A point for each year: the values of the same days of it, added up or their mean. */
export function toPeriodChart(
  chart: ChartData,
  { stretch, cadence, isSum }: { readonly stretch: Stretch; readonly cadence: Cadence } & Fold,
): ChartData {
  const first = chart.points[0]?.key ?? stretch.start;
  const last = chart.points.at(-1)?.last ?? stretch.end;
  const years = Number(stretch.start.slice(0, 4)) - Number(first.slice(0, 4));
  const later = Number(last.slice(0, 4)) - Number(stretch.start.slice(0, 4));
  const points: { readonly point: Point; readonly indexes: readonly number[] }[] = [];
  for (let back = years; back >= -later; back -= 1) {
    const { start, end } = yearsBefore(stretch, back, cadence);
    const indexes = [...chart.points.keys()].filter((index) => {
      const point = chart.points[index];
      return point !== undefined && point.key >= start && point.last <= end;
    });
    if (indexes.length === 0) continue;
    const year = start.slice(0, 4);
    const label = stretch.label.replaceAll(stretch.start.slice(0, 4), year);
    points.push({
      point: { key: start, last: end, time: Date.parse(start) / 1000, label },
      indexes,
    });
  }
  return {
    ...chart,
    points: points.map(({ point }) => point),
    series: chart.series.map((series) => ({
      ...series,
      withheld: undefined,
      values: points.map(({ indexes }) =>
        fold(
          indexes.map((index) => series.values[index]),
          { isSum },
        ),
      ),
    })),
    pointWord: 'Year',
  };
}

/** The same days of an earlier year; for a single week, the week 52 weeks before. */
function yearsBefore({ start, end }: Stretch, years: number, cadence: Cadence) {
  if (cadence.startsWith('WEEKLY') && isShort(cadence)) {
    const shift = (day: string): string => toDay(addDays(fromDay(day), -364 * years));
    return { start: shift(start), end: shift(end) };
  }
  const shift = (day: string): string => toDay(addMonths(fromDay(day), -12 * years));
  // The last day of a February differs, so the day after the end is moved.
  const after = shift(toDay(addDays(fromDay(end), 1)));
  return { start: shift(start), end: toDay(addDays(fromDay(after), -1)) };
}
