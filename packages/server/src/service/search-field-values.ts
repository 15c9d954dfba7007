import { checkBillingContext } from '../auth/billing-context.ts';
import type { SearchFieldValuesRequest } from '../domain/catalog-request.ts';
import type { Field } from '../domain/field.ts';
import type { PresentValue } from '../domain/value.ts';
import { planDistinct, writeDistinctPosition } from '../plan/plan-distinct.ts';
import { type PageBinding, readPageToken, requestFingerprint } from '../plan/plan-page.ts';
import type { DistinctPlan } from '../plan/read-plan.ts';
import type { DistinctPage } from '../storage/engine.ts';
import { findPageVersion } from './find-version.ts';
import { expireLostVersion, selectionParts, writePageToken } from './list-records.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
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
export async function searchFieldValues(
  context: ServiceContext,
  request: SearchFieldValuesRequest,
  call: Call,
): Promise<SearchFieldValuesResult> {
  checkBillingContext(call.caller, request.billingContext);
  const { field, term } = request;
  const binding: PageBinding = {
    request: requestFingerprint([
      'searchFieldValues',
      field.name,
      term,
      ...selectionParts(request),
    ]),
    rights: call.caller.rightsFingerprint,
  };
  const token = readPageToken(request.pageToken, binding, context.pageTokenKey);
  const version = findPageVersion(context, request, token);
  const plan = planDistinct(request, version, token);
  return expireLostVersion(token, () =>
    runUntilDeadline(
      { callerSignal: call.signal, timeoutMs: context.queryTimeoutMs },
      async (signal) => {
        const page: DistinctPage = request.countOnly
          ? { values: [] }
          : await context.engine.readDistinct(plan, signal);
        return {
          field: plan.field,
          values: page.values,
          totalSize: request.countOnly ? await countDistinct(context, plan, signal) : undefined,
          nextPageToken: writePageToken(context, binding, {
            version: version.version,
            totalSize: 0,
            position: page.next === undefined ? undefined : writeDistinctPosition(page.next),
          }),
          version: version.version,
        };
      },
    ),
  );
}

function countDistinct(
  { engine }: ServiceContext,
  { version, predicates, field, term }: DistinctPlan,
  signal: AbortSignal,
): Promise<number> {
  const distinct = { field, ...(term === undefined ? {} : { term }) };
  return engine.count({ kind: 'count', version, predicates, distinct }, signal);
}
