import type { Metric } from '@locmetrics/client';
import { useEffect, useState } from 'react';
import { isDay, type MetricView } from '../../data/metric-view.ts';
import { toDay } from '../../format/periods.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { addDays, addMonths, fromDay, isShort } from './fill-periods.ts';
import styles from './metric.module.css';

/** The first and the last day that are shown, with the usual periods as buttons. */
export function PeriodChooser({
  metric,
  view: { from, to },
  onChange,
}: {
  readonly metric: Metric;
  readonly view: MetricView;
  readonly onChange: (next: Partial<MetricView>) => void;
}) {
  const { firstObservationDate: first, lastObservationDate: last } = metric;
  return (
    <fieldset className={`${styles.row} ${styles.fieldset}`}>
      <legend className="visually-hidden">Period</legend>
      <div className={styles.presets}>
        {presetsOf(metric).map(({ label, start }) => {
          const isChosen = from === start && to === undefined;
          return (
            <Button
              key={label}
              size="small"
              kind={isChosen ? 'primary' : 'secondary'}
              aria-pressed={isChosen}
              onPress={() => onChange({ from: start, to: undefined })}
            >
              {label}
            </Button>
          );
        })}
      </div>
      <div className={styles.days}>
        <DayField
          label="From"
          value={from}
          fallback={first}
          onChange={(day) => onChange({ from: day === first ? undefined : day })}
        />
        <DayField
          label="To"
          value={to}
          fallback={last}
          onChange={(day) => onChange({ to: day === last ? undefined : day })}
        />
      </div>
    </fieldset>
  );
}

/** A day that is typed part by part: it counts once the field is left or Enter is pressed. */
function DayField({
  label,
  value,
  fallback,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  /** Stands for no value. */
  readonly fallback: string;
  readonly onChange: (day: string | undefined) => void;
}) {
  const current = value ?? fallback;
  const [draft, setDraft] = useState(current);
  useEffect(() => setDraft(current), [current]);
  const commit = (): void => {
    if (draft === current) return;
    if (draft === '') onChange(undefined);
    else if (isDay(draft)) onChange(draft);
    else setDraft(current);
  };
  return (
    <TextField
      label={label}
      type="date"
      value={draft}
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}

type Preset = { readonly label: string; readonly start: string | undefined };

/** Periods that end with the last value, as far as there are values for them. */
function presetsOf({ firstObservationDate: first, lastObservationDate: last, spec }: Metric) {
  const afterLast = addDays(fromDay(last), 1);
  const back = (months: number): string => toDay(addMonths(afterLast, -months));
  const presets: readonly Preset[] = [
    ...(isShort(spec.cadence) ? [{ label: 'Last 3 months', start: back(3) }] : []),
    { label: 'Last year', start: back(12) },
    { label: 'Last 5 years', start: back(60) },
    { label: 'Last 20 years', start: back(240) },
  ];
  return [
    { label: 'All', start: undefined },
    ...presets.filter(({ start }) => start !== undefined && start > first),
  ];
}
