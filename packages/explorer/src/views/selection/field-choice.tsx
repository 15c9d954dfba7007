import type { FieldDefinition } from '@locmetrics/client';
import { useState } from 'react';
import { fieldNote } from '../../format/fields.ts';
import { ComboBox } from '../../ui/combo-box.tsx';

/** Chooses one of the fields, by a part of its name or of its meaning. */
export function FieldChoice({
  fields,
  value,
  onChange,
  autoFocus,
}: {
  readonly fields: readonly FieldDefinition[];
  readonly value: FieldDefinition | undefined;
  readonly onChange: (field: FieldDefinition) => void;
  readonly autoFocus: boolean;
}) {
  const [input, setInput] = useState(value?.name ?? '');
  // The list offers all fields again, once one is chosen.
  const [isTyped, setTyped] = useState(false);
  const term = isTyped ? input : '';
  return (
    <ComboBox
      label="Field"
      input={input}
      onInput={(next) => {
        setInput(next);
        setTyped(true);
        const named = fields.find(({ name }) => name === next.trim());
        if (named !== undefined) onChange(named);
      }}
      onChoose={(name) => {
        setInput(name);
        setTyped(false);
        const field = fields.find((one) => one.name === name);
        if (field !== undefined) onChange(field);
      }}
      items={fields.filter((field) => isAbout(field, term)).map(toItem)}
      empty="No field has this in its name or description."
      description={value?.description}
      isFree
      isRequired
      autoFocus={autoFocus}
    />
  );
}

function isAbout({ name, description }: FieldDefinition, term: string): boolean {
  return `${name} ${description}`.toLowerCase().includes(term.trim().toLowerCase());
}

function toItem(field: FieldDefinition) {
  return { text: field.name, note: fieldNote(field) };
}
