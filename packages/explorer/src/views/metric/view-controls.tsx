import type { Metric, ValueSpec } from '@locmetrics/client';
import type { Comparison, MetricView } from '../../data/metric-view.ts';
import { type Choice, Select } from '../../ui/select.tsx';
import { canCompare } from './compare-years.ts';
import type { Place } from './to-time-chart.ts';

const COMPARISONS: readonly Choice<Comparison>[] = [
  { value: 'years', label: 'Year over year' },
  { value: 'change', label: 'Change from a year earlier' },
  { value: 'totals', label: 'Totals per year' },
  { value: 'average', label: 'Moving average' },
  { value: 'index', label: 'Index, the first value as 100' },
  { value: 'period', label: 'Same period of earlier years' },
  { value: 'bars', label: 'Bars of the period' },
];

/** The measure of which the values are shown; nothing if there is only one. */
export function MeasureSelect({
  metric,
  measure,
  onChange,
}: {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const { valuesList } = metric.spec;
  if (valuesList.length < 2) return null;
  return (
    <Select
      label="Measure"
      choices={valuesList.map(({ name, displayName }) => ({
        value: name,
        label: displayName || name,
      }))}
      value={measure.name}
      onChange={(name) =>
        onChange({
          measure: name === valuesList[0]?.name ? undefined : name,
          aggregate: undefined,
        })
      }
    />
  );
}

/** What the chart makes of the values. */
export function ViewControls({
  metric,
  view,
  places,
  onChange,
}: {
  readonly metric: Metric;
  readonly view: MetricView;
  readonly places: readonly Place[];
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const choices: readonly Choice<Comparison | 'none'>[] = [
    { value: 'none', label: 'Over time' },
    ...COMPARISONS.filter(({ value }) => canCompare(value, metric.spec.cadence)),
  ];
  const firstPlace = places[0]?.id ?? '';
  return (
    <>
      {choices.length > 1 && (
        <Select
          label="Show"
          isLabelHidden
          choices={choices}
          value={view.compare ?? 'none'}
          onChange={(compare) => onChange({ compare: compare === 'none' ? undefined : compare })}
        />
      )}
      {view.compare === 'years' && places.length > 1 && (
        <Select
          label="Years of"
          isLabelHidden
          choices={places.map(({ id, name }) => ({ value: id, label: name }))}
          value={places.find(({ id }) => id === view.place)?.id ?? firstPlace}
          onChange={(place) => onChange({ place: place === firstPlace ? undefined : place })}
        />
      )}
    </>
  );
}
