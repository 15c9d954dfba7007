import type { DataReference, FilterClause } from '@locmetrics/client';
import { filterText } from '../../format/filters.ts';
import { Button } from '../../ui/button.tsx';
import styles from './totals-note.module.css';

/** Says that a map shows only the totals of records, so that none counts twice, and leads to their parts. */
export function TotalsNote({
  reference,
  totals,
  onParts,
}: {
  readonly reference: DataReference;
  /** The filters that leave the totals. */
  readonly totals: readonly FilterClause[];
  /** Takes the filters that leave their parts. */
  readonly onParts: (filters: readonly FilterClause[]) => void;
}) {
  if (totals.length === 0) return null;
  const words = totals.map((filter) => filterText(reference, filter)).join(', ');
  return (
    <div className={styles.note}>
      <p role="status" dir="auto">
        {`Some records are the totals of others. Shown are those: ${words}.`}
      </p>
      <Button
        size="small"
        onPress={() => onParts(totals.map((filter) => ({ ...filter, operator: '!=' })))}
      >
        Show their parts
      </Button>
    </div>
  );
}
