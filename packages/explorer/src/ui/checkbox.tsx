import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import styles from './checkbox.module.css';

/** A choice between yes and no, with its label. */
export function Checkbox({
  isSelected,
  onChange,
  children,
}: {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <AriaCheckbox className={styles.checkbox ?? ''} isSelected={isSelected} onChange={onChange}>
      <span className={styles.box} aria-hidden="true">
        {isSelected && '✓'}
      </span>
      {children}
    </AriaCheckbox>
  );
}
