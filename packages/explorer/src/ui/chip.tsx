import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import styles from './chip.module.css';

/** Something chosen that can be taken away. With a colour, it is the legend of that colour too. */
export function Chip({
  children,
  title,
  colour,
  isSuggested = false,
  removeLabel,
  onRemove,
}: {
  readonly children: ReactNode;
  readonly title?: string | undefined;
  /** A colour of the theme in CSS, such as `var(--series-1)`. */
  readonly colour?: string | undefined;
  /** Chosen by the page, not by the reader. */
  readonly isSuggested?: boolean;
  readonly removeLabel: string;
  readonly onRemove: () => void;
}) {
  return (
    <li className={styles.chip} data-suggested={isSuggested || undefined} title={title}>
      {colour !== undefined && (
        <span className={styles.swatch} style={{ background: colour }} aria-hidden="true" />
      )}
      <span className={styles.text} dir="auto">
        {children}
      </span>
      <Button className={styles.remove ?? ''} aria-label={removeLabel} onPress={onRemove}>
        <span aria-hidden="true">×</span>
      </Button>
    </li>
  );
}
