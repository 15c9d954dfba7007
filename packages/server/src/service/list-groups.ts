import type { Field } from '@locmetrics/core/domain/field';
import { type Licence, licencesOf } from '@locmetrics/core/domain/licence';
import { type VisitRecord, visitRows } from '@locmetrics/core/domain/value-visitor';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { planGroups } from '@locmetrics/core/plan/plan-groups';
import { GROUPS_MAX } from '@locmetrics/core/plan/read-plan';
import type { ListRecordsRequest } from '@locmetrics/core/requests/catalog-request';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { inSpan } from '../observe/request-scope.ts';
import { finishPage, type PageEnd, type PageStart } from './page-steps.ts';
import { selectionParts } from './selection-parts.ts';
import type { ServiceContext } from './service-context.ts';

/** A page of records, or of groups that are shown as such. */
export type ListRecordsResult = PageEnd & {
  /** The fields of the records, in the order of their values. */
  readonly fields: readonly Field[];
  readonly size: number;
  readonly visit: VisitRecord;
  /** The names of the fields whose value in the record with this index is withheld; absent if none has a mark. */
  readonly withheldAt?: ((index: number) => readonly string[]) | undefined;
  readonly version: string;
  readonly licences: readonly Licence[];
};

/** A page of groups of records, each as a record with the values of its groups and aggregates. */
export async function listGroups(
  { engine }: Pick<ServiceContext, 'engine'>,
  {
    request,
    pinned,
    start,
  }: {
    readonly request: ListRecordsRequest;
    readonly pinned: DatasetVersion;
    readonly start: PageStart;
  },
  signal: StopSignal,
): Promise<ListRecordsResult> {
  // Refused: an unknown field, a field that is neither grouped nor aggregated, an aggregation that its type lacks.
  const { plan, fields, indexes } = inSpan('plan', () => planGroups(request, pinned, start.token));
  // Refused: too many queries at once, too many groups.
  const found = await engine.run(plan, signal);
  if (found.isCutOff) throw tooManyGroups('The records have');
  const rows = request.countOnly
    ? []
    : found.rows.map((row) => indexes.map((index) => row[index] ?? null));
  const end = finishPage(start, {
    version: pinned.version,
    found: request.countOnly ? undefined : found,
    rowCount: rows.length,
    totalSize: found.total,
    writePosition: (position) => [position],
  });
  return {
    ...end,
    fields,
    size: rows.length,
    visit: visitRows(rows),
    version: pinned.version,
    licences: licencesOf(pinned.dataset),
  };
}

/** `subject` is what has the groups, with its verb. */
export function tooManyGroups(subject: string): ServiceError {
  return new ServiceError('TOO_MANY_GROUPS', `${subject} more than ${GROUPS_MAX} groups.`, {
    hint: 'Filter them, or group by fewer fields or longer periods.',
  });
}

/** Everything that decides which groups a request has. A page token is bound to it. */
export function groupParts(request: ListRecordsRequest): readonly unknown[] {
  return [
    'listGroups',
    request.fields.map(({ name, aggregation = '', alias = '', quantile = -1 }) => [
      name,
      aggregation,
      alias,
      quantile,
    ]),
    request.groupBy.map(({ fieldName, bucket = '' }) => [fieldName, bucket]),
    request.recordCount,
    request.groupFilters.map(({ fieldName, operator, value, values }) => [
      fieldName,
      operator,
      String(value),
      values.map(String),
    ]),
    request.typedValues,
    ...selectionParts(request),
  ];
}
