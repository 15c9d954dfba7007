import { EngineError, shortageOf } from '@locmetrics/column-store/publish/engine-error';
import { numberOf } from '@locmetrics/column-store/publish/result-row';
import type { ListRows } from '@locmetrics/column-store/publish/watched-connection';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { type ComputedRows, HIDDEN_ROW } from './staged-rows.ts';
import { StepError } from './step-error.ts';
import { explainStop } from './stopped-step.ts';

/** Binds the names and types of rows without reading them. */
export async function explainRows(
  list: ListRows,
  { sql, base, columns, keys, computed = 'NULL' }: ComputedRows,
): Promise<void> {
  try {
    // Beside a column an aggregate is refused.
    await list(`EXPLAIN SELECT ${HIDDEN_ROW}, ${computed} FROM (${sql(base)})`);
  } catch (error) {
    if (!(error instanceof EngineError) || shortageOf(error) !== undefined) throw error;
    if (/GROUP BY clause/.test(error.reason)) {
      throw new StepError(keys, {
        reason: 'has an aggregate, but an expression sees only one row',
        hint: 'To sum rows, use an aggregate step or an sql step.',
        cause: error,
      });
    }
    const [, unknown] = /^Referenced column "(.*?)" not found/.exec(error.reason) ?? [];
    throw new StepError(keys, {
      reason:
        unknown === undefined
          ? `cannot be run (${error.reason})`
          : `there is no column '${unknown}'`,
      hint:
        unknown === undefined
          ? 'The columns are texts: cast them, such as TRY_CAST("Count" AS BIGINT).'
          : `${nameHint(unknown, columns)} Put a name into double quotes, and a text into single ones.`,
      cause: error,
    });
  }
}

/**
 * Finds the step and the row that an error of the engine is about, by halving the rows of a table. Any other error is
 * returned unchanged.
 */
export async function findFailure(
  list: ListRows,
  error: unknown,
  candidates: readonly ComputedRows[],
): Promise<unknown> {
  if (!(error instanceof EngineError) || shortageOf(error) !== undefined) return error;
  for (const { sql, base, baseRow, keys, computed = HIDDEN_ROW } of candidates) {
    // The rows are limited first, so that no other row is read.
    const limited = (from: number, to: number) =>
      `(SELECT *, rowid FROM ${base} WHERE rowid >= ${from} AND rowid < ${to})`;
    const failureWithin = async (from: number, to: number): Promise<EngineError | undefined> => {
      try {
        const rows = sql(limited(from, to));
        await list(`SELECT count(${computed})::DOUBLE AS count FROM (${rows})`);
        return undefined;
      } catch (failure) {
        if (failure instanceof EngineError && shortageOf(failure) === undefined) return failure;
        throw explainStop(failure, [keys]);
      }
    };
    const [counted] = await list(`SELECT count(*)::DOUBLE AS count FROM ${base}`);
    const rowCount = counted === undefined ? 0 : numberOf(counted, 'count');
    let failure = await failureWithin(0, rowCount);
    if (failure === undefined) continue;
    let from = 0;
    let to = rowCount;
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      const left = await failureWithin(from, middle);
      if (left === undefined) from = middle;
      else {
        to = middle;
        failure = left;
      }
    }
    const [row] = await list(`SELECT ${baseRow}::DOUBLE AS row FROM ${limited(from, from + 1)}`);
    return new StepError(keys, {
      reason: `cannot be computed (${failure.reason})`,
      hint: TRY_HINT,
      rows: row === undefined ? [] : [{ row: numberOf(row, 'row') }],
      cause: error,
    });
  }
  return error;
}

export const TRY_HINT =
  'TRY_CAST returns an absent value for a text that cannot be cast; TRY(…) does so for any expression.';
