import type { ReactNode } from 'react';
import { Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components';
import styles from './popover-form.module.css';

/** A small dialog beside the button that opens it. Escape closes it, and the focus returns to the button. */
export function PopoverForm({
  title,
  trigger,
  children,
}: {
  readonly title: string;
  /** The button. */
  readonly trigger: ReactNode;
  readonly children: (close: () => void) => ReactNode;
}) {
  return (
    <DialogTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''} placement="bottom start">
        <Dialog className={styles.dialog ?? ''}>
          {({ close }) => (
            <>
              <Heading slot="title" level={2} className={styles.title ?? ''}>
                {title}
              </Heading>
              {children(close)}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
