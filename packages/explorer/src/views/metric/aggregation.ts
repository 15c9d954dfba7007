import type { Metric, ValueSpec } from '@locmetrics/client';
import type { Span, ViewAggregation, ViewGroup } from '../../data/metric-view.ts';
import { periodsOf } from '../../format/periods.ts';
import type { Choice } from '../../ui/select.tsx';

/** What a number of the list is made of. */
export type Parts = {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly span: Span;
  readonly group: ViewGroup | undefined;
};

const LABELS: Readonly<Record<ViewAggregation, string>> = {
  sum: 'Sum',
  avg: 'Mean',
  median: 'Median',
  max: 'Largest',
  min: 'Smallest',
};

/** Whether the values of several periods, and those of several places, become one number. */
function joins({ metric, span, group }: Parts): {
  readonly periods: boolean;
  readonly places: boolean;
} {
  return {
    periods: span !== 'period',
    places: group !== undefined || metric.relatedLayerId !== '',
  };
}

/** Whether each number is a value of the metric itself, so that there is nothing to aggregate. */
export function isPlain(parts: Parts): boolean {
  const { periods, places } = joins(parts);
  return !periods && !places && parts.metric.dimensionsList.length === 0;
}

/** Whether the values can be added up to the numbers of the list, as the owner of the data declared them. */
export function canSum(parts: Parts): boolean {
  const { periods, places } = joins(parts);
  switch (parts.measure.additive) {
    case 'all':
      return true;
    case 'places':
      return !periods;
    case 'periods':
      return !places;
    default:
      return false;
  }
}

export function aggregationChoices(parts: Parts): readonly Choice<ViewAggregation>[] {
  const words: readonly ViewAggregation[] = canSum(parts)
    ? ['sum', 'avg', 'median', 'max', 'min']
    : ['avg', 'median', 'max', 'min'];
  return words.map((value) => ({ value, label: LABELS[value] }));
}

export function defaultAggregation(parts: Parts): ViewAggregation {
  return canSum(parts) ? 'sum' : 'avg';
}

/** Why the list offers no sum; undefined if it does. */
export function whyNoSum(parts: Parts): string | undefined {
  if (canSum(parts) || isPlain(parts)) return undefined;
  const { metric, measure } = parts;
  const name = measure.displayName || measure.name;
  const periods = periodsOf(metric.spec.cadence);
  switch (measure.additive) {
    case 'places':
      return `No sums: ${name} can be added up over places, but not over ${periods}.`;
    case 'periods':
      return `No sums: ${name} can be added up over ${periods}, but not over places.`;
    default:
      return `No sums: the values of ${name} cannot be added up.`;
  }
}

/** What the numbers of the list are, as the start of a sentence: Visits; Mean visits. */
export function measureWords(aggregation: ViewAggregation, parts: Parts): string {
  const name = parts.measure.displayName || parts.measure.name;
  if (aggregation === 'sum' || isPlain(parts)) return name;
  return `${LABELS[aggregation]} of ${name}`;
}
