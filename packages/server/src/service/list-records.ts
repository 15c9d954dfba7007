import { DISTANCE_FIELD } from '@locmetrics/core/domain/distance';
import type { Field } from '@locmetrics/core/domain/field';
import { licencesOf } from '@locmetrics/core/domain/licence';
import { markedFields, markOf } from '@locmetrics/core/domain/withheld-mark';
import { isGrouped } from '@locmetrics/core/plan/plan-groups';
import { planRecords } from '@locmetrics/core/plan/plan-records';
import { writeRecordPosition } from '@locmetrics/core/plan/positions';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { ListRecordsRequest } from '@locmetrics/core/requests/catalog-request';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { inSpan } from '../observe/request-scope.ts';
import { countRecords } from './count-records.ts';
import { findPageVersion } from './find-version.ts';
import { groupParts, type ListRecordsResult, listGroups } from './list-groups.ts';
import { finishPage, knownTotal, startPage, takeSlot } from './page-steps.ts';
import { selectionParts } from './selection-parts.ts';
import type { Call, ServiceContext } from './service-context.ts';
import { type MarkedPage, splitMarks } from './split-marks.ts';
import { visitPage } from './visit-page.ts';
import { hasDistances, withDistances } from './with-distances.ts';

/** A page of records. All pages use the version of the first one. */
export async function listRecords(
  context: ServiceContext,
  request: ListRecordsRequest,
  call: Call,
): Promise<ListRecordsResult> {
  const { engine, catalogFor } = context;
  // Refused: a foreign billing context, a page token of another request.
  const start = startPage(context, call, { ...request, parts: () => requestParts(request) });
  const { token } = start;
  // The caller's part of the catalog. Refused: an unknown dataset or version.
  const pinned = findPageVersion(catalogFor(call.caller), request, token);
  // Refused: a full queue, a missed deadline.
  const isAggregation = isGrouped(request);
  const slot = await takeSlot(context, call, { ...start, isAggregation });
  try {
    const { signal } = slot;
    if (isAggregation) return await listGroups(context, { request, pinned, start }, signal);
    // Refused: an unknown field or operator, a value of a wrong type, an option, a page size.
    const plan = inSpan('plan', () => planRecords(request, pinned, token));
    const marked = request.typedValues ? markedFields(plan.fields, pinned) : [];
    // Refused: too many queries at once.
    const found = request.countOnly
      ? undefined
      : await readRecords(context, { plan, marked }, signal);
    const size = found?.size ?? 0;
    const totalSize = knownTotal(start, found, size) ?? (await countRecords(engine, plan, signal));
    const end = finishPage(start, {
      version: pinned.version,
      found,
      rowCount: size,
      totalSize,
      writePosition: writeRecordPosition,
    });
    const { version, dataset } = pinned;
    const licences = licencesOf(dataset);
    const fields = hasDistances(plan) ? [...plan.fields, DISTANCE_FIELD] : plan.fields;
    const { withheldAt } = found ?? {};
    return { ...end, fields, size, visit: visitPage(found), withheldAt, version, licences };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

/** A page of a plan, with the marks of these of its fields. */
async function readRecords(
  { engine }: Pick<ServiceContext, 'engine'>,
  { plan, marked }: { readonly plan: RecordsPlan; readonly marked: readonly Field[] },
  signal: StopSignal,
): Promise<MarkedPage> {
  if (marked.length === 0) return withDistances(plan, await engine.run(plan, signal));
  const fields = [...plan.fields, ...marked.map(markOf)];
  const page = splitMarks(await engine.run({ ...plan, fields }, signal), plan, marked);
  return { ...withDistances(plan, page), withheldAt: page.withheldAt };
}

function requestParts(request: ListRecordsRequest): readonly unknown[] {
  if (isGrouped(request)) return groupParts(request);
  // Values are returned in the order of the field definitions, so the order of the selection is ignored.
  const fields = request.fields.map(({ name }) => name).sort();
  return ['listRecords', fields, request.typedValues, ...selectionParts(request)];
}
