import type { DataReference } from '@locmetrics/client';
import type { RecordLayer } from '../../data/area-queries.ts';
import type { Selection } from '../../data/selection.ts';
import { metricHref, recordsHref } from '../../data/view-links.ts';
import { Button } from '../../ui/button.tsx';
import styles from './area-map.module.css';

/** The area that was clicked: its value, its records and its metrics. */
export function AreaDetails({
  reference,
  layer: { field, metrics },
  area: { id, name },
  words,
  value,
  selection: { filters = [], box },
  onClose,
}: {
  readonly reference: DataReference;
  readonly layer: RecordLayer;
  readonly area: { readonly id: string; readonly name: string };
  /** The name of the measure or category. */
  readonly words: string;
  readonly value: string;
  readonly selection: Selection;
  readonly onClose: () => void;
}) {
  const ofArea = { fieldName: field.name, operator: '==', value: id };
  return (
    <section aria-label={name} className={styles.details}>
      <div className={styles.head}>
        <h2 dir="auto">{name}</h2>
        <Button kind="quiet" size="small" aria-label="Close" onPress={onClose}>
          <span aria-hidden="true">×</span>
        </Button>
      </div>
      <p>
        {words}: <strong>{value}</strong>
      </p>
      <p className={styles.links}>
        <a href={recordsHref(reference.name, { filters: [...filters, ofArea], box })}>
          Show its records
        </a>
        {metrics.map(({ catalogId, id: metricId, listing }) => (
          <a key={metricId} href={metricHref({ catalogId, metricId, featureId: id })}>
            {listing || metricId}
          </a>
        ))}
      </p>
    </section>
  );
}
