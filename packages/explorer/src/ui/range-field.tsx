import { useEffect, useRef, useState } from 'react';
import styles from './range-field.module.css';

/** A slider over things in an order, each with a text. It applies once it has come to rest. */
export function RangeField({
  label,
  texts,
  value,
  onDraft,
  onChange,
}: {
  readonly label: string;
  /** The text of each position. */
  readonly texts: readonly string[];
  readonly value: number;
  /** The position while the slider moves. */
  readonly onDraft?: ((value: number) => void) | undefined;
  readonly onChange: (value: number) => void;
}) {
  const [draft, setDraft] = useState<Draft>();
  const shown = draft?.position ?? value;
  // A value from elsewhere replaces what was applied, but not what somebody is choosing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the value changes
  useEffect(() => setDraft((last) => (last?.isApplied === true ? undefined : last)), [value]);
  const apply = useRef(onChange);
  apply.current = onChange;
  useEffect(() => {
    if (draft === undefined || draft.isApplied) return undefined;
    const timer = setTimeout(() => {
      setDraft({ ...draft, isApplied: true });
      apply.current(draft.position);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <div className={styles.whole}>
      <input
        type="range"
        className={styles.range}
        aria-label={label}
        aria-valuetext={texts[shown]}
        title={texts[shown]}
        min={0}
        max={texts.length - 1}
        value={shown}
        onChange={({ target }) => {
          setDraft({ position: target.valueAsNumber, isApplied: false });
          onDraft?.(target.valueAsNumber);
        }}
      />
      <div className={styles.ends} aria-hidden="true">
        <span>{texts[0]}</span>
        <span>{texts.at(-1)}</span>
      </div>
    </div>
  );
}

/** The position to which the slider was moved. */
type Draft = { readonly position: number; readonly isApplied: boolean };

const REST_MS = 150;
