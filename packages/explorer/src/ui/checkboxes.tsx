import { CheckboxGroup, FieldError, Label, Text } from 'react-aria-components';
import styles from './checkbox.module.css';
import { Checkbox } from './checkbox.tsx';
import type { Choice } from './select.tsx';

/** Several of some choices. */
export function Checkboxes({
  label,
  name,
  description,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  /** The member of the request that it is about. */
  readonly name?: string;
  readonly description?: string;
  readonly choices: readonly Choice<string>[];
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}) {
  return (
    <CheckboxGroup
      {...(name === undefined ? {} : { name })}
      className={styles.group ?? ''}
      value={[...value]}
      onChange={onChange}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      {description !== undefined && (
        <Text slot="description" className={styles.description ?? ''}>
          {description}
        </Text>
      )}
      <div className={styles.choices}>
        {choices.map((choice) => (
          <Checkbox key={choice.value} value={choice.value}>
            {choice.label}
          </Checkbox>
        ))}
      </div>
      <FieldError className={styles.error ?? ''} />
    </CheckboxGroup>
  );
}
