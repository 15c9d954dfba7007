import type { DataReference, FilterClause } from '@locmetrics/client';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import type { Selection } from '../../data/selection.ts';
import { fieldKind } from '../../format/fields.ts';
import { operatorLabel, operatorNamesValues, operatorTakes } from '../../format/operators.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FieldChoice } from './field-choice.tsx';
import { draftOf, type FilterDraft, toFilter, withField, withValue } from './filter-draft.ts';
import styles from './filter-editor.module.css';
import { ValueChoice } from './value-choice.tsx';
import { ValueList } from './value-list.tsx';

/** Writes a filter, a new one or another in place of `filter`. */
export function FilterEditor({
  reference,
  filter,
  rest,
  onApply,
  onCancel,
}: {
  readonly reference: DataReference;
  readonly filter?: FilterClause | undefined;
  /** The selection without this filter. */
  readonly rest: Selection;
  readonly onApply: (filter: FilterClause) => void;
  readonly onCancel: () => void;
}) {
  const [draft, setDraft] = useState(() => draftOf(filter, reference.fields));
  const [isListEmpty, setListEmpty] = useState(false);
  const { field, operator } = draft;
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        const written = toFilter(draft);
        if (written === undefined) setListEmpty(field !== undefined);
        else onApply(written);
      }}
    >
      <FieldChoice
        fields={reference.fields.filter(({ filters }) => filters.supportedOperators.length > 0)}
        value={field}
        onChange={(next) => setDraft((before) => withField(before, next))}
        autoFocus={filter === undefined}
      />
      {field !== undefined && (
        <Select
          label="Condition"
          choices={field.filters.supportedOperators.map((value) => ({
            value,
            label: operatorLabel(value, fieldKind(field)),
          }))}
          value={operator}
          onChange={(next) => setDraft((before) => ({ ...before, operator: next }))}
        />
      )}
      <DraftValue
        draft={draft}
        dataset={reference.name}
        rest={rest}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        autoFocus={filter !== undefined}
      />
      {isListEmpty && (
        <p className={styles.problem} role="alert">
          Give at least one value.
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" kind="primary">
          {filter === undefined ? 'Add the filter' : 'Change the filter'}
        </Button>
        <Button kind="quiet" onPress={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}

function DraftValue({
  draft: { field, operator, value, values },
  dataset,
  rest,
  onChange,
  autoFocus,
}: {
  readonly draft: FilterDraft;
  readonly dataset: string;
  readonly rest: Selection;
  readonly onChange: (change: Partial<Pick<FilterDraft, 'value' | 'values'>>) => void;
  readonly autoFocus: boolean;
}) {
  const takes = operatorTakes(operator);
  if (field === undefined || takes === 'none') return null;
  const kind = fieldKind(field);
  const isList = takes === 'list';
  if (kind === 'boolean') {
    return (
      <Select
        label="Value"
        choices={YES_NO}
        value={value === 'false' ? 'false' : 'true'}
        onChange={(next) => onChange({ value: next })}
      />
    );
  }
  const add = (one: string): void => onChange({ value: '', values: withValue(values, one) });
  const isOffered = kind === 'string' && operatorNamesValues(operator);
  return (
    <>
      {isList && values.length > 0 && (
        <ValueList values={values} onChange={(next) => onChange({ values: next })} />
      )}
      <div className={styles.value}>
        <div className={styles.input}>
          {isOffered ? (
            <ValueChoice
              dataset={dataset}
              field={field}
              rest={rest}
              value={value}
              onChange={(next) => onChange({ value: next })}
              onChoose={(next) => (isList ? add(next) : onChange({ value: next }))}
              isList={isList}
              autoFocus={autoFocus}
            />
          ) : (
            <TextField
              label="Value"
              type={kind === 'date' ? 'date' : 'text'}
              value={value}
              onChange={(next) => onChange({ value: next })}
              placeholder={kind === 'date' ? '' : field.exampleValue}
              isRequired={!isList}
              autoFocus={autoFocus}
              autoComplete="off"
            />
          )}
        </div>
        {isList && (
          <Button onPress={() => add(value)} isDisabled={value.trim() === ''}>
            Add value
          </Button>
        )}
      </div>
    </>
  );
}

const YES_NO = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
] as const;
