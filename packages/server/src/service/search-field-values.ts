import type { SearchFieldValuesRequest } from '../domain/catalog-request.ts';
import type { Field } from '../domain/field.ts';
import type { PresentValue } from '../domain/value.ts';
import { inSpan } from '../observe/request-scope.ts';
import { planDistinct } from '../plan/plan-distinct.ts';
import { writeDistinctPosition } from '../plan/positions.ts';
import type { DistinctPlan } from '../plan/read-plan.ts';
import { type NextPageToken, NO_NEXT_PAGE, readPage } from './read-page.ts';
import { pageOfRows } from './row-selection.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type SearchFieldValuesResult = {
  readonly field: Field;
  readonly values: readonly PresentValue[];
  /** The number of all values; counted only for a request with `countOnly`. */
  readonly totalSize: number | undefined;
  /** How many rows all pages together cost; only for a request with `countOnly`. */
  readonly costRows?: number;
  readonly nextPageToken: NextPageToken;
  readonly version: string;
};

/** A page of the distinct values of a field. */
export function searchFieldValues(
  context: ServiceContext,
  request: SearchFieldValuesRequest,
  call: Call,
): Promise<SearchFieldValuesResult> {
  const operationParts = ['searchFieldValues', request.field.name, request.term];
  const page = pageOfRows(context.catalogFor(call.caller), request, operationParts);
  return readPage(context, call, page, async ({ pinned, token, nextPageToken }, signal) => {
    const plan = inSpan('plan', () => planDistinct(request, pinned, token));
    const { field } = plan;
    const { version } = pinned;
    if (request.countOnly) {
      const totalSize = await countDistinct(context, plan, signal);
      const counted = { totalSize, costRows: totalSize };
      return { field, values: [], ...counted, nextPageToken: NO_NEXT_PAGE, version };
    }
    const { values, hasMore, positionAt } = await context.engine.run(plan, signal);
    return {
      field,
      values,
      totalSize: undefined,
      nextPageToken: nextPageToken({
        totalSize: 0,
        rowCount: values.length,
        hasMore,
        positionAt: (index) => writeDistinctPosition(positionAt(index)),
      }),
      version,
    };
  });
}

function countDistinct(
  { engine }: ServiceContext,
  { version, predicates, field, term }: DistinctPlan,
  signal: AbortSignal,
): Promise<number> {
  const distinct = { field, ...(term === undefined ? {} : { term }) };
  return engine.run({ kind: 'count', version, predicates, distinct }, signal);
}
