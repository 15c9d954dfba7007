import { ProgressBar as AriaProgressBar } from 'react-aria-components';
import styles from './progress-bar.module.css';

/** How much of some work is done. */
export function ProgressBar({
  label,
  share,
  text,
}: {
  readonly label: string;
  /** From 0 to 1. Undefined: it is not known. */
  readonly share: number | undefined;
  /** The progress in words. */
  readonly text: string;
}) {
  return (
    <AriaProgressBar
      aria-label={label}
      value={(share ?? 0) * 100}
      valueLabel={text}
      isIndeterminate={share === undefined}
      className={styles.bar ?? ''}
    >
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={100} height={8} className={styles.whole} />
        <rect
          width={share === undefined ? 30 : share * 100}
          height={8}
          className={share === undefined ? styles.unknown : styles.part}
        />
      </svg>
      <span>{text}</span>
    </AriaProgressBar>
  );
}
