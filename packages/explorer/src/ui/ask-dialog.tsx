import { type FormEvent, type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { fieldErrors } from './field-errors.ts';
import { Problem } from './problem.tsx';

/**
 * Asks before something is changed, with fields or without. It stays open while the change is made, and if it fails:
 * then each error is at its field, or above the buttons.
 */
export function AskDialog({
  title,
  action,
  isDangerous = false,
  fields = [],
  explains = () => false,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  /** The text of the button, a verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The names of the fields inside: those of the members of the request. */
  readonly fields?: readonly string[];
  /** Whether what is inside explains an error itself. */
  readonly explains?: (error: unknown) => boolean;
  /** Makes the change. The dialog closes when it is made. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const { atFields, isComplete } = fieldErrors(error, fields);
  return (
    <Dialog
      title={title}
      role={isDangerous ? 'alertdialog' : 'dialog'}
      isDismissable={!isBusy}
      onClose={onClose}
    >
      <Form
        className={styles.form ?? ''}
        validationErrors={atFields}
        onSubmit={(event) => void submit(event)}
      >
        {/* A field that was refused blocks the form until its error is gone. */}
        <div className={styles.text} onInput={() => setError(undefined)}>
          {children}
        </div>
        {error !== undefined && !isComplete && !explains(error) && <Problem error={error} />}
        <div className={styles.actions}>
          <Button onPress={onClose} isDisabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isPending={isBusy}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
