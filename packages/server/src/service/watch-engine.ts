import { ServiceError } from '../domain/service-error.ts';
import type { Observe, QueryOutcome } from '../observe/observation.ts';
import type { PlanKind } from '../observe/plan-description.ts';
import { currentScope } from '../observe/request-scope.ts';
import { NO_TRACE } from '../observe/trace.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import { versionsOf } from '../plan/versions-of.ts';
import type { Engine } from '../storage/engine.ts';
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

  const watched =
    <Plan extends ReadPlan, Result>(
      kind: PlanKind,
      run: (plan: Plan, signal: AbortSignal) => Promise<Result>,
      countRows: (result: Result) => number,
    ) =>
    async (plan: Plan, signal: AbortSignal): Promise<Result> => {
      const scope = currentScope();
      const began = performance.now();
      const dataset = versionsOf(plan)[0]?.dataset.name ?? '';
      const span = (scope?.trace ?? NO_TRACE).begin('engine', {
        'db.operation.name': kind,
        'db.collection.name': dataset,
      });
      const report = (outcome: QueryOutcome, rows: { readonly rows?: number }): void => {
        const durationMs = Math.round((performance.now() - began) * 1000) / 1000;
        observe({ kind: 'query_completed', plan: kind, dataset, outcome, durationMs, ...rows });
        if (slowQueryMs === 0 || durationMs < slowQueryMs) return;
        observe({
          kind: 'query_slow',
          ...(scope === undefined ? {} : { requestId: scope.requestId }),
          plan: kind,
          ...describePlan(plan),
          outcome,
          durationMs,
          ...rows,
        });
      };
      try {
        const result = await run(plan, signal);
        const rows = countRows(result);
        span.end({ 'db.response.returned_rows': rows });
        report('answered', { rows });
        return result;
      } catch (error) {
        span.fail(error);
        report(outcomeOf(error), {});
        throw error;
      }
    };

  return {
    ...engine,
    readRecords: watched('records', engine.readRecords, ({ rows }) => rows.length),
    count: watched('count', engine.count, ONE_ROW),
    readDistinct: watched('distinct', engine.readDistinct, ({ values }) => values.length),
    readNamedValues: watched('named_values', engine.readNamedValues, ({ values }) => values.length),
    countNamedValues: watched('named_values_count', engine.countNamedValues, ONE_ROW),
    readExtent: watched('extent', engine.readExtent, ONE_ROW),
  };
}

const ONE_ROW = (): number => 1;

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
