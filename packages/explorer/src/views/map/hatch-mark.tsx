import { hatchCss } from './hatch.ts';
import styles from './hatch-mark.module.css';

/** The pattern of what has no colour, as a small mark beside its words. */
export function HatchMark({ isWithheld }: { readonly isWithheld: boolean }) {
  return (
    <span
      className={styles.mark}
      style={{ background: hatchCss('var(--ink-muted)', isWithheld ? 'withheld' : 'absent') }}
      aria-hidden="true"
    />
  );
}
