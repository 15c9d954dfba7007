import type { DataReference, FieldDefinition } from '@locmetrics/client';
import { fieldTypeWord } from '../../format/fields.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import styles from './fields.module.css';

/** What a call can filter by: the fields with their types, examples and operators. */
export function Operators({ reference }: { readonly reference: DataReference }) {
  return (
    <DataTable
      caption={`Operators of filters on ${reference.dataListingDisplayName}`}
      columns={COLUMNS}
      rows={reference.fields}
      rowKey={({ name }) => name}
    />
  );
}

const COLUMNS: readonly Column<FieldDefinition>[] = [
  {
    id: 'name',
    header: 'Field',
    cell: ({ name }) => <code className={styles.name}>{name}</code>,
  },
  {
    id: 'type',
    header: 'Type',
    cell: (field) => <span className={styles.type}>{fieldTypeWord(field)}</span>,
  },
  {
    id: 'example',
    header: 'Example',
    cell: ({ exampleValue }) => exampleValue !== '' && <code>{exampleValue}</code>,
  },
  {
    id: 'operators',
    header: 'Operators of filters',
    cell: ({ filters }) => (
      <span className={styles.operators}>
        {filters.supportedOperators.map((operator) => (
          <code key={operator}>{operator}</code>
        ))}
      </span>
    ),
  },
];
