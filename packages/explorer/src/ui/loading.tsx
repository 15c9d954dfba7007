import type { ReactNode } from 'react';
import styles from './loading.module.css';

/** Says that something is being read. Short waits show nothing, so that nothing flickers. */
export function Loading({
  what,
  isLarge = false,
}: {
  readonly what: string;
  /** Whether it takes up the window: controls below come into view with it, and do not move from under a pointer. */
  readonly isLarge?: boolean;
}) {
  const saying = (
    <p className={styles.loading} role="status">
      <span className={styles.spinner} aria-hidden="true" />
      Reading {what}…
    </p>
  );
  return isLarge ? <div className={styles.large}>{saying}</div> : saying;
}

/** A part that grows while it is read: until then, it takes up the window, as a large `Loading` does. */
export function Growing({
  isReading,
  children,
}: {
  readonly isReading: boolean;
  readonly children: ReactNode;
}) {
  return <div className={isReading ? styles.large : ''}>{children}</div>;
}

/** Stands where something small is being read, such as a cell of a table. It says nothing by itself. */
export function LoadingMark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      …
    </span>
  );
}
