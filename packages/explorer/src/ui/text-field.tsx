import {
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  Text,
  type TextFieldProps,
} from 'react-aria-components';
import styles from './field.module.css';

/** A line of text with its label, what it means, and what is wrong with it. */
export function TextField({
  label,
  description,
  placeholder = '',
  isLabelHidden = false,
  ...rest
}: Omit<TextFieldProps, 'className' | 'style' | 'children'> & {
  readonly label: string;
  readonly description?: string | undefined;
  readonly placeholder?: string;
  readonly isLabelHidden?: boolean;
}) {
  return (
    <AriaTextField {...rest} className={styles.field ?? ''}>
      <Label className={isLabelHidden ? 'visually-hidden' : styles.label}>{label}</Label>
      <Input className={styles.input ?? ''} placeholder={placeholder} />
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ''} />
    </AriaTextField>
  );
}
