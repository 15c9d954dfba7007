import type { Metric } from '@locmetrics/client';
import type { MetricView } from '../../data/metric-view.ts';
import { toDay } from '../../format/periods.ts';
import { Button } from '../../ui/button.tsx';
import { DayField } from '../../ui/day-field.tsx';
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
          value={from ?? first}
          onChange={(day) =>
            onChange({
              from: day === '' || day === first ? undefined : day,
              // A period that would end before it begins goes on to the last value.
              ...(to !== undefined && day > to ? { to: undefined } : {}),
            })
          }
        />
        <DayField
          label="To"
          value={to ?? last}
          onChange={(day) =>
            onChange({
              to: day === '' || day === last ? undefined : day,
              ...(from !== undefined && day !== '' && day < from ? { from: undefined } : {}),
            })
          }
        />
      </div>
    </fieldset>
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
