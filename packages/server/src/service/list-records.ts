import { checkBillingContext } from '../auth/billing-context.ts';
import type {
  FieldSelection,
  ListRecordsRequest,
  RowSelection,
} from '../domain/catalog-request.ts';
import type { Field } from '../domain/field.ts';
import { canonicalOperator } from '../domain/filter.ts';
import { encodePageToken, type PageToken, type PositionValue } from '../domain/page-token.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Value } from '../domain/value.ts';
import {
  type PageBinding,
  pageTokenExpired,
  readPageToken,
  requestFingerprint,
} from '../plan/plan-page.ts';
import { planRecords, writeRecordPosition } from '../plan/plan-records.ts';
import type { CountPlan, RecordsPlan } from '../plan/read-plan.ts';
import { findPageVersion } from './find-version.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type ListRecordsResult = {
  /** The fields of the records, in the order of their values. */
  readonly fields: readonly Field[];
  readonly rows: readonly (readonly Value[])[];
  readonly totalSize: number;
  readonly nextPageToken: string;
  readonly version: string;
};

/** A page of records. Its pages all come from the version the first one was read from. */
export async function listRecords(
  context: ServiceContext,
  request: ListRecordsRequest,
  call: Call,
): Promise<ListRecordsResult> {
  checkBillingContext(call.caller, request.billingContext);
  const binding: PageBinding = {
    request: requestFingerprint([
      'listRecords',
      fieldParts(request.fields),
      ...selectionParts(request),
    ]),
    rights: call.caller.rightsFingerprint,
  };
  const token = readPageToken(request.pageToken, binding, context.pageTokenKey);
  const version = findPageVersion(context, request, token);
  const plan = planRecords(request, version, token);
  return expireLostVersion(token, () =>
    runUntilDeadline(
      { callerSignal: call.signal, timeoutMs: context.queryTimeoutMs },
      async (signal) => {
        const totalSize = token?.totalSize ?? (await countRecords(context, plan, signal));
        const page = request.countOnly
          ? { rows: [] }
          : await context.engine.readRecords(plan, signal);
        return {
          fields: plan.fields,
          rows: page.rows,
          totalSize,
          nextPageToken: writePageToken(context, binding, {
            version: version.version,
            totalSize,
            position: page.next === undefined ? undefined : writeRecordPosition(page.next),
          }),
          version: version.version,
        };
      },
    ),
  );
}

/** Records come in the order of the field definitions, so the order of the selection says nothing. */
function fieldParts(fields: readonly FieldSelection[]): readonly string[] {
  return fields.map(({ name }) => name).sort();
}

/** All that decides which rows a request means, for the fingerprint its page tokens are bound to. */
export function selectionParts(selection: RowSelection): readonly unknown[] {
  const { dataReferenceName, filters, options, asOf, countOnly } = selection;
  const { boundingBox: box, orderBy, trimToPeriodOfExistence } = options;
  return [
    dataReferenceName,
    filters.map(({ fieldName, operator, value, values }) => [
      fieldName,
      canonicalOperator(operator),
      String(value),
      values.map(String),
    ]),
    box === undefined ? [] : [box.minLng, box.minLat, box.maxLng, box.maxLat],
    orderBy === undefined ? [] : [orderBy.fieldName, orderBy.descending],
    trimToPeriodOfExistence,
    asOf,
    countOnly,
  ];
}

/** The token of the page after this one; empty, and so the end, when there is no position. */
export function writePageToken(
  { pageTokenKey }: ServiceContext,
  binding: PageBinding,
  page: {
    readonly version: string;
    readonly totalSize: number;
    readonly position: readonly PositionValue[] | undefined;
  },
): string {
  if (page.position === undefined) return '';
  const { version, totalSize, position } = page;
  return encodePageToken({ ...binding, version, totalSize, position }, pageTokenKey);
}

/** A version that vanished while its pages were read is told as an expired page token. */
export async function expireLostVersion<Result>(
  token: PageToken | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (
      token !== undefined &&
      error instanceof ServiceError &&
      error.reason === 'VERSION_NOT_FOUND'
    ) {
      throw pageTokenExpired('the data version on which its pages began is gone');
    }
    throw error;
  }
}

function countRecords(
  { engine }: ServiceContext,
  plan: RecordsPlan,
  signal: AbortSignal,
): Promise<number> | number {
  if (plan.predicates.length === 0) return plan.version.rowCount;
  const { version, predicates } = plan;
  const countPlan: CountPlan = { kind: 'count', version, predicates };
  return engine.count(countPlan, signal);
}
