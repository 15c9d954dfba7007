import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './chip.module.css';

/** A part of a selection with a button that removes it, and below it why the service refused it. */
export function Chip({
  name,
  onRemove,
  problem,
  children,
}: {
  /** The part in words, for screen readers. */
  readonly name: string;
  readonly onRemove: () => void;
  readonly problem: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <li className={problem === undefined ? styles.item : `${styles.item} ${styles.refused}`}>
      <div className={styles.chip}>
        {children}
        <Button kind="quiet" size="small" aria-label={`Remove ${name}`} onPress={onRemove}>
          <span aria-hidden="true">✕</span>
        </Button>
      </div>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </li>
  );
}
