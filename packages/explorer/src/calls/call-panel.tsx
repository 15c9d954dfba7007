import { CopyButton } from '../ui/copy-button.tsx';
import type { Call } from './call.ts';
import styles from './call-panel.module.css';
import { toCurl } from './to-curl.ts';

/** The call for what is on the screen, ready to paste. */
export function CallPanel({ call }: { readonly call: Call }) {
  const text = toCurl(call);
  return (
    <section aria-label="The call" className={styles.panel}>
      <CopyButton text={text} />
      <pre>{text}</pre>
    </section>
  );
}
