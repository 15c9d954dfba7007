import type { Metric } from '@locmetrics/client';
import type { Span } from '../../data/metric-view.ts';
import { DayField } from '../../ui/day-field.tsx';
import { RangeField } from '../../ui/range-field.tsx';
import { Select } from '../../ui/select.tsx';
import { spanWord } from './period-against.ts';
import styles from './period-picker.module.css';
import { PlayPeriods } from './play-periods.tsx';
import { findStretch, type Stretch } from './spans.ts';

/** Chooses one of the stretches: with a slider, and with pickers of its year and month, or of its day. */
export function PeriodPicker({
  label,
  metric,
  span,
  stretches,
  index,
  onChange,
  canPlay = false,
}: {
  readonly label: string;
  readonly metric: Metric;
  readonly span: Span;
  readonly stretches: readonly Stretch[];
  readonly index: number;
  readonly onChange: (index: number) => void;
  /** Whether it is the period that the view shows, which can go on by itself. */
  readonly canPlay?: boolean;
}) {
  if (stretches.length < 2) return null;
  return (
    <div className={styles.picker}>
      <RangeField
        label={label}
        texts={stretches.map((stretch) => stretch.label)}
        value={index}
        onChange={onChange}
      />
      <div className={styles.parts}>
        {isOfDays(metric, span) ? (
          <DayField
            label={label}
            value={stretches[index]?.start ?? ''}
            onChange={(day) => {
              if (day !== '') onChange(findStretch(stretches, day, day));
            }}
          />
        ) : (
          <YearAndPart
            label={label}
            word={spanWord(span, metric.spec.cadence)}
            stretches={stretches}
            index={index}
            onChange={onChange}
          />
        )}
        {canPlay && <PlayPeriods stretches={stretches} index={index} />}
      </div>
    </div>
  );
}

/** A list of the days of a year is too long to choose from. */
function isOfDays({ spec: { cadence } }: Metric, span: Span): boolean {
  const isShort = cadence === 'HOURLY' || cadence === 'DAILY' || cadence.startsWith('WEEKLY');
  return span === 'period' && isShort;
}

function YearAndPart({
  label,
  word,
  stretches,
  index,
  onChange,
}: {
  readonly label: string;
  readonly word: string;
  readonly stretches: readonly Stretch[];
  readonly index: number;
  readonly onChange: (index: number) => void;
}) {
  const current = stretches[index];
  const yearOf = ({ start }: Stretch): string => start.slice(0, 4);
  const year = current === undefined ? '' : yearOf(current);
  const years = [...new Set(stretches.map(yearOf))].reverse();
  const ofYear = stretches.filter((stretch) => yearOf(stretch) === year);
  const hasParts = years.length < stretches.length;
  const pickYear = (next: string): void => {
    const same = stretches.findIndex(({ start }) => start === `${next}${current?.start.slice(4)}`);
    // The year may have no such month: the nearest one that it has.
    const last = stretches.findLastIndex((stretch) => yearOf(stretch) === next);
    const first = stretches.findIndex((stretch) => yearOf(stretch) === next);
    const isBefore = `${next}${current?.start.slice(4)}` < (stretches[first]?.start ?? '');
    onChange(same === -1 ? (isBefore ? first : last) : same);
  };
  return (
    <>
      {hasParts && (
        <Select
          label={`${label}: ${word}`}
          isLabelHidden
          choices={ofYear.map((stretch) => ({
            value: stretch.start,
            label: stretch.label.replace(new RegExp(`,? ${year}$`), ''),
          }))}
          value={current?.start ?? ''}
          onChange={(start) => onChange(stretches.findIndex((one) => one.start === start))}
        />
      )}
      {years.length > 1 && (
        <Select
          label={`${label}: year`}
          isLabelHidden
          choices={years.map((value) => ({ value, label: value }))}
          value={year}
          onChange={pickYear}
        />
      )}
    </>
  );
}
