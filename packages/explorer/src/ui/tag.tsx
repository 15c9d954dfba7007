import type { ReactNode } from 'react';
import styles from './tag.module.css';

/** A short word about a thing, such as its type or state. */
export function Tag({
  kind = 'plain',
  children,
}: {
  readonly kind?: 'plain' | 'accent' | 'good' | 'warning' | 'danger';
  readonly children: ReactNode;
}) {
  return <span className={`${styles.tag} ${styles[kind]}`}>{children}</span>;
}
