import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './side-panel.module.css';

/** A dialog at the side of the page. Escape closes it, and the focus returns to where it was. */
export function SidePanel({
  title,
  actions,
  onClose,
  children,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.panel ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <header className={styles.header}>
            <Heading slot="title" level={2} className={styles.title ?? ''}>
              {title}
            </Heading>
            <Button kind="quiet" size="small" aria-label="Close" onPress={onClose}>
              <span aria-hidden="true">✕</span>
            </Button>
            {actions !== undefined && <div className={styles.actions}>{actions}</div>}
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard */}
          <section className={styles.content} aria-label={title} tabIndex={0}>
            {children}
          </section>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
