import { formatCount } from '../../format/numbers.ts';
import styles from './view-summary.module.css';

/** The map in words, read out after each movement. */
export function ViewSummary({
  count,
  isLoading,
}: {
  readonly count: number | undefined;
  readonly isLoading: boolean;
}) {
  return (
    <div className={styles.line}>
      <p role="status" data-pending={isLoading || undefined}>
        {count !== undefined &&
          `Map with ${formatCount(count)} ${count === 1 ? 'record' : 'records'} in view`}
      </p>
    </div>
  );
}
