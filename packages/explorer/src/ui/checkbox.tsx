import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components';
import styles from './checkbox.module.css';

/** Yes or no, with what it means. */
export function Checkbox({
  children,
  ...rest
}: Omit<CheckboxProps, 'className' | 'style' | 'children'> & { readonly children: ReactNode }) {
  return (
    <AriaCheckbox {...rest} className={styles.checkbox ?? ''}>
      <span className={styles.box} aria-hidden="true" />
      <span>{children}</span>
    </AriaCheckbox>
  );
}
