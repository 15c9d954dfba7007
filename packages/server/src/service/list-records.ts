import type { FieldSelection, ListRecordsRequest } from '../domain/catalog-request.ts';
import type { Field } from '../domain/field.ts';
import type { Value } from '../domain/value.ts';
import { inSpan } from '../observe/request-scope.ts';
import { planRecords } from '../plan/plan-records.ts';
import { writeRecordPosition } from '../plan/positions.ts';
import type { RecordsPlan } from '../plan/read-plan.ts';
import { type NextPageToken, NO_NEXT_PAGE, readPage } from './read-page.ts';
import { pageOfRows } from './row-selection.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type ListRecordsResult = {
  /** The fields of the records, in the order of their values. */
  readonly fields: readonly Field[];
  readonly rows: readonly (readonly Value[])[];
  readonly totalSize: number;
  /** How many rows all pages together cost; only for a request with `countOnly`. */
  readonly costRows?: number;
  readonly nextPageToken: NextPageToken;
  readonly version: string;
};

/** A page of records. All pages use the version of the first one. */
export function listRecords(
  context: ServiceContext,
  request: ListRecordsRequest,
  call: Call,
): Promise<ListRecordsResult> {
  const operationParts = ['listRecords', fieldParts(request.fields), request.typedValues];
  const page = pageOfRows(context.catalogFor(call.caller), request, operationParts);
  return readPage(context, call, page, async ({ pinned, token, nextPageToken }, signal) => {
    const plan = inSpan('plan', () => planRecords(request, pinned, token));
    const { fields } = plan;
    const { version } = pinned;
    if (request.countOnly) {
      const totalSize = await countRecords(context, plan, signal);
      const counted = { totalSize, costRows: totalSize };
      return { fields, rows: [], ...counted, nextPageToken: NO_NEXT_PAGE, version };
    }
    const { rows, hasMore, positionAt } = await context.engine.run(plan, signal);
    // A first page that is also the last holds every record, so no count is needed.
    const totalSize =
      token?.totalSize ?? (hasMore ? await countRecords(context, plan, signal) : rows.length);
    return {
      fields,
      rows,
      totalSize,
      nextPageToken: nextPageToken({
        totalSize,
        rowCount: rows.length,
        hasMore,
        positionAt: (index) => writeRecordPosition(positionAt(index)),
      }),
      version,
    };
  });
}

/** Values are returned in the order of the field definitions, so the order of the selection is ignored. */
function fieldParts(fields: readonly FieldSelection[]): readonly string[] {
  return fields.map(({ name }) => name).sort();
}

function countRecords(
  { engine }: ServiceContext,
  { version, predicates }: Pick<RecordsPlan, 'version' | 'predicates'>,
  signal: AbortSignal,
): Promise<number> | number {
  return predicates.length === 0 && version.rowCount !== undefined
    ? version.rowCount
    : engine.run({ kind: 'count', version, predicates }, signal);
}
