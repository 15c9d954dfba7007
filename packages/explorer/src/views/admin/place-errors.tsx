import styles from './admin.module.css';

/** The errors of a part of a form. */
export function PlaceErrors({ messages }: { readonly messages: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <div role="alert" className={styles.error}>
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}
