import type { GrantTerms } from '@locmetrics/client/admin';
import { useQuery } from '@tanstack/react-query';
import { grantValuesQuery } from '../../data/admin-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './admin.module.css';
import type { GroupDraft } from './grant-draft.ts';
import { GrantValues, type ValuePlace } from './grant-values.tsx';
import { useAdmin } from './use-admin.ts';

/** The components or dimensions that a grant of metrics is narrowed by, each with its values. */
export function GrantGroups({
  noun,
  pattern,
  member,
  groups,
  onChange,
  termsOf,
}: {
  readonly noun: string;
  readonly pattern: string;
  readonly member: ValuePlace['member'];
  readonly groups: readonly GroupDraft[];
  readonly onChange: (groups: readonly GroupDraft[]) => void;
  /** A grant of one group alone. */
  readonly termsOf: (group: GroupDraft) => GrantTerms;
}) {
  const { data: names = [] } = useQuery({
    ...grantValuesQuery(useAdmin(), { pattern, member, pageSize: 100 }),
    retry: false,
  });
  const add = (): void => {
    const id = Math.max(0, ...groups.map((group) => group.id)) + 1;
    const free = names.find(({ value }) => !groups.some(({ name }) => name === value));
    onChange([...groups, { id, name: free?.value ?? '', values: [] }]);
  };
  if (names.length === 0 && groups.length === 0) return null;
  return (
    <>
      {groups.map((group) => {
        const set = (changed: Partial<GroupDraft>): void =>
          onChange(groups.map((one) => (one === group ? { ...one, ...changed } : one)));
        return (
          <fieldset key={group.id} className={styles.filter}>
            <legend className="visually-hidden">{`${noun} ${group.name}`}</legend>
            <div className={`${styles.row} ${styles.list}`}>
              {names.some(({ value }) => value === group.name) ? (
                <Select
                  label={noun}
                  choices={names.map(({ value }) => ({ value, label: value }))}
                  value={group.name}
                  onChange={(name) => set({ name, values: [] })}
                />
              ) : (
                <TextField
                  label={noun}
                  value={group.name}
                  onChange={(name) => set({ name })}
                  isRequired
                />
              )}
              <GrantValues
                label={`Values of ${group.name}`}
                place={{ pattern, member, name: group.name }}
                values={group.values}
                onChange={(values) => set({ values })}
                checks={termsOf(group)}
              />
              <Button
                kind="quiet"
                aria-label={`Remove ${noun.toLowerCase()} ${group.name}`}
                onPress={() => onChange(groups.filter((one) => one !== group))}
              >
                Remove
              </Button>
            </div>
          </fieldset>
        );
      })}
      <div>
        <Button onPress={add}>{`Narrow by ${noun.toLowerCase()}`}</Button>
      </div>
    </>
  );
}
