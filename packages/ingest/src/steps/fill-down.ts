import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { WatchedConnection } from '@locmetrics/column-store/publish/watched-connection';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { FillDown } from '../manifest/row-steps.ts';
import {
  HIDDEN_ROW,
  hiddenColumn,
  type Rows,
  rowsTable,
  SOURCE_ROW,
  storedRows,
  textColumn,
} from './staged-rows.ts';
import { StepError } from './step-error.ts';

/** A fill that is checked but not run. */
export type Filling = {
  readonly run: () => Promise<{ readonly rows: Rows; readonly notices: readonly string[] }>;
};

/**
 * Gives blank values of columns the last value above them, in the order of the rows. A value of a column ends those of the
 * columns that are listed after it, and a file ends those of the file before it.
 */
export function fillDown(
  { run, list }: Pick<WatchedConnection, 'run' | 'list'>,
  { columns: filled, number }: FillDown & { readonly number: number },
  {
    before,
    fileStarts,
  }: {
    readonly before: Rows;
    /** The numbers of the first rows of the files. */
    readonly fileStarts: readonly number[];
  },
): Filling {
  const keys = ['rows', String(number), 'fill_down'];
  for (const [index, name] of filled.entries()) {
    if (before.columns.includes(name)) continue;
    throw new StepError([...keys, String(index)], {
      reason: `there is no column '${name}'`,
      hint: nameHint(name, before.columns),
    });
  }
  const place = hiddenColumn('place', 0);
  const file = hiddenColumn('file', 0);
  const texts = filled.map((name) => `nullif(trim(${quoteIdentifier(name)}), '')`);
  const groups = texts.flatMap((_, index) =>
    index === 0
      ? []
      : [
          `count(coalesce(${texts.slice(0, index).join(', ')})) OVER (PARTITION BY ${file} ORDER BY ${place} ROWS UNBOUNDED PRECEDING) AS ${hiddenColumn('group', index)}`,
        ],
  );
  const starts = fileStarts.filter((row) => row > 0);
  const fileNumber =
    starts.length === 0
      ? '0'
      : `len(list_filter([${starts.join(', ')}], lambda start: start <= ${HIDDEN_ROW}))`;
  const filledText = (name: string): string => {
    const index = filled.indexOf(name);
    const own = quoteIdentifier(name);
    if (index < 0) return own;
    const within = index === 0 ? file : `${file}, ${hiddenColumn('group', index)}`;
    return `last_value(CASE WHEN ${texts[index]} IS NOT NULL THEN ${own} END IGNORE NULLS)
      OVER (PARTITION BY ${within} ORDER BY ${place} ROWS UNBOUNDED PRECEDING)`;
  };
  return {
    run: async () => {
      const table = rowsTable(number);
      const values = before.columns.map(
        (name, index) => `${filledText(name)} AS ${textColumn(index)}`,
      );
      const counts = texts.map(
        (text, index) => `${text} IS NULL AS ${hiddenColumn('blank', index)}`,
      );
      await run(`CREATE TABLE ${table} AS
        SELECT ${[`${HIDDEN_ROW} AS ${SOURCE_ROW}`, ...values, ...counts].join(', ')}
        FROM (SELECT ${['*', ...groups].join(', ')}
          FROM (SELECT *, row_number() OVER () AS ${place}, ${fileNumber} AS ${file}
            FROM (${before.sql(before.base)})))
        ORDER BY ${place}`);
      const notices: string[] = [];
      for (const [index, name] of filled.entries()) {
        const text = textColumn(before.columns.indexOf(name));
        const [row] = await list(
          `SELECT count(*)::DOUBLE AS filled FROM ${table}
            WHERE ${hiddenColumn('blank', index)} AND ${text} IS NOT NULL`,
        );
        const count = row === undefined ? 0 : numberOf(row, 'filled');
        if (count === 0) continue;
        notices.push(
          `${count.toLocaleString('en-US')} ${count === 1 ? 'row gets' : 'rows get'} the ${name} of the row above (rows[${number}].fill_down).`,
        );
      }
      return { rows: storedRows({ base: table, columns: before.columns, keys }), notices };
    },
  };
}
