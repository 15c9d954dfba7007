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
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const apply = useRef(onChange);
  apply.current = onChange;
  useEffect(() => {
    if (draft === value) return undefined;
    const timer = setTimeout(() => apply.current(draft), REST_MS);
    return () => clearTimeout(timer);
  }, [draft, value]);
  return (
    <div className={styles.whole}>
      <input
        type="range"
        className={styles.range}
        aria-label={label}
        aria-valuetext={texts[draft]}
        title={texts[draft]}
        min={0}
        max={texts.length - 1}
        value={draft}
        onChange={({ target }) => {
          setDraft(target.valueAsNumber);
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

const REST_MS = 150;
