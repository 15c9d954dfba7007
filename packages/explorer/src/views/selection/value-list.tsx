import styles from './value-list.module.css';

/** The values of a list so far, each with a button that takes it out. */
export function ValueList({
  values,
  onChange,
}: {
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  return (
    <ul className={styles.values} aria-label="Values">
      {values.map((value) => (
        <li key={value} className={styles.value}>
          <span className={styles.text}>{value}</span>
          <button
            type="button"
            className={styles.remove}
            aria-label={`Take out ${value}`}
            onClick={() => onChange(values.filter((one) => one !== value))}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
