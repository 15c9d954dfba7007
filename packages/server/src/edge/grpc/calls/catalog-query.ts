import { catalogV3 } from '@locmetrics/contract/grpc';
import { BUCKETS } from '@locmetrics/core/domain/date-bucket';
import { toDataReferenceMessage } from '@locmetrics/core/encoding/data-reference-protobuf';
import { encodeFramed } from '@locmetrics/core/encoding/message-frame';
import {
  encodeFieldValuesMessage,
  encodeRecordsMessage,
} from '@locmetrics/core/encoding/records-protobuf';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { getDataReference, listDataReferences } from '../../../service/describe-datasets.ts';
import { listRecords } from '../../../service/list-records.ts';
import { searchFieldValues } from '../../../service/search-field-values.ts';
import { readField, readFilter, readRowSelection } from '../read-row-selection.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

const FIELDS_MAX = 1000;
const TERM_LENGTH_MAX = 1000;

/** Datasets and their records. */
export const CATALOG_QUERY: ServedService = {
  service: catalogV3.CatalogQuery,
  scope: 'catalog',
  calls: [
    unaryCall(catalogV3.CatalogQuery.method.listDataReferences, {
      read: (request) => request,
      run: listDataReferences,
      encode: (versions) =>
        encodeFramed(catalogV3.ListDataReferencesResponseSchema, {
          dataReferences: versions.map(toDataReferenceMessage),
        }),
    }),
    unaryCall(catalogV3.CatalogQuery.method.getDataReference, {
      read: (request) => request,
      run: getDataReference,
      encode: (version) =>
        encodeFramed(catalogV3.GetDataReferenceResponseSchema, {
          dataReference: toDataReferenceMessage(version),
        }),
    }),
    unaryCall(catalogV3.CatalogQuery.method.listRecords, {
      read: toRecordsRequest,
      run: listRecords,
      rowsOf: ({ size }) => size,
      encode: encodeRecordsMessage,
    }),
    unaryCall(catalogV3.CatalogQuery.method.searchFieldValues, {
      read: toDistinctRequest,
      run: searchFieldValues,
      rowsOf: ({ values }) => values.length,
      encode: encodeFieldValuesMessage,
    }),
  ],
};

function toRecordsRequest(request: catalogV3.ListRecordsRequest) {
  checkListLength('/fields', request.fields, FIELDS_MAX);
  return {
    ...readRowSelection(request),
    fields: request.fields.map(readField),
    groupBy: request.groupBy.map(({ fieldName, bucket }) => ({
      fieldName,
      bucket: BUCKETS.find((name) => catalogV3.Bucket[name] === bucket),
    })),
    groupFilters: request.groupFilters.map(readFilter),
    recordCount: request.recordCount,
    // Every value of the message is text.
    typedValues: false,
  };
}

function toDistinctRequest(request: catalogV3.SearchFieldValuesRequest) {
  const { field, term } = request;
  if (field === undefined) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/field',
      "The field 'field' is missing.",
      'Send the name of the field whose values are to be searched.',
    );
  }
  if ([...term].length > TERM_LENGTH_MAX) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/term',
      `'term' has more than ${TERM_LENGTH_MAX} characters.`,
      'Search for a part of it.',
    );
  }
  return { ...readRowSelection(request), field: readField(field), term };
}

/** Refuses a list of a request that exceeds its maximum length. */
function checkListLength(pointer: string, list: readonly unknown[], lengthMax: number): void {
  if (list.length <= lengthMax) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    pointer,
    `'${pointer.slice(1)}' has more than ${lengthMax} items.`,
    'Send fewer.',
  );
}
