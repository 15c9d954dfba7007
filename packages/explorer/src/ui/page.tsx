import type { ReactNode } from 'react';
import styles from './page.module.css';

/** A view: its heading with what belongs to it, then its content. Sets the title of the window. */
export function Page({
  title,
  lead,
  above,
  actions,
  tabs,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Shown above the heading, such as the path to the view. */
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly tabs?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <>
      <title>{`${title} · Locmetrics`}</title>
      <header className={styles.header}>
        {above !== undefined && <div className={styles.above}>{above}</div>}
        <div className={styles.heading}>
          <h1 dir="auto">{title}</h1>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
        {lead !== undefined && lead !== '' && (
          <div className={styles.lead} dir="auto">
            {lead}
          </div>
        )}
        {tabs}
      </header>
      {children}
    </>
  );
}
