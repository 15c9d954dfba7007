import type { DataReference } from '@locmetrics/client';
import type { Ref } from 'react';
import type { Box } from '../../data/box.ts';
import type { Colour } from '../../data/map-address.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { CellDetails } from './cell-details.tsx';
import type { Found, FoundRecord } from './found.ts';
import styles from './found-panel.module.css';
import { RecordDetails } from './record-details.tsx';
import { recordTitle } from './record-title.ts';

/** The thing at the place of a click: a record, several at one place, or a cell. */
export function FoundPanel({
  ref,
  reference,
  found,
  name,
  colour,
  onClose,
  onSelect,
  onZoom,
  onBox,
}: {
  readonly ref: Ref<HTMLElement>;
  readonly reference: DataReference;
  readonly found: Found;
  /** The field that names a record. */
  readonly name: string | undefined;
  readonly colour: Colour | undefined;
  readonly onClose: () => void;
  readonly onSelect: (found: Found) => void;
  readonly onZoom: (box: Box) => void;
  readonly onBox: (box: Box) => void;
}) {
  const title = (record: FoundRecord): string => recordTitle(record, name);
  const [only, second] = found.kind === 'records' ? found.records : [];
  return (
    <section ref={ref} tabIndex={-1} aria-labelledby="found-title" className={styles.panel}>
      <header className={styles.header}>
        <h2 id="found-title" className={styles.title}>
          {found.kind === 'cell' && 'Cell of the grid'}
          {only !== undefined && second === undefined && title(only)}
          {found.kind === 'records' &&
            second !== undefined &&
            `${formatCount(found.records.length)} records here`}
        </h2>
        <Button kind="quiet" size="small" aria-label="Close" onPress={onClose}>
          <span aria-hidden="true">×</span>
        </Button>
      </header>
      {found.kind === 'cell' && (
        <CellDetails cell={found.cell} colour={colour} onZoom={onZoom} onBox={onBox} />
      )}
      {found.kind === 'records' && second !== undefined && (
        <ul className={styles.list}>
          {found.records.slice(0, LISTED_MAX).map((record) => (
            <li key={JSON.stringify(record.key)}>
              <Button
                kind="quiet"
                size="small"
                onPress={() => onSelect({ kind: 'records', records: [record] })}
              >
                {title(record)}
              </Button>
            </li>
          ))}
          {found.records.length > LISTED_MAX && (
            <li>and {formatCount(found.records.length - LISTED_MAX)} more: zoom in to see them</li>
          )}
        </ul>
      )}
      {only !== undefined && second === undefined && (
        <RecordDetails reference={reference} found={only} />
      )}
    </section>
  );
}

const LISTED_MAX = 100;
