import { ToggleButton } from 'react-aria-components';
import { hatchCss } from './hatch.ts';
import styles from './legend.module.css';
import type { LegendContent, LegendEntry } from './legend-entries.ts';

/** The meaning of the colours on the map. An entry leaves its records out, or shows them again. */
export function Legend({
  content: { title, entries },
  hidden,
  onHidden,
}: {
  readonly content: LegendContent;
  readonly hidden: readonly string[];
  readonly onHidden: (hidden: readonly string[]) => void;
}) {
  const change = (key: string, isShown: boolean): void => {
    const others = hidden.filter((one) => one !== key);
    onHidden(isShown ? others : [...others, key]);
  };
  return (
    <section aria-label="Legend" className={styles.legend}>
      {entries.length === 0 && <p>There are no records here.</p>}
      {title !== undefined && <h2 className={styles.title}>{title}</h2>}
      <ul className={styles.scale}>
        {entries.map((entry) => (
          <li key={`${entry.key} ${entry.label}`}>
            {entry.key === undefined ? (
              <span className={styles.entry}>
                <Mark {...entry} />
                {entry.label}
              </span>
            ) : (
              <Entry
                entry={entry}
                isShown={!hidden.includes(entry.key)}
                onChange={(isShown) => entry.key !== undefined && change(entry.key, isShown)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({
  entry,
  isShown,
  onChange,
}: {
  readonly entry: LegendEntry;
  readonly isShown: boolean;
  readonly onChange: (isShown: boolean) => void;
}) {
  return (
    <ToggleButton
      className={`${styles.entry} ${styles.button}`}
      isSelected={isShown}
      onChange={onChange}
    >
      <Mark {...entry} />
      <span className={styles.label}>{entry.label}</span>
    </ToggleButton>
  );
}

function Mark({ mark, colour }: Pick<LegendEntry, 'mark' | 'colour'>) {
  const isPoint = mark === 'point' || mark === 'ring';
  return (
    <span
      className={isPoint ? styles.point : styles.swatch}
      style={
        mark === 'ring'
          ? { borderColor: colour }
          : { background: mark === 'hatch' ? hatchCss(colour) : colour }
      }
    />
  );
}
