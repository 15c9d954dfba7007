import type { ReactNode } from 'react';
import { countOf } from '../../format/numbers.ts';
import styles from './view-summary.module.css';

/** The map in words, read out after each movement. */
export function ViewSummary({
  count,
  isLoading,
  children,
}: {
  readonly count: number | undefined;
  readonly isLoading: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.line}>
      <p role="status" data-pending={isLoading || undefined}>
        {count !== undefined && `Map with ${countOf(count, 'record')} in view`}
      </p>
      {children}
    </div>
  );
}
