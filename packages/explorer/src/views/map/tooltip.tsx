import type { ReactNode } from 'react';
import styles from './tooltip.module.css';

/** What is below the pointer, beside it. Panels and lists say the same to those who use no pointer. */
export function Tooltip({
  at: { x, y },
  children,
}: {
  readonly at: { readonly x: number; readonly y: number };
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.layer} aria-hidden="true">
      <div
        className={styles.tooltip}
        style={{ left: `clamp(0.5rem, ${x + 14}px, 100% - 15.5rem)`, top: y }}
        data-below={y < 110 || undefined}
      >
        {children}
      </div>
    </div>
  );
}
