import { shortageOf } from '@locmetrics/column-store/publish/engine-error';
import { StoppedStatement } from '@locmetrics/column-store/publish/stopped-statement';
import type { ListRows } from '@locmetrics/column-store/publish/watched-connection';
import { type ComputedRows, HIDDEN_ROW } from './staged-rows.ts';
import { placeText, StepError } from './step-error.ts';

/** Names what used up the time or the memory of a statement: one of these places. Any other error is returned unchanged. */
export function explainStop(error: unknown, places: readonly (readonly string[])[]): unknown {
  const cause = error instanceof StepError ? error.cause : error;
  const stopped = cause instanceof StoppedStatement ? cause : undefined;
  const isMemory =
    stopped?.resource === 'memory' || (cause instanceof Error && shortageOf(cause) === 'memory');
  if (stopped === undefined && !isMemory) return error;
  const [first = [], ...others] = places;
  const names = places.slice(0, PLACES_MAX).map(placeText).join(', ');
  const isOne = others.length === 0;
  const what = isOne ? '' : `${names}${places.length > PLACES_MAX ? ' and others' : ''}: `;
  if (stopped?.resource === 'time') {
    const seconds = Math.round((stopped.timeMaxMs ?? 0) / 100) / 10;
    return new StepError(isOne ? first : ['rows'], {
      reason: `${what}ran for more than ${seconds} seconds, and was stopped`,
      hint: 'The time of a query that joins each row to every other row grows with the square of the number of rows. Leave rows out first, prepare the file elsewhere, or allow more: --publish-step-time DURATION.',
      cause: error,
    });
  }
  return new StepError(isOne ? first : ['rows'], {
    reason: `${what}needs more memory than a publish may use`,
    hint: 'Use shorter values or fewer rows, or allow more: --publish-memory SIZE.',
    cause: error,
  });
}

const PLACES_MAX = 5;

/**
 * Runs a step over the first rows alone, so that one that never ends, or that needs too much memory, is named. What else is
 * wrong is found later, with its row.
 */
export async function tryFirstRows(
  list: ListRows,
  { sql, base, keys, computed = HIDDEN_ROW }: ComputedRows,
): Promise<void> {
  const first = `(SELECT *, rowid FROM ${base} WHERE rowid < ${FIRST_ROWS})`;
  try {
    await list(`SELECT count(${computed})::DOUBLE AS count FROM (${sql(first)})`);
  } catch (error) {
    const named = explainStop(error, [keys]);
    if (named !== error) throw named;
  }
}

const FIRST_ROWS = 100;
