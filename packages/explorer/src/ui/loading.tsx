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
