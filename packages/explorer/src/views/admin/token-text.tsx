import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './admin.module.css';

/** A token that was made just now. Its text is only in this page. */
export type NewToken = { readonly name: string; readonly text: string; readonly note: string };

/** Shows the text of a new token, once. */
export function TokenText({
  created: { name, text, note },
  onClose,
}: {
  readonly created: NewToken;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={`The token ${name}`} isDismissable={false} onClose={onClose}>
      <Notice kind="warning" title="Copy it now: it is shown only once.">
        The service stores only its hash. If you lose it, create another one.
      </Notice>
      <div className={styles.secret}>
        <code>{text}</code>
        <CopyButton text={text} label="Copy the token" />
      </div>
      <p>{note}</p>
      <div className={styles.end}>
        <Button kind="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
