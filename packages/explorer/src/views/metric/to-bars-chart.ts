import type { ValueSpec } from '@locmetrics/client';
import type { ChartData } from './chart-data.ts';
import type { RankedRow } from './ranking.ts';
import type { Stretch } from './spans.ts';

/** The values of rows of the list in its period, as bars. Those that are not chosen have one colour. */
export function toBarsChart({
  rows,
  isChosen,
  stretch,
  measure,
}: {
  readonly rows: readonly RankedRow[];
  readonly isChosen: boolean;
  readonly stretch: Stretch | undefined;
  readonly measure: ValueSpec;
}): ChartData {
  const { start = '', end = '', label = 'All days' } = stretch ?? {};
  return {
    points: [{ key: start, last: end, time: Date.parse(start) / 1000, label }],
    series: rows.map(({ id, name, value }, index) => ({
      id,
      placeId: id,
      name,
      title: id,
      tone: { kind: 'series', index: isChosen ? index : 0 },
      values: [value],
    })),
    unit: measure.unit,
    pointWord: 'Period',
    isByYear: false,
    isJoined: false,
    hiddenSeries: 0,
  };
}
