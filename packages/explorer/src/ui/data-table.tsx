import type { MouseEvent, ReactNode } from 'react';
import styles from './data-table.module.css';
import { usePhone } from './use-phone.ts';

export type Column<Row> = {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean;
  readonly sort?: 'ascending' | 'descending' | undefined;
  /** Its buttons are in the first column on a phone, where the last one is reached only by scrolling sideways. */
  readonly isOfActions?: boolean;
};

/** A table that scrolls sideways by itself, so that the page does not. */
export function DataTable<Row>({
  caption,
  columns: all,
  rows,
  rowKey,
  onRowClick,
  empty,
  isTall = false,
}: {
  /** The name of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string;
  /** Called for a click on a row; a button in the row does the same, for the keyboard. */
  readonly onRowClick?: (row: Row) => void;
  /** Shown in place of rows if there are none. */
  readonly empty?: ReactNode;
  /** Whether it scrolls up and down by itself too, below a heading that stays. */
  readonly isTall?: boolean;
}) {
  const columns = useOrder(all);
  return (
    <section
      className={isTall ? `${styles.frame} ${styles.tall}` : styles.frame}
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by keyboard
      tabIndex={0}
    >
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ id, header, isNumber, sort }) => (
              <th key={id} scope="col" className={isNumber ? styles.number : ''} aria-sort={sort}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={rowKey(row, index)}
              className={onRowClick === undefined ? '' : styles.opens}
              onClick={(event) => {
                if (isMeantForRow(event)) onRowClick?.(row);
              }}
            >
              {columns.map(({ id, cell, isNumber }) => (
                <td key={id} className={isNumber ? styles.number : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && empty !== undefined && <div className={styles.empty}>{empty}</div>}
    </section>
  );
}

/** The columns as the width of the window allows. */
function useOrder<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const [first, ...others] = columns;
  const actions = others.filter(({ isOfActions }) => isOfActions);
  if (!usePhone() || first === undefined || actions.length === 0) return columns;
  const both: Column<Row> = {
    ...first,
    cell: (row) => (
      <>
        {first.cell(row)}
        {actions.map(({ id, cell }) => (
          <div key={id} className={styles.actions}>
            {cell(row)}
          </div>
        ))}
      </>
    ),
  };
  return [both, ...others.filter(({ isOfActions }) => !isOfActions)];
}

/** A click on a button in the row, or the end of marking text, is not one on the row. */
function isMeantForRow({ target }: MouseEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('button, a, input') !== null;
  return !isOnControl && getSelection()?.isCollapsed !== false;
}
