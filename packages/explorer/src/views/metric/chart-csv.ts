import { toCsv } from '../../format/csv.ts';
import type { ChartData } from './chart-data.ts';

/** The values of a chart as CSV: a row for each period, and a column for each series. */
export function chartCsv({ points, series, pointWord, isByYear, unit }: ChartData): string {
  const names = series.map(({ name, title }) => {
    const id = isByYear || title === name ? '' : ` (${title})`;
    return `${name}${id}${unit === '' ? '' : `, ${unit}`}`;
  });
  const head = isByYear ? [pointWord, ...names] : ['First day', 'Last day', ...names];
  const rows = points.map(({ key, last, label }, index) => [
    ...(isByYear ? [label] : [key, last]),
    ...series.map(({ values }) => values[index] ?? null),
  ]);
  return toCsv(head, rows);
}
