import type { Metric } from '@locmetrics/client';
import type { MetricView } from '../../data/metric-view.ts';
import { formatCount } from '../../format/numbers.ts';
import { periodsOf, periodWord } from '../../format/periods.ts';
import type { ChartData } from './chart-data.ts';
import {
  averageWindow,
  toAverageChart,
  toIndexChart,
  toPeriodChart,
  toTotalsChart,
} from './chart-transforms.ts';
import { changeWords, MAX_YEARS, toChangeChart, toYearChart } from './compare-years.ts';
import type { Stretch } from './spans.ts';

export type Shown = {
  readonly metric: Metric;
  readonly view: Pick<MetricView, 'compare' | 'from' | 'place'>;
  /** The period of the list. */
  readonly stretch: Stretch | undefined;
  /** Whether the values of several periods can be added up. */
  readonly isSum: boolean;
};

/** The chart that the view asks for, made of the values over time. */
export function showChart(
  overTime: ChartData,
  { metric, view: { compare, from, place }, stretch, isSum }: Shown,
): ChartData {
  const { cadence } = metric.spec;
  switch (compare) {
    case 'change':
      return toChangeChart(overTime, metric, from);
    case 'years':
      return toYearChart(overTime, place ?? '', cadence);
    case 'totals':
      return toTotalsChart(overTime, { isSum });
    case 'average':
      return toAverageChart(overTime, cadence);
    case 'index':
      return toIndexChart(overTime);
    case 'period':
      return stretch === undefined
        ? overTime
        : toPeriodChart(overTime, { stretch, cadence, isSum });
    case 'bars':
    case undefined:
      return overTime;
  }
}

/** What the chart makes of the values, as sentences; undefined if it shows them as they are. */
export function chartWords(
  { series, hiddenSeries }: ChartData,
  { metric, view: { compare }, stretch, isSum }: Shown,
): string | undefined {
  const { cadence } = metric.spec;
  const period = periodWord(cadence).toLowerCase();
  const periods = periodsOf(cadence);
  switch (compare) {
    case 'change':
      return `${changeWords(cadence)}.`;
    case 'years': {
      const more =
        hiddenSeries === 0
          ? ''
          : ` The newest ${MAX_YEARS} of ${formatCount(MAX_YEARS + hiddenSeries)} years; choose an earlier last day for others.`;
      return `${series[0]?.title}, one line for each year; older years are lighter.${more}`;
    }
    case 'totals':
      return isSum
        ? `Totals of years. A year in which a ${period} is absent has none.`
        : `Means of the ${periods} of each year, because the values cannot be added up over ${periods}.`;
    case 'average':
      return `Mean of ${averageWindow(cadence)} ${periods}, up to each one. It has a gap where a ${period} is absent.`;
    case 'index':
      return 'The first value of each line is 100.';
    case 'period':
      return `${stretch?.label}, and the same days of the other years.`;
    case 'bars':
      return stretch?.label;
    case undefined:
      return hiddenSeries === 0
        ? undefined
        : `${formatCount(hiddenSeries)} more series are not shown. Choose fewer places, related places or values of a dimension.`;
  }
}
