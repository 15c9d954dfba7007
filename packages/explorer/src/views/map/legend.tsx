import { ToggleButton } from 'react-aria-components';
import { hatchCss } from './hatch.ts';
import styles from './legend.module.css';
import type { LegendContent, LegendEntry } from './legend-entries.ts';

/** The meaning of the colours on the map. An entry with a key leaves its records out, or shows them again. */
export function Legend({
  content: { title, entries },
  empty = 'There are no records here.',
  hidden,
  onHidden,
  isStale = false,
}: {
  readonly content: LegendContent;
  /** Said if there are no entries. */
  readonly empty?: string;
  /** The keys of the entries that are left out. */
  readonly hidden: readonly string[];
  readonly onHidden: (hidden: readonly string[] | undefined) => void;
  /** Other values are read: the entries are not theirs. */
  readonly isStale?: boolean;
}) {
  const change = (key: string, isShown: boolean): void => {
    const others = hidden.filter((one) => one !== key);
    const next = isShown ? others : [...others, key];
    onHidden(next.length === 0 ? undefined : next);
  };
  return (
    <section aria-label="Legend" className={styles.legend}>
      {title !== undefined && <h2 className={styles.title}>{title}</h2>}
      {entries.length === 0 && <p>{empty}</p>}
      <ol className={styles.scale}>
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
                isDisabled={isStale}
                onChange={(isShown) => entry.key !== undefined && change(entry.key, isShown)}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Entry({
  entry,
  isShown,
  isDisabled,
  onChange,
}: {
  readonly entry: LegendEntry;
  readonly isShown: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (isShown: boolean) => void;
}) {
  return (
    <ToggleButton
      className={`${styles.entry} ${styles.button}`}
      isSelected={isShown}
      isDisabled={isDisabled}
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
      style={mark === 'ring' ? { borderColor: colour } : { background: fillOf(mark, colour) }}
    />
  );
}

function fillOf(mark: LegendEntry['mark'], colour: string): string {
  if (mark === 'hatch') return hatchCss(colour, 'absent');
  return mark === 'grid' ? hatchCss(colour, 'withheld') : colour;
}
