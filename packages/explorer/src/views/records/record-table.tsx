import type { FieldDefinition, ListRecordsResponse } from '@locmetrics/client';
import type { ReactNode } from 'react';
import { type Ordered, orderList, parseOrder } from '../../data/records-address.ts';
import { isNumberField } from '../../format/fields.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { orderMark } from './further-order.tsx';
import styles from './record-table.module.css';
import { useSteadyColumns } from './use-steady-columns.ts';
import { ValueText } from './value-text.tsx';

type Row = { readonly index: number; readonly fields: ListRecordsResponse['records'][0]['fields'] };

/** A page of records. A heading orders by its column; a row opens in full. */
export function RecordTable({
  caption,
  answer: { records, fieldDefinitions },
  ordered,
  canOrder,
  onOrder,
  onOpen,
  firstNumber,
  isStale,
  empty,
}: {
  readonly caption: string;
  readonly answer: Pick<ListRecordsResponse, 'records' | 'fieldDefinitions'>;
  readonly ordered: Ordered;
  readonly canOrder: boolean;
  /** With Shift a field is a further one of the order. */
  readonly onOrder: (field: string, isFurther: boolean) => void;
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
  const all = orderList(ordered);
  const columns = fieldDefinitions.map((field) => toColumn({ field, all, canOrder, onOrder }));
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
  all,
  canOrder,
  onOrder,
}: {
  readonly field: FieldDefinition;
  /** The fields of the order. */
  readonly all: readonly string[];
  readonly canOrder: boolean;
  readonly onOrder: (field: string, isFurther: boolean) => void;
}): Column<Row> {
  const place = all.findIndex((one) => parseOrder(one).fieldName === field.name);
  const direction = all[place]?.startsWith('-') ? 'descending' : 'ascending';
  return {
    id: field.name,
    isNumber: isNumberField(field),
    // One heading has it at a time; the others say it in words.
    sort: place === 0 ? direction : undefined,
    header: canOrder ? (
      <button
        type="button"
        className={styles.order}
        title={field.description}
        onClick={({ shiftKey }) => onOrder(field.name, shiftKey)}
      >
        {field.name}
        {place > 0 && (
          <span className="visually-hidden">{`number ${place + 1} of the order, ${direction}`}</span>
        )}
        <span
          className={styles.arrow}
          data-chosen={place === -1 ? undefined : true}
          aria-hidden="true"
        >
          {place === -1 ? '↕' : orderMark(all, place)}
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
