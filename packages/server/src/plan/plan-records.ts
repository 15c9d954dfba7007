import type { ListRecordsRequest } from '../domain/catalog-request.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import type { FieldType } from '../domain/field.ts';
import type { PageToken, PositionValue } from '../domain/page-token.ts';
import type { Value } from '../domain/value.ts';
import { planFields } from './plan-fields.ts';
import { planFilters } from './plan-filters.ts';
import { planOptionPredicates, planOrder } from './plan-options.ts';
import { planPageSize } from './plan-page.ts';
import type { RecordPosition, RecordsPlan } from './read-plan.ts';

/** The plan of a page of records. Refuses whatever the schema of the version does not allow. */
export function planRecords(
  request: ListRecordsRequest,
  version: DatasetVersion,
  token: PageToken | undefined,
): RecordsPlan {
  const { dataset } = version;
  const order = planOrder(request.options, dataset);
  return {
    kind: 'records',
    version,
    fields: planFields(request.fields, dataset),
    predicates: [
      ...planFilters(request.filters, dataset),
      ...planOptionPredicates(request.options, dataset),
    ],
    ...(order === undefined ? {} : { order }),
    ...(token === undefined
      ? {}
      : { after: readRecordPosition(token.position, order?.field.type) }),
    limit: planPageSize(request.pageSize),
  };
}

/** Integers travel as text in a token, because JSON has no exact 64-bit numbers. */
export function writePositionValue(value: Value): PositionValue {
  return typeof value === 'bigint' ? value.toString() : value;
}

export function readPositionValue(value: PositionValue | undefined, type: FieldType): Value {
  if (value === undefined) return null;
  return type === 'integer' && typeof value === 'string' ? BigInt(value) : value;
}

export function writeRecordPosition(position: RecordPosition): readonly PositionValue[] {
  return [position.row, writePositionValue(position.orderValue)];
}

function readRecordPosition(
  [row, orderValue]: readonly PositionValue[],
  orderType: FieldType | undefined,
): RecordPosition {
  return {
    row: Number(row),
    orderValue: orderType === undefined ? null : readPositionValue(orderValue, orderType),
  };
}
