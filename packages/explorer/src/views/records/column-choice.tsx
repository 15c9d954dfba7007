import type { FieldDefinition } from '@locmetrics/client';
import { Checkbox, CheckboxGroup } from 'react-aria-components';
import { fieldTypeWord } from '../../format/fields.ts';
import { Button } from '../../ui/button.tsx';
import { PopoverForm } from '../../ui/popover-form.tsx';
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
      {() => (
        <>
          <div className={styles.actions}>
            <Button size="small" onPress={() => choose(fields.map(({ name }) => name))}>
              All
            </Button>
            <Button size="small" onPress={() => onChange(undefined)}>
              Those of the dataset
            </Button>
          </div>
          <CheckboxGroup
            aria-label="Columns"
            className={styles.fields ?? ''}
            value={[...shown]}
            onChange={choose}
          >
            {fields.map((field) => (
              <Checkbox key={field.name} value={field.name} className={styles.field ?? ''}>
                <span className={styles.box} aria-hidden="true" />
                <span>
                  <code>{field.name}</code>
                  <span className={styles.meaning}>
                    {[fieldTypeWord(field), field.description].join(' · ')}
                  </span>
                </span>
              </Checkbox>
            ))}
          </CheckboxGroup>
        </>
      )}
    </PopoverForm>
  );
}
