import type { ReactNode } from 'react';
import styles from './notice.module.css';

export type NoticeKind = 'info' | 'warning' | 'danger';

/** A message that belongs to what is around it; read out when it appears. */
export function Notice({
  kind,
  title,
  children,
  actions,
}: {
  readonly kind: NoticeKind;
  readonly title?: string | undefined;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={kind === 'info' ? 'status' : 'alert'}>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      {children !== undefined && <div>{children}</div>}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
