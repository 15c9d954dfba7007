import type { FieldDefinition } from '@locmetrics/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldValuesQuery } from '../../data/record-queries.ts';
import { type Selection, toBoundingBox } from '../../data/selection.ts';
import { useSession } from '../../session/session-context.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { useDelayed } from '../../ui/use-delayed.ts';

const DEBOUNCE_MS = 200;
const OFFERED = 20;

/** A text with the values that the field has, in the records that the rest of the selection leaves. */
export function ValueChoice({
  dataset,
  field,
  rest,
  value,
  onChange,
  onChoose,
  isList,
  autoFocus,
}: {
  readonly dataset: string;
  readonly field: FieldDefinition;
  /** The selection without the filter that the value is for. */
  readonly rest: Selection;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** One of the values was chosen. */
  readonly onChoose: (value: string) => void;
  /** Whether it is one of several values. */
  readonly isList: boolean;
  readonly autoFocus: boolean;
}) {
  // The list offers all values again, once one is chosen.
  const [isTyped, setTyped] = useState(false);
  const term = useDelayed(isTyped ? value : '', DEBOUNCE_MS);
  const boundingBox = toBoundingBox(rest);
  const { data, error } = useQuery(
    fieldValuesQuery(useSession(), {
      dataReferenceName: dataset,
      field: field.name,
      ...(term === '' ? {} : { term }),
      ...(rest.filters === undefined || rest.filters.length === 0 ? {} : { filters: rest.filters }),
      ...(boundingBox === undefined ? {} : { options: { boundingBox } }),
      pageSize: OFFERED,
    }),
  );
  const values = data?.values ?? [];
  return (
    <ComboBox
      label="Value"
      input={value}
      onInput={(next) => {
        setTyped(true);
        onChange(next);
      }}
      onChoose={(chosen) => {
        setTyped(false);
        onChoose(chosen);
      }}
      items={values.map((text) => ({ text }))}
      empty={emptyText(error, data !== undefined)}
      more={
        data !== undefined && data.nextPageToken !== ''
          ? `The first ${OFFERED} are shown: type to find more.`
          : undefined
      }
      isFree
      isList={isList}
      isRequired={!isList}
      autoFocus={autoFocus}
    />
  );
}

function emptyText(error: Error | null, isRead: boolean): string {
  if (error !== null) return `No values can be offered: ${error.message}`;
  return isRead ? 'No value contains this text.' : 'Reading the values…';
}
