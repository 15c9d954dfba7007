import type { DataReference } from '@locmetrics/client';
import type { Selection } from '../../data/selection.ts';
import { Button } from '../../ui/button.tsx';

/** Says why there are no records, and what to do. */
export function NoRecords({
  reference,
  selection: { filters = [], box },
  onChange,
}: {
  readonly reference: DataReference;
  readonly selection: Selection;
  readonly onChange: (selection: Selection) => void;
}) {
  if (filters.length === 0 && box === undefined) {
    return <p>{reference.dataListingDisplayName} has no records that you may see.</p>;
  }
  return (
    <>
      <p>No record matches all of the filters. Remove one, or change its value.</p>
      <Button onPress={() => onChange({ filters: undefined, box: undefined })}>
        Remove all filters
      </Button>
    </>
  );
}
