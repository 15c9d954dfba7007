import type { SearchFieldValuesRequest } from '../domain/catalog-request.ts';
import type { Field } from '../domain/field.ts';
import type { PresentValue } from '../domain/value.ts';
import { planDistinct, writeDistinctPosition } from '../plan/plan-distinct.ts';
import type { DistinctPlan } from '../plan/read-plan.ts';
import type { DistinctPage } from '../storage/engine.ts';
import { readPage } from './read-page.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchFieldValuesResult = {
  readonly field: Field;
  readonly values: readonly PresentValue[];
  /** How many values there are in all; counted only when the request says `countOnly`. */
  readonly totalSize: number | undefined;
  readonly nextPageToken: string;
  readonly version: string;
};

/** A page of the distinct values of a field. */
export function searchFieldValues(
  context: ServiceContext,
  request: SearchFieldValuesRequest,
  call: Call,
): Promise<SearchFieldValuesResult> {
  const operationParts = ['searchFieldValues', request.field.name, request.term];
  return readPage(context, call, request, operationParts, async (start, signal) => {
    const plan = planDistinct(request, start.version, start.token);
    const page: DistinctPage = request.countOnly
      ? { values: [] }
      : await context.engine.readDistinct(plan, signal);
    const position = page.next === undefined ? undefined : writeDistinctPosition(page.next);
    return {
      field: plan.field,
      values: page.values,
      totalSize: request.countOnly ? await countDistinct(context, plan, signal) : undefined,
      nextPageToken: start.nextPageToken(0, position),
      version: start.version.version,
    };
  });
}

function countDistinct(
  { engine }: ServiceContext,
  { version, predicates, field, term }: DistinctPlan,
  signal: AbortSignal,
): Promise<number> {
  const distinct = { field, ...(term === undefined ? {} : { term }) };
  return engine.count({ kind: 'count', version, predicates, distinct }, signal);
}
