import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import { preparedRows } from '../../rows/stage-rows.ts';
import { type DraftField, type Point, timeSql } from './draft-fields.ts';
import type { ReadRows } from './open-rows.ts';

export const TYPED_ROWS = 'stage.main.typed_rows';

/** The values of the fields, each in a column. */
export async function createTyped(
  connection: ImportConnection,
  rows: ReadRows,
  fields: readonly DraftField[],
  point: Point | undefined,
): Promise<void> {
  const read = fields.filter(({ time }) => time === undefined);
  const documents = Object.fromEntries(read.map(({ name, document }) => [name, document]));
  const selection = rows.select(documents, point === undefined ? {} : { point });
  if (selection === undefined) throw new Error('The fields cannot be read.');
  const values = fields.map((field, index) => {
    const { time } = field;
    const reading = selection.readings[read.indexOf(field)];
    if (time === undefined) return `(${reading?.value}) AS v${index}`;
    const text = rows.textOf(time.column);
    return `${timeSql(text, time)} AS v${index}`;
  });
  await connection.run(
    `CREATE TABLE ${TYPED_ROWS} AS SELECT ${['true AS present', ...values].join(', ')}
      FROM ${preparedRows(selection, selection.readings)}`,
    selection.parameters,
  );
}

export type Stats = {
  readonly rowCount: number;
  readonly fields: readonly {
    readonly filled: number;
    readonly distinct: number;
    readonly least: number;
    readonly greatest: number;
    /** How many words a text has, in the mean. */
    readonly words: number;
  }[];
};

export async function readStats(
  connection: ImportConnection,
  fields: readonly DraftField[],
): Promise<Stats> {
  const parts = fields.flatMap(({ document }, index) => {
    const isNumber = document.type === 'integer' || document.type === 'float';
    const number = isNumber
      ? `v${index}`
      : document.type === 'string'
        ? `TRY_CAST(v${index} AS DOUBLE)`
        : 'NULL';
    return [
      `count(v${index})::DOUBLE AS filled_${index}`,
      `count(DISTINCT v${index})::DOUBLE AS distinct_${index}`,
      `coalesce(min(${number})::DOUBLE, 'NaN'::DOUBLE) AS least_${index}`,
      `coalesce(max(${number})::DOUBLE, 'NaN'::DOUBLE) AS greatest_${index}`,
      `coalesce(${document.type === 'string' ? `avg(length(v${index}) - length(replace(v${index}, ' ', '')) + 1)` : '0'}, 0)::DOUBLE AS words_${index}`,
    ];
  });
  const [row] = await connection.list(
    `SELECT ${['count(*)::DOUBLE AS row_count', ...parts].join(', ')} FROM ${TYPED_ROWS}`,
  );
  if (row === undefined) throw new Error('The rows cannot be counted.');
  return {
    rowCount: numberOf(row, 'row_count'),
    fields: fields.map((_, index) => ({
      filled: numberOf(row, `filled_${index}`),
      distinct: numberOf(row, `distinct_${index}`),
      least: numberOf(row, `least_${index}`),
      greatest: numberOf(row, `greatest_${index}`),
      words: numberOf(row, `words_${index}`),
    })),
  };
}
