import { HatchMark } from '../map/hatch-mark.tsx';
import {
  type ChartData,
  hasWithheld,
  lastWithValue,
  toneColour,
  toneOpacity,
  valueText,
} from './chart-data.ts';
import styles from './chart-legend.module.css';

/** The colours of the lines, and their values at the cursor or at the last point. */
export function ChartLegend({
  chart,
  cursor,
  hovered,
  onHover,
}: {
  readonly chart: ChartData;
  readonly cursor: number | undefined;
  /** The id of the place that is pointed at, here or elsewhere. */
  readonly hovered: string | undefined;
  readonly onHover: (id: string | undefined) => void;
}) {
  const at = Math.min(cursor ?? lastWithValue(chart), chart.points.length - 1);
  return (
    <div className={styles.legend}>
      <p className={styles.point}>{chart.points[at]?.label}</p>
      <ul className={styles.series} aria-label="Legend">
        {chart.series.map(({ id, placeId, name, title, tone, values, withheld }) => (
          <li
            key={id}
            className={styles.one}
            title={title}
            data-hovered={(hovered === placeId && !chart.isByYear) || undefined}
            onPointerEnter={() => onHover(placeId)}
            onPointerLeave={() => onHover(undefined)}
          >
            <span
              className={styles.line}
              style={{ background: toneColour(tone), opacity: toneOpacity(tone) }}
              aria-hidden="true"
            />
            <span className={styles.name} dir="auto">
              {name}
            </span>
            <span className={styles.value}>
              {values.some((value) => typeof value === 'number')
                ? valueText({ values, withheld }, at, chart)
                : withheld === undefined
                  ? 'no values'
                  : 'withheld'}
            </span>
          </li>
        ))}
      </ul>
      {hasWithheld(chart) && (
        <p className={styles.point}>
          <HatchMark isWithheld /> Withheld: too small to show
        </p>
      )}
    </div>
  );
}
