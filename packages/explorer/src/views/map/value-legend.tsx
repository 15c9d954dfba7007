import { coloursOfClasses, type Range } from './class-colours.ts';
import { hatchCss } from './hatch.ts';
import styles from './legend.module.css';
import type { Palette } from './palette.ts';

/** The meaning of the colours of values. */
export function ValueLegend({
  title,
  thresholds,
  range,
  palette,
  format,
  isEmpty,
  hasAbsent,
  hasWithheld,
  kind,
}: {
  readonly title: string;
  readonly thresholds: readonly number[];
  readonly range: Range;
  readonly palette: Palette;
  readonly format: (value: number) => string;
  /** No place has a value. */
  readonly isEmpty: boolean;
  readonly hasAbsent: boolean;
  readonly hasWithheld: boolean;
  readonly kind: 'outlines' | 'points';
}) {
  const colours = coloursOfClasses(thresholds, palette, range);
  const shape = kind === 'points' ? styles.point : styles.swatch;
  return (
    <section aria-label="Legend" className={styles.legend}>
      <h2 className={styles.title}>{title}</h2>
      {isEmpty && <p>No place has a value.</p>}
      <ol className={styles.scale}>
        {(isEmpty ? [] : colours).map((colour, index) => (
          <li key={thresholds[index - 1] ?? 'first'} className={styles.entry}>
            <span className={shape} style={{ background: colour }} />
            {describeClass(thresholds, index, range, format)}
          </li>
        ))}
      </ol>
      <ul className={styles.others}>
        {hasAbsent && (
          <li className={styles.entry}>
            <span
              className={shape}
              style={
                kind === 'points'
                  ? { borderColor: palette.noValue }
                  : { background: hatchCss(palette.noValue) }
              }
            />
            No value
          </li>
        )}
        {hasWithheld && (
          <li className={styles.entry}>
            <span
              className={shape}
              style={
                kind === 'points'
                  ? { borderColor: palette.ink }
                  : { background: hatchCss(palette.noValue, 'withheld') }
              }
            />
            Withheld: too small to show
          </li>
        )}
      </ul>
    </section>
  );
}

function describeClass(
  thresholds: readonly number[],
  index: number,
  { least, greatest }: Range,
  format: (value: number) => string,
): string {
  const from = thresholds[index - 1] ?? least;
  const to = thresholds[index] ?? greatest;
  if (from === to) return format(from);
  // A dash before a minus sign is hard to read.
  return `${format(from)} ${least < 0 ? 'to' : '–'} ${format(to)}`;
}
