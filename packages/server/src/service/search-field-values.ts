import type { Field } from '@locmetrics/core/domain/field';
import type { PresentValue } from '@locmetrics/core/domain/value';
import { planDistinct } from '@locmetrics/core/plan/plan-distinct';
import { writeDistinctPosition } from '@locmetrics/core/plan/positions';
import type { DistinctPlan } from '@locmetrics/core/plan/read-plan';
import type { SearchFieldValuesRequest } from '@locmetrics/core/requests/catalog-request';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { inSpan } from '../observe/request-scope.ts';
import { findPageVersion } from './find-version.ts';
import { finishPage, type PageEnd, startPage, takeSlot } from './page-steps.ts';
import { selectionParts } from './selection-parts.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchFieldValuesResult = Omit<PageEnd, 'totalSize'> & {
  readonly field: Field;
  readonly values: readonly PresentValue[];
  /** The number of all values; counted only for a request with `countOnly`. */
  readonly totalSize: number | undefined;
  readonly version: string;
};

/** A page of the distinct values of a field. */
export async function searchFieldValues(
  context: ServiceContext,
  request: SearchFieldValuesRequest,
  call: Call,
): Promise<SearchFieldValuesResult> {
  const { engine, catalogFor } = context;
  const { field, term, countOnly } = request;
  const parts = () => ['searchFieldValues', field.name, term, ...selectionParts(request)];
  const start = startPage(context, call, { ...request, parts });
  const { token } = start;
  const pinned = findPageVersion(catalogFor(call.caller), request, token);
  const slot = await takeSlot(context, call, start);
  try {
    const { signal } = slot;
    const plan = inSpan('plan', () => planDistinct(request, pinned, token));
    const found = countOnly ? undefined : await engine.run(plan, signal);
    const values = found?.values ?? [];
    const totalSize = countOnly ? await countDistinct(engine, plan, signal) : 0;
    const end = finishPage(start, {
      version: pinned.version,
      found,
      rowCount: values.length,
      totalSize,
      writePosition: writeDistinctPosition,
      searchRule: plan.term?.rule,
    });
    return {
      ...end,
      totalSize: countOnly ? totalSize : undefined,
      field: plan.field,
      values,
      version: pinned.version,
    };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

function countDistinct(
  engine: Engine,
  { version, predicates, field, term }: DistinctPlan,
  signal: StopSignal,
): Promise<number> {
  return engine.run({ kind: 'count', version, predicates, distinct: { field, term } }, signal);
}
