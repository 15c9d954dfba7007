import type { UsageRow } from '@locmetrics/client';
import { formatDay } from '../../format/dates.ts';
import { formatMeasure } from './measures.ts';
import styles from './usage.module.css';
import type { Measure } from './usage-address.ts';

const HEIGHT = 160;
const WIDTH = 720;

/** A bar for each day of the period. The table below it has the same numbers for those who do not see it. */
export function DayBars({
  days,
  usage,
  measure,
}: {
  readonly days: readonly string[];
  readonly usage: readonly UsageRow[];
  readonly measure: Measure;
}) {
  const byDay = new Map(usage.map((row) => [row.day, row[measure]]));
  const greatest = Math.max(...byDay.values(), 0);
  const step = WIDTH / days.length;
  return (
    <figure className={styles.chart}>
      <div className={styles.scale} aria-hidden="true">
        <span>{formatMeasure(greatest, measure)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${measure} by day; the maximum is ${formatMeasure(greatest, measure)}`}
        className={styles.bars}
      >
        {days.map((day, index) => {
          const value = byDay.get(day) ?? 0;
          const height =
            greatest === 0 ? 0 : Math.max(value === 0 ? 0 : 2, (value / greatest) * HEIGHT);
          return (
            <g key={day} className={styles.day}>
              <title>{`${formatDay(day)}: ${formatMeasure(value, measure)}`}</title>
              <rect x={index * step} y={0} width={step} height={HEIGHT} className={styles.hit} />
              <rect
                x={index * step + step * 0.1}
                y={HEIGHT - height}
                width={step * 0.8}
                height={height}
                className={styles.bar}
              />
            </g>
          );
        })}
      </svg>
      <div className={styles.days} aria-hidden="true">
        <span>{formatDay(days[0] ?? '')}</span>
        <span>{formatDay(days.at(-1) ?? '')}</span>
      </div>
    </figure>
  );
}
