import type { DataReference, FilterClause } from '@locmetrics/client';
import { filterText } from '../../format/filters.ts';
import { Button } from '../../ui/button.tsx';
import styles from './totals-note.module.css';

/** Says that a map leaves out the totals of records, or their parts, so that none counts twice, and leads to the parts. */
export function TotalsNote({
  reference,
  totals,
  onParts,
}: {
  readonly reference: DataReference;
  /** The filters that leave the totals, or leave them out. */
  readonly totals: readonly FilterClause[];
  /** Takes the filters that leave their parts. */
  readonly onParts: (filters: readonly FilterClause[]) => void;
}) {
  if (totals.length === 0) return null;
  const words = totals.map((filter) => filterText(reference, filter)).join(', ');
  const shown = totals.filter(({ operator }) => operator === '==');
  return (
    <div className={styles.note}>
      <p role="status" dir="auto">
        {`Some records are the totals of others. ${shown.length > 0 ? 'Shown are those' : 'Shown are their parts'}: ${words}.`}
      </p>
      {shown.length > 0 && (
        <Button
          size="small"
          onPress={() => onParts(shown.map((filter) => ({ ...filter, operator: '!=' })))}
        >
          Show their parts
        </Button>
      )}
    </div>
  );
}
