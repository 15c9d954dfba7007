import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components';
import styles from './field.module.css';

export type Choice<Value extends string> = { readonly value: Value; readonly label: string };

/** One of a few choices. */
export function Select<Value extends string>({
  label,
  choices,
  value,
  onChange,
  isLabelHidden = false,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly isLabelHidden?: boolean;
}) {
  return (
    <AriaSelect
      className={styles.field ?? ''}
      value={value}
      onChange={(key) => {
        const choice = choices.find((one) => one.value === key);
        if (choice !== undefined) onChange(choice.value);
      }}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : styles.label}>{label}</Label>
      <Button className={styles.trigger ?? ''}>
        <SelectValue>
          {({ isPlaceholder, defaultChildren }) => (isPlaceholder ? 'Choose…' : defaultChildren)}
        </SelectValue>
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className={styles.popover ?? ''}>
        <ListBox className={styles.list ?? ''}>
          {choices.map((choice) => (
            <ListBoxItem
              key={choice.value}
              id={choice.value}
              textValue={choice.label}
              className={styles.option ?? ''}
            >
              {choice.label}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
