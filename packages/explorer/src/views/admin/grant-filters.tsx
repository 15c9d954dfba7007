import { FILTER_OPERATOR_NAMES, FILTER_OPERATORS } from '@locmetrics/contract/filter-operators';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { reportQuery } from '../../data/admin-queries.ts';
import { operatorTakes, operatorWord } from '../../format/operators.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './admin.module.css';
import { type FilterDraft, toClause } from './grant-draft.ts';
import { grantErrorsAt } from './grant-errors.ts';
import { GrantValues } from './grant-values.tsx';
import { PlaceErrors } from './place-errors.tsx';
import { useAdmin } from './use-admin.ts';

/**
 * The operators of filters by the type of the field; those of all types while it is not known. The catalog interface publishes
 * them with each field, but only to callers with its scope and a grant, which an administrator need not have. The report of a
 * version, which an administrator can read, has only the type.
 */
function operatorsOf(type: string): readonly string[] {
  return FILTER_OPERATOR_NAMES.filter(
    (name) => type === '' || FILTER_OPERATORS[name].types.some((supported) => supported === type),
  );
}

/** The filters of a grant, a row each. Without a dataset the name of the field is written. */
export function GrantFilters({
  pattern,
  dataset = '',
  version = '',
  filters,
  onChange,
  error,
}: {
  readonly pattern: string;
  readonly dataset: string | undefined;
  readonly version: string | undefined;
  readonly filters: readonly FilterDraft[];
  readonly onChange: (filters: readonly FilterDraft[]) => void;
  readonly error: unknown;
}) {
  const { data } = useQuery({
    ...reportQuery(useAdmin(), dataset, version),
    enabled: dataset !== '',
  });
  const fields = data?.fields ?? [];
  const part = useRef<HTMLElement>(null);
  const isAdded = useRef(false);
  // The button is below the new filter: the focus goes back up to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when a filter was added
  useEffect(() => {
    if (isAdded.current) {
      part.current?.querySelector<HTMLElement>('fieldset:last-of-type :is(button, input)')?.focus();
    }
    isAdded.current = false;
  }, [filters.length]);
  const add = (): void => {
    isAdded.current = true;
    const id = Math.max(0, ...filters.map((filter) => filter.id)) + 1;
    const { name: fieldName = '', type = '' } = fields[0] ?? {};
    onChange([...filters, { id, fieldName, operator: usualOperator(type), values: [] }]);
  };
  return (
    <section ref={part} className={styles.part}>
      <h2>Records</h2>
      {filters.length === 0 && <p className={styles.quiet}>All records. A filter narrows them.</p>}
      {filters.map((filter, index) => {
        const set = (changed: Partial<FilterDraft>): void =>
          onChange(filters.map((one) => (one === filter ? { ...one, ...changed } : one)));
        const type = fields.find(({ name }) => name === filter.fieldName)?.type ?? '';
        const takes = operatorTakes(filter.operator);
        return (
          <fieldset key={filter.id} className={styles.filter}>
            <legend className="visually-hidden">{`Filter ${index + 1}`}</legend>
            <div className={`${styles.row} ${styles.list}`}>
              {fields.length > 0 ? (
                <Select
                  label="Field"
                  choices={fields.map(({ name }) => ({ value: name, label: name }))}
                  value={filter.fieldName}
                  onChange={(fieldName) => {
                    const next = fields.find(({ name }) => name === fieldName)?.type ?? '';
                    set({ fieldName, operator: usualOperator(next), values: [] });
                  }}
                />
              ) : (
                <TextField
                  label="Field"
                  value={filter.fieldName}
                  onChange={(fieldName) => set({ fieldName })}
                  isRequired
                />
              )}
              <Select
                label="Operator"
                choices={operatorsOf(type).map((value) => ({
                  value,
                  label: operatorWord(value, 'string'),
                }))}
                value={filter.operator}
                onChange={(operator) =>
                  set({ operator, values: valuesFor(operator, filter.values) })
                }
              />
              {takes !== 'none' && (
                <GrantValues
                  label={takes === 'list' ? 'Values' : 'Value'}
                  place={{ pattern, member: 'filters', name: filter.fieldName }}
                  values={filter.values}
                  onChange={(values) => set({ values })}
                  checks={{ pattern, filters: [toClause(filter)] }}
                  isOne={takes === 'one'}
                />
              )}
              <Button
                kind="quiet"
                aria-label={`Remove filter ${index + 1}`}
                onPress={() => onChange(filters.filter((one) => one !== filter))}
              >
                Remove
              </Button>
            </div>
            <PlaceErrors messages={grantErrorsAt(error, `/filters/${index}`)} />
          </fieldset>
        );
      })}
      <div>
        <Button onPress={add}>Add a filter</Button>
      </div>
    </section>
  );
}

/** Most grants name some values, such as the states that were bought. */
function usualOperator(type: string): string {
  return type !== '' && operatorsOf(type).includes('in') ? 'in' : '==';
}

/** Another operator keeps the values that it can take. */
function valuesFor(operator: string, values: readonly string[]): readonly string[] {
  switch (operatorTakes(operator)) {
    case 'none':
      return [];
    case 'one':
      return values.slice(0, 1);
    case 'list':
      return values;
  }
}
