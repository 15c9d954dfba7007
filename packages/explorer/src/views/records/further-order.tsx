import type { FieldDefinition } from '@locmetrics/client';
import { type Ordered, orderList, parseOrder } from '../../data/records-address.ts';
import { Select } from '../../ui/select.tsx';

/** Orders by one more field. A heading does it with Shift; a finger has no such key. */
export function FurtherOrder({
  fields,
  ordered,
  onFurther,
}: {
  readonly fields: readonly FieldDefinition[];
  readonly ordered: Ordered;
  readonly onFurther: (field: string) => void;
}) {
  const all = orderList(ordered);
  const choices = fields.map(({ name }) => {
    const place = all.findIndex((one) => parseOrder(one).fieldName === name);
    return { value: name, label: place === -1 ? name : `${name} ${orderMark(all, place)}` };
  });
  return (
    <Select
      label="Then by"
      isLabelHidden
      choices={[{ value: '', label: 'Then by…' }, ...choices]}
      value=""
      onChange={(field) => {
        if (field !== '') onFurther(field);
      }}
    />
  );
}

/** The direction of a field of an order, and its place if there are several. */
export function orderMark(all: readonly string[], place: number): string {
  const arrow = all[place]?.startsWith('-') ? '↓' : '↑';
  return all.length === 1 ? arrow : `${arrow}${place + 1}`;
}
