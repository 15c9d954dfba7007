import { formatCount } from '../../format/numbers.ts';
import { type ChartData, toneColour } from './chart-data.ts';
import styles from './stacked-bars.module.css';

/** Older periods than these are not drawn: their bars would be too narrow. */
const BARS_MAX = 120;

/** A bar for each period, divided by the numbers of its series. The table of the chart has the numbers. */
export function StackedBars({
  chart: { points, series },
  label,
  marked,
  onPeriod,
}: {
  readonly chart: ChartData;
  readonly label: string;
  /** The first day of the period that is shown elsewhere. */
  readonly marked: string | undefined;
  readonly onPeriod: (day: string) => void;
}) {
  const first = Math.max(0, points.length - BARS_MAX);
  const shown = points.slice(first);
  const totalOf = (index: number): number =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  const most = Math.max(1, ...shown.map((_, index) => totalOf(first + index)));
  return (
    <div className={styles.chart}>
      <ul className={styles.bars} aria-label={label}>
        {shown.map(({ key, label: period }, place) => {
          const index = first + place;
          const parts = series.filter(({ values }) => (values[index] ?? 0) > 0);
          const words = parts.map(
            ({ name, values }) => `${name} ${formatCount(values[index] ?? 0)}`,
          );
          return (
            <li key={key}>
              <button
                type="button"
                className={styles.bar}
                aria-pressed={key === marked}
                aria-label={`${period}: ${words.join(', ') || 'no values'}`}
                title={`${period}: ${words.join(', ') || 'no values'}`}
                // The slider of the period has the same way for the keyboard, in one stop.
                tabIndex={key === marked ? 0 : -1}
                onClick={() => onPeriod(key)}
              >
                {parts.toReversed().map(({ id, tone, values }) => (
                  <span
                    key={id}
                    style={{
                      background: toneColour(tone),
                      height: `${((values[index] ?? 0) / most) * 100}%`,
                    }}
                  />
                ))}
              </button>
            </li>
          );
        })}
      </ul>
      <p className={styles.ends} aria-hidden="true">
        {/* A line, also without a period. */}
        <span>{shown[0]?.label ?? '…'}</span>
        {shown.length > 1 && <span>{shown.at(-1)?.label}</span>}
      </p>
      <ul className={styles.legend} aria-label="Legend of the categories">
        {series.map(({ id, name, tone }) => (
          <li key={id}>
            <span className={styles.mark} style={{ background: toneColour(tone) }} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
