import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './dialog.module.css';

/** A dialog over the page. It keeps the focus, and gives it back when it closes. */
export function Dialog({
  title,
  role = 'dialog',
  isDismissable = true,
  onClose,
  children,
}: {
  readonly title: string;
  readonly role?: 'dialog' | 'alertdialog';
  /** Whether a press outside closes it. */
  readonly isDismissable?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <AriaDialog role={role} className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
