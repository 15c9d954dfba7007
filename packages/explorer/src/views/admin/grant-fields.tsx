import { useQuery } from '@tanstack/react-query';
import { reportQuery } from '../../data/admin-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Checkboxes } from '../../ui/checkboxes.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './admin.module.css';
import { PlaceErrors } from './place-errors.tsx';
import { useAdmin } from './use-admin.ts';

/** The fields that a grant of a dataset shows: all, also later ones, or some. */
export function GrantFields({
  dataset,
  version,
  fields,
  onChange,
  messages,
}: {
  readonly dataset: string;
  readonly version: string;
  readonly fields: readonly string[] | undefined;
  readonly onChange: (fields: readonly string[] | undefined) => void;
  readonly messages: readonly string[];
}) {
  const { data, error } = useQuery(reportQuery(useAdmin(), dataset, version));
  if (error !== null) return <Problem error={error} />;
  const names = data?.fields.map(({ name }) => name) ?? [];
  return (
    <section className={styles.part}>
      <h2>Fields</h2>
      <Checkbox
        isSelected={fields === undefined}
        isDisabled={data === undefined}
        onChange={(isAll) => onChange(isAll ? undefined : names)}
      >
        All fields, including those of later versions
      </Checkbox>
      {fields !== undefined && (
        <>
          <div className={styles.actions}>
            <Button size="small" onPress={() => onChange(names)}>
              Choose all
            </Button>
            <Button size="small" onPress={() => onChange([])}>
              Choose none
            </Button>
          </div>
          <Checkboxes
            label={`${fields.length} of ${names.length} fields`}
            choices={names.map((name) => ({ value: name, label: name }))}
            value={fields}
            onChange={onChange}
          />
        </>
      )}
      <PlaceErrors messages={messages} />
    </section>
  );
}
