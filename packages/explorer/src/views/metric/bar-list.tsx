import styles from './bar-list.module.css';
import { type ChartData, toneColour, valueText } from './chart-data.ts';

/** The values of a single period: a bar for each place, because one point makes no line. */
export function BarList({
  chart,
  hovered,
  onHover,
}: {
  readonly chart: ChartData;
  readonly hovered: string | undefined;
  readonly onHover: (id: string | undefined) => void;
}) {
  const { points, series } = chart;
  const numbers = series.map(({ values }) => Math.abs(values[0] ?? 0));
  const longest = Math.max(...numbers);
  return (
    <div className={styles.bars}>
      <p className={styles.point}>{points[0]?.label}</p>
      <ul aria-label="Legend" className={styles.list}>
        {series.map(({ id, placeId, name, title, tone, values, withheld }, index) => (
          <li
            key={id}
            title={title}
            data-hovered={hovered === placeId || undefined}
            onPointerEnter={() => onHover(placeId)}
            onPointerLeave={() => onHover(undefined)}
          >
            <span>{name}</span> <strong>{valueText({ values, withheld }, 0, chart)}</strong>
            <div
              className={styles.bar}
              style={{
                background: toneColour(tone),
                width: `${longest === 0 ? 0 : ((numbers[index] ?? 0) / longest) * 100}%`,
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
