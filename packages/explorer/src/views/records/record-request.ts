import type {
  DataReference,
  FieldDefinition,
  FilterClause,
  ListRecordsRequest,
} from '@locmetrics/client';
import { type RecordsAddress, toRecordsRequest } from '../../data/records-address.ts';
import type { Value } from '../../format/values.ts';

/** A request has at most 100 filters. */
const FILTERS_MAX = 100;

/**
 * The request for all fields of a record of the table: the records of the address that have its values, in the same
 * version. A dataset does not tell its key, so all values that are known identify the record.
 */
export function toRecordRequest({
  reference,
  address,
  known,
  version,
}: {
  readonly reference: DataReference;
  readonly address: RecordsAddress;
  readonly known: Readonly<Record<string, Value>>;
  readonly version: string;
}): ListRecordsRequest {
  const given = address.filters ?? [];
  const same = reference.fields.flatMap((field) => {
    const value = known[field.name];
    return (value === undefined ? undefined : filterByValue(field, value)) ?? [];
  });
  return {
    ...toRecordsRequest(reference.name, address),
    filters: [...given, ...same].slice(0, FILTERS_MAX),
    fields: reference.fields.map(({ name }) => name),
    asOf: version,
    pageSize: 1,
  };
}

/** The filter for the records with the same value. Undefined: the field has no operator for it. */
export function filterByValue(field: FieldDefinition, value: Value): FilterClause | undefined {
  const operator = value === null || value === '' ? 'is_empty' : '==';
  if (!field.filters.supportedOperators.includes(operator)) return undefined;
  const fieldName = field.name;
  return operator === '=='
    ? { fieldName, operator, value: String(value) }
    : { fieldName, operator };
}
