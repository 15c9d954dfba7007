import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { DraftField, Period } from '../values/draft-fields.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import { isMeasure } from './combine-repeated.ts';
import type { FoundKey } from './find-key.ts';

/** The whole numbers that never fall from one day to the next at any place, but often rise, as running totals do. */
export async function findRunning(
  connection: ImportConnection,
  {
    fields,
    key,
    placeSql,
    period,
    rowCount,
  }: {
    readonly fields: readonly DraftField[];
    readonly key: FoundKey;
    /** SQL of the place, if it is that of several columns. */
    readonly placeSql: string | undefined;
    readonly period: Period | undefined;
    readonly rowCount: number;
  },
): Promise<ReadonlySet<string>> {
  const day = fields.findIndex(({ name }) => name === period?.start);
  const isDaily = period?.unit === 'day' && key.repeatedCount === 0 && day >= 0;
  const measures = fields.flatMap((field, index) =>
    field.document.type === 'integer' && isMeasure(field, key)
      ? [{ ...field, sql: `v${index}` }]
      : [],
  );
  if (!isDaily || measures.length === 0 || rowCount > ROWS_MAX) return new Set();
  const parts = key.fields.flatMap((name) => {
    const index = fields.findIndex((field) => field.name === name);
    return index < 0 || index === day ? [] : [`v${index}`];
  });
  const places = [...(placeSql === undefined ? [] : [placeSql]), ...parts, "''"];
  const steps = measures.map(
    ({ sql }, index) => `${sql} - lag(${sql} IGNORE NULLS) OVER series AS step_${index}`,
  );
  const counts = measures.flatMap((_, index) => [
    `count(*) FILTER (step_${index} < 0)::DOUBLE AS falls_${index}`,
    `count(*) FILTER (step_${index} > 0)::DOUBLE AS rises_${index}`,
    `count(step_${index})::DOUBLE AS steps_${index}`,
  ]);
  const [row] = await connection.list(
    `SELECT ${counts.join(', ')} FROM (SELECT ${steps.join(', ')} FROM ${TYPED_ROWS}
      WINDOW series AS (PARTITION BY ${places.join(', ')} ORDER BY v${day}))`,
  );
  return new Set(
    measures.flatMap(({ name }, index) =>
      row !== undefined &&
      numberOf(row, `falls_${index}`) === 0 &&
      numberOf(row, `steps_${index}`) >= STEPS_MIN &&
      numberOf(row, `rises_${index}`) >= RISES_MIN
        ? [name]
        : [],
    ),
  );
}

/** Numbers of events rise that often without a fall by chance only once in a thousand series. */
const STEPS_MIN = 10;
const RISES_MIN = 5;
/** More take too long to sort. */
const ROWS_MAX = 5_000_000;
