import type { FieldDefinition, ListRecordsResponse } from '@locmetrics/client';
import type { ReactNode } from 'react';
import { parseOrder } from '../../data/records-address.ts';
import { isNumberField } from '../../format/fields.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import styles from './record-table.module.css';
import { useSteadyColumns } from './use-steady-columns.ts';
import { ValueText } from './value-text.tsx';

type Row = { readonly index: number; readonly fields: ListRecordsResponse['records'][0]['fields'] };

/** A page of records. A heading orders by its column; a row opens in full. */
export function RecordTable({
  caption,
  answer: { records, fieldDefinitions },
  order,
  canOrder,
  onOrder,
  onOpen,
  firstNumber,
  isStale,
  empty,
}: {
  readonly caption: string;
  readonly answer: Pick<ListRecordsResponse, 'records' | 'fieldDefinitions'>;
  readonly order: string | undefined;
  readonly canOrder: boolean;
  readonly onOrder: (field: string) => void;
  /** Opens the record with this place on the page. */
  readonly onOpen: (index: number) => void;
  readonly firstNumber: number;
  /** Other records are on their way. */
  readonly isStale: boolean;
  readonly empty: ReactNode;
}) {
  const numbers: Column<Row> = {
    id: ' open',
    header: <span className="visually-hidden">Open</span>,
    isNumber: true,
    cell: ({ index }) => (
      <Button
        kind="quiet"
        size="small"
        className={styles.open ?? ''}
        aria-label={`Open record ${formatCount(firstNumber + index)}`}
        onPress={() => onOpen(index)}
      >
        {formatCount(firstNumber + index)}
      </Button>
    ),
  };
  const columns = fieldDefinitions.map((field) => toColumn({ field, order, canOrder, onOrder }));
  const steady = useSteadyColumns({
    columns: fieldDefinitions.map(({ name }) => name).join(),
    rows: records,
    isFirst: firstNumber === 1,
  });
  return (
    <div ref={steady} className={isStale ? styles.stale : ''} aria-busy={isStale}>
      <DataTable
        caption={caption}
        columns={[numbers, ...columns]}
        rows={records.map(({ fields }, index): Row => ({ index, fields }))}
        rowKey={({ index }) => String(index)}
        onRowClick={({ index }) => onOpen(index)}
        empty={empty}
        isTall
      />
    </div>
  );
}

function toColumn({
  field,
  order,
  canOrder,
  onOrder,
}: {
  readonly field: FieldDefinition;
  readonly order: string | undefined;
  readonly canOrder: boolean;
  readonly onOrder: (field: string) => void;
}): Column<Row> {
  const by = order === undefined ? undefined : parseOrder(order);
  const direction = by?.fieldName === field.name ? by.direction : undefined;
  return {
    id: field.name,
    isNumber: isNumberField(field),
    sort: direction === undefined ? undefined : direction === 'ASC' ? 'ascending' : 'descending',
    header: canOrder ? (
      <button
        type="button"
        className={styles.order}
        title={field.description}
        onClick={() => onOrder(field.name)}
      >
        {field.name}
        <span className={styles.arrow} aria-hidden="true">
          {direction === undefined ? '↕' : direction === 'ASC' ? '↑' : '↓'}
        </span>
      </button>
    ) : (
      <span title={field.description}>{field.name}</span>
    ),
    cell: ({ fields }) => (
      <div className={styles.cell} dir={isNumberField(field) ? undefined : 'auto'}>
        <ValueText field={field} value={fields[field.name] ?? null} />
      </div>
    ),
  };
}
