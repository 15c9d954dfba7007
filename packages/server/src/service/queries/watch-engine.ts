import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { ReadPlan, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import { versionsOf } from '@locmetrics/core/plan/versions-of';
import type { Engine, PlanKind, PlanResults, SortedRecords } from '@locmetrics/core/storage/engine';
import type { Observe, QueryOutcome } from '../../observe/observation.ts';
import { currentScope } from '../../observe/request-scope.ts';
import { NO_TRACE } from '../../observe/trace.ts';
import { describePlan } from './describe-plan.ts';

/** Most answers take a hundredth of this. */
const SLOW_QUERY_MS = 1000;

/** Wraps an engine: every query is timed, and slow ones are logged. */
export function watchEngine(
  engine: Engine,
  options: {
    readonly observe: Observe;
    /** Queries that take this long are logged as slow; 0 logs none. Default: a second. */
    readonly slowQueryMs?: number;
  },
): Engine {
  const { observe, slowQueryMs = SLOW_QUERY_MS } = options;

  const watched = async <Result>(
    plan: ReadPlan,
    work: () => Promise<Result>,
    countRows: (result: Result) => number | undefined,
  ): Promise<Result> => {
    const scope = currentScope();
    const startedMs = performance.now();
    const dataset = versionsOf(plan)[0]?.dataset.name ?? '';
    const span = (scope?.trace ?? NO_TRACE).start('engine', {
      'db.operation.name': plan.kind,
      'db.collection.name': dataset,
    });
    const report = (outcome: QueryOutcome, rows: { readonly rows?: number }): void => {
      const durationMs = Math.round((performance.now() - startedMs) * 1000) / 1000;
      observe({ kind: 'query_completed', plan: plan.kind, dataset, outcome, durationMs, ...rows });
      if (slowQueryMs === 0 || durationMs < slowQueryMs) return;
      observe({
        kind: 'query_slow',
        ...(scope === undefined ? {} : { requestId: scope.requestId }),
        plan: plan.kind,
        ...describePlan(plan),
        ...engine.explain?.(plan),
        outcome,
        durationMs,
        ...rows,
      });
    };
    try {
      const result = await work();
      const rows = countRows(result);
      span.end(rows === undefined ? {} : { 'db.response.returned_rows': rows });
      report('answered', rows === undefined ? {} : { rows });
      return result;
    } catch (error) {
      span.fail(error);
      report(outcomeOf(error), {});
      throw error;
    }
  };
  const { copyRecords, sortRecords } = engine;
  const watchSorted = async (
    plan: RecordsPlan,
    work: () => Promise<SortedRecords | undefined>,
  ): Promise<SortedRecords | undefined> => {
    const sorted = await watched(plan, work, (found) => found?.size);
    return (
      sorted && {
        ...sorted,
        read: (range, signal) => watched(plan, () => sorted.read(range, signal), rowsIn),
      }
    );
  };
  return {
    ...engine,
    run: (plan, signal) => watched(plan, () => engine.run(plan, signal), rowsIn),
    ...(copyRecords && {
      copyRecords: (plan, file, signal) =>
        watched(
          plan,
          () => copyRecords(plan, file, signal),
          () => undefined,
        ),
    }),
    ...(sortRecords && {
      sortRecords: (plan, path, signal) => watchSorted(plan, () => sortRecords(plan, path, signal)),
    }),
  };
}

/** The rows of a page; a number and an extent are one row. */
function rowsIn(result: PlanResults[PlanKind]): number {
  if (typeof result === 'number') return 1;
  if ('size' in result) return result.size;
  if ('rows' in result) return result.rows.length;
  if ('cells' in result) return result.cells.length;
  return 'values' in result ? result.values.length : 1;
}

function outcomeOf(error: unknown): QueryOutcome {
  if (!(error instanceof ServiceError)) return 'failed';
  switch (error.reason) {
    case 'DEADLINE_EXCEEDED':
      return 'deadline';
    case 'CANCELLED':
      return 'cancelled';
    case 'INTERNAL':
      return 'failed';
    default:
      return 'refused';
  }
}
