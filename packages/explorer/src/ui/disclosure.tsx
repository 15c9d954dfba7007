import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

/** A part of a view that is closed until somebody wants it. */
export function Disclosure({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <details className={styles.disclosure}>
      <summary className={styles.summary}>{title}</summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
