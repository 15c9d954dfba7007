import type { Metric, ValueSpec } from '@locmetrics/client';
import type { Comparison, MetricView } from '../../data/metric-view.ts';
import { type Choice, Select } from '../../ui/select.tsx';
import { canCompare } from './compare-years.ts';
import type { Place } from './to-time-chart.ts';

const COMPARISONS: readonly Choice<Comparison>[] = [
  { value: 'years', label: 'Year over year' },
  { value: 'change', label: 'Change from a year earlier' },
];

/** The measure, and how its values are compared. */
export function ViewControls({
  metric,
  measure,
  view,
  places,
  onChange,
}: {
  readonly metric: Metric;
  readonly measure: ValueSpec;
  readonly view: MetricView;
  readonly places: readonly Place[];
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const { cadence, valuesList } = metric.spec;
  const choices: readonly Choice<Comparison | 'none'>[] = [
    { value: 'none', label: 'Over time' },
    ...COMPARISONS.filter(({ value }) => canCompare(value, cadence)),
  ];
  return (
    <>
      {valuesList.length > 1 && (
        <Select
          label="Measure"
          choices={valuesList.map(({ name, displayName }) => ({
            value: name,
            label: displayName || name,
          }))}
          value={measure.name}
          onChange={(name) =>
            onChange({ measure: name === valuesList[0]?.name ? undefined : name })
          }
        />
      )}
      {choices.length > 1 && (
        <Select
          label="Show"
          choices={choices}
          value={view.compare ?? 'none'}
          onChange={(compare) => onChange({ compare: compare === 'none' ? undefined : compare })}
        />
      )}
      {view.compare === 'years' && places.length > 1 && (
        <Select
          label="Years of"
          choices={places.map(({ id, name }) => ({ value: id, label: name }))}
          value={places.find(({ id }) => id === view.place)?.id ?? places[0]?.id ?? ''}
          onChange={(place) => onChange({ place: place === places[0]?.id ? undefined : place })}
        />
      )}
    </>
  );
}
