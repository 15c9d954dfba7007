import styles from './loading.module.css';

/** Says that something is being read. Short waits show nothing, so that nothing flickers. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className={styles.loading} role="status">
      <span className={styles.spinner} aria-hidden="true" />
      Reading {what}…
    </p>
  );
}

/** Stands where something small is being read, such as a cell of a table. It says nothing by itself. */
export function LoadingMark() {
  return (
    <span className={styles.mark} aria-hidden="true">
      …
    </span>
  );
}
