import type { DataReference, FilterClause } from '@locmetrics/client';
import type { Selection } from '../../data/selection.ts';
import { recordsHref } from '../../data/view-links.ts';
import { SelectionBar } from '../selection/selection-bar.tsx';
import { BoxChip } from './box-chip.tsx';
import styles from './map-panel.module.css';

/** The filters and the box of a map, which can be changed beside it, and the way to their records. */
export function MapSelection({
  reference,
  filters,
  shown,
  onFilters,
  onRemoveBox,
}: {
  readonly reference: DataReference;
  readonly filters: readonly FilterClause[] | undefined;
  /** The records on the map: those of the filters, of the box, and of a period that is chosen apart. */
  readonly shown: Selection;
  readonly onFilters: (filters: readonly FilterClause[] | undefined) => void;
  readonly onRemoveBox: () => void;
}) {
  return (
    <>
      <SelectionBar
        reference={reference}
        selection={{ filters, box: undefined }}
        onChange={(next) => onFilters(next.filters)}
      />
      {shown.box === undefined ? (
        <a href={recordsHref(reference.name, shown)}>Show the records</a>
      ) : (
        <ul className={styles.chips} aria-label="Box">
          <BoxChip
            dataset={reference.name}
            filters={shown.filters}
            box={shown.box}
            onRemove={onRemoveBox}
          />
        </ul>
      )}
    </>
  );
}
