import type { DataReference, ListRecordsResponse } from '@locmetrics/client';
import { formatCount } from '../../format/numbers.ts';
import styles from './totals.module.css';

/** How many records match, of how many, and how long the service took for the page. */
export function Totals({
  reference,
  answer: { totalSize, tookMs },
  isFetching,
}: {
  readonly reference: DataReference;
  readonly answer: Pick<ListRecordsResponse, 'totalSize'> & { readonly tookMs: number };
  readonly isFetching: boolean;
}) {
  const isPart = totalSize < reference.rowCount;
  return (
    <p className={styles.totals} role="status">
      <strong>{formatCount(totalSize)}</strong> {totalSize === 1 ? 'record' : 'records'}
      {isPart && ` of ${formatCount(reference.rowCount)}`}
      <span className={styles.took} aria-hidden="true">
        {isFetching ? 'Reading…' : `${formatCount(Math.max(1, tookMs))} ms`}
      </span>
    </p>
  );
}
