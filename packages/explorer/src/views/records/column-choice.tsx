import type { FieldDefinition } from '@locmetrics/client';
import { useState } from 'react';
import { Checkbox, CheckboxGroup } from 'react-aria-components';
import { fieldNote } from '../../format/fields.ts';
import { hasWords } from '../../format/words.ts';
import { Button } from '../../ui/button.tsx';
import { PopoverForm } from '../../ui/popover-form.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './column-choice.module.css';

/** Chooses the columns. Undefined: those that are included by default. */
export function ColumnChoice({
  fields,
  chosen,
  onChange,
}: {
  readonly fields: readonly FieldDefinition[];
  readonly chosen: readonly string[] | undefined;
  readonly onChange: (chosen: readonly string[] | undefined) => void;
}) {
  const byDefault = fields.filter((field) => field.includedByDefault).map(({ name }) => name);
  const shown = chosen ?? byDefault;
  const choose = (names: readonly string[]): void => {
    // In the order of the dataset. At least one stays: records without fields say nothing.
    const next = fields.map(({ name }) => name).filter((name) => names.includes(name));
    if (next.length === 0) return;
    onChange(next.join() === byDefault.join() ? undefined : next);
  };
  return (
    <PopoverForm
      title="Columns"
      trigger={
        <Button>
          Columns: {shown.length} of {fields.length}
        </Button>
      }
    >
      {() => <Columns fields={fields} shown={shown} onChoose={choose} />}
    </PopoverForm>
  );
}

/** Fewer can be seen at once. */
const FOUND_FROM = 20;

function Columns({
  fields,
  shown,
  onChoose,
}: {
  readonly fields: readonly FieldDefinition[];
  readonly shown: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
}) {
  const [text, setText] = useState('');
  const found = fields.filter((field) => hasWords(`${field.name} ${field.description}`, text));
  const isFound = found.length < fields.length;
  const namesOf = (some: readonly FieldDefinition[]) => some.map(({ name }) => name);
  return (
    <>
      <div className={styles.actions}>
        <Button size="small" onPress={() => onChoose(namesOf(fields))}>
          All
        </Button>
        <Button
          size="small"
          onPress={() => onChoose(namesOf(fields.filter((field) => field.includedByDefault)))}
        >
          Those of the dataset
        </Button>
        {isFound && found.length > 0 && (
          <Button size="small" onPress={() => onChoose(namesOf(found))}>
            Only these {found.length}
          </Button>
        )}
      </div>
      {fields.length >= FOUND_FROM && (
        <TextField label="Find columns" value={text} onChange={setText} autoComplete="off" />
      )}
      {found.length === 0 && <p>No column has this in its name or description.</p>}
      {/* Those that are not found stay as they were chosen. */}
      <CheckboxGroup
        aria-label="Columns"
        className={styles.fields ?? ''}
        value={[...shown]}
        onChange={onChoose}
      >
        {found.map((field) => (
          <Checkbox key={field.name} value={field.name} className={styles.field ?? ''}>
            <span className={styles.box} aria-hidden="true" />
            <span>
              <code>{field.name}</code>
              <span className={styles.meaning} dir="auto">
                {fieldNote(field)}
              </span>
            </span>
          </Checkbox>
        ))}
      </CheckboxGroup>
    </>
  );
}
