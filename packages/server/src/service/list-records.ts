import type { FieldSelection, ListRecordsRequest } from '../domain/catalog-request.ts';
import type { Field } from '../domain/field.ts';
import type { Value } from '../domain/value.ts';
import { planRecords, writeRecordPosition } from '../plan/plan-records.ts';
import type { RecordsPlan } from '../plan/read-plan.ts';
import type { RecordsPage } from '../storage/engine.ts';
import { readPage } from './read-page.ts';
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
export function listRecords(
  context: ServiceContext,
  request: ListRecordsRequest,
  call: Call,
): Promise<ListRecordsResult> {
  const operationParts = ['listRecords', fieldParts(request.fields), request.typedValues];
  return readPage(context, call, request, operationParts, async (start, signal) => {
    const plan = planRecords(request, start.version, start.token);
    const page: RecordsPage = request.countOnly
      ? { rows: [] }
      : await context.engine.readRecords(plan, signal);
    const isWhole = start.token === undefined && page.next === undefined && !request.countOnly;
    // A first page that is also the last holds every record: there is nothing left to count.
    const totalSize = isWhole
      ? page.rows.length
      : (start.token?.totalSize ?? (await countRecords(context, plan, signal)));
    const position = page.next === undefined ? undefined : writeRecordPosition(page.next);
    return {
      fields: plan.fields,
      rows: page.rows,
      totalSize,
      nextPageToken: start.nextPageToken(totalSize, position),
      version: start.version.version,
    };
  });
}

/** Records come in the order of the field definitions, so the order of the selection says nothing. */
function fieldParts(fields: readonly FieldSelection[]): readonly string[] {
  return fields.map(({ name }) => name).sort();
}

function countRecords(
  { engine }: ServiceContext,
  { version, predicates }: RecordsPlan,
  signal: AbortSignal,
): Promise<number> | number {
  return predicates.length === 0
    ? version.rowCount
    : engine.count({ kind: 'count', version, predicates }, signal);
}
