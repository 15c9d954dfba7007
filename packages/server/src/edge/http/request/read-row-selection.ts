import {
  DIRECTION_NAMES,
  DIRECTION_PREFIX,
  type ListRecordsRequest as ListRecordsBody,
  type SearchFieldValuesRequest as SearchFieldValuesBody,
  TRIM_NAMES,
  TRIM_PREFIX,
} from '@locmetrics/contract';
import type {
  FieldSelection,
  ListRecordsRequest,
  RowOptions,
  RowSelection,
  SearchFieldValuesRequest,
  TrimToPeriodOfExistence,
} from '@locmetrics/core/domain/catalog-request';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { enumName } from './enum-name.ts';

/** Parses a request for records; absent members get their defaults. */
export function readListRecords(body: ListRecordsBody): ListRecordsRequest {
  const { fields = [], typedValues = false } = body;
  return { ...readRowSelection(body), fields: fields.map(readFieldSelection), typedValues };
}

/** Parses a search for the values of a field; absent members get their defaults. */
export function readSearchFieldValues(body: SearchFieldValuesBody): SearchFieldValuesRequest {
  const { field, term = '' } = body;
  return { ...readRowSelection(body), field: readFieldSelection(field), term };
}

type WireSelection = Omit<ListRecordsBody, 'fields' | 'typedValues'> &
  Omit<SearchFieldValuesBody, 'field' | 'term'>;

/** Parses the common part of both row requests. */
function readRowSelection(body: WireSelection): RowSelection {
  return {
    dataReferenceName: body.dataReferenceName,
    filters: (body.filters ?? []).map(({ fieldName, operator, value, values }) => ({
      fieldName,
      operator,
      value: value ?? '',
      values: values ?? [],
    })),
    filterLogic: body.filterLogic ?? '',
    options: readOptions(body),
    billingContext: body.billingContext ?? '',
    pageSize: body.pageSize ?? 0,
    pageToken: body.pageToken ?? '',
    asOf: body.asOf ?? '',
    countOnly: body.countOnly ?? false,
  };
}

/** A field may be written as just its name. */
function readFieldSelection(
  written: string | { readonly name: string; readonly source?: string },
): FieldSelection {
  return typeof written === 'string'
    ? { name: written, source: '' }
    : { name: written.name, source: written.source ?? '' };
}

function readOptions(body: WireSelection): RowOptions {
  const { boundingBox, orderBy } = body.options ?? {};
  return {
    ...(boundingBox === undefined ? {} : { boundingBox }),
    trimToPeriodOfExistence: readTrim(body),
    ...(orderBy === undefined
      ? {}
      : {
          orderBy: {
            fieldName: orderBy.fieldName,
            descending:
              enumName(orderBy.direction ?? 0, DIRECTION_NAMES, DIRECTION_PREFIX) === 'DESC',
          },
        }),
  };
}

/** The member may be next to the options or inside them, but not with two different values. */
function readTrim(body: WireSelection): TrimToPeriodOfExistence {
  const beside = body.trimToPeriodOfExistence;
  const inside = body.options?.trimToPeriodOfExistence;
  const read = (written: string | number): TrimToPeriodOfExistence =>
    enumName(written, TRIM_NAMES, TRIM_PREFIX) === 'IGNORE' ? 'ignore' : 'trim';
  if (beside !== undefined && inside !== undefined) {
    const names = [beside, inside].map((written) => enumName(written, TRIM_NAMES, TRIM_PREFIX));
    if (names[0] !== names[1]) {
      throw ServiceError.atPointer(
        'INVALID_OPTION',
        '/trimToPeriodOfExistence',
        `trimToPeriodOfExistence is ${beside} outside options and ${inside} inside them.`,
        'Send it once.',
      );
    }
  }
  return read(inside ?? beside ?? 0);
}
