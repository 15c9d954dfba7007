import {
  GetDataReferenceRequestSchema,
  GetDataReferenceResponseSchema,
  ListDataReferencesRequestSchema,
  ListDataReferencesResponseSchema,
  ListRecordsRequestSchema,
  ListRecordsResponseSchema,
  SearchFieldValuesRequestSchema,
  SearchFieldValuesResponseSchema,
} from '@locmetrics/contract';
import {
  encodeDataReference,
  encodeDataReferences,
} from '@locmetrics/core/encoding/data-reference';
import { encodeFieldValuesPage, encodeRecordsPage } from '@locmetrics/core/encoding/records-json';
import { getDataReference, listDataReferences } from '../../../service/describe-datasets.ts';
import { listRecords } from '../../../service/list-records.ts';
import { searchFieldValues } from '../../../service/search-field-values.ts';
import { readGetDataReference } from '../request/read-get-data-reference.ts';
import { readListRecords, readSearchFieldValues } from '../request/read-row-selection.ts';
import { stateOf } from '../request/request-state.ts';
import { operationRoute, type Route } from './route.ts';

/** Datasets, their records, and the values of their fields. */
export const datasetRoutes: readonly Route[] = [
  operationRoute(
    {
      operationId: 'listDataReferences',
      at: 'POST /v3/catalog/listDataReferences',
      access: 'catalog',
      summary: 'List the datasets you may see',
      description: 'Each with its fields and options, sorted by name.',
      answer: ListDataReferencesResponseSchema,
      refusals: [],
      body: ListDataReferencesRequestSchema,
    },
    {
      read: ({ body: { billingContext = '' } }) => ({ billingContext }),
      run: listDataReferences,
      encode: encodeDataReferences,
    },
  ),
  operationRoute(
    {
      operationId: 'getDataReference',
      at: 'POST /v3/catalog/getDataReference',
      access: 'catalog',
      summary: 'Describe one dataset',
      description:
        'Its fields with their types, operators and examples, and the options it has. The name goes in `name` or in `dataReferenceName`.',
      answer: GetDataReferenceResponseSchema,
      refusals: [404],
      body: GetDataReferenceRequestSchema,
    },
    {
      read: ({ body, request }) => readGetDataReference(body, stateOf(request)),
      run: getDataReference,
      encode: encodeDataReference,
    },
  ),
  operationRoute(
    {
      operationId: 'listRecords',
      at: 'POST /v3/catalog/listRecords',
      access: 'catalog',
      summary: 'List the records of a dataset',
      description:
        'Chosen by filters, a bounding box and existence, ordered by one field or by the key, page by page. All pages come from one data version.',
      answer: ListRecordsResponseSchema,
      refusals: [404, 504],
      body: ListRecordsRequestSchema,
    },
    {
      read: ({ body }) => readListRecords(body),
      run: listRecords,
      rowsOf: ({ size }) => size,
      encode: encodeRecordsPage,
    },
  ),
  operationRoute(
    {
      operationId: 'searchFieldValues',
      at: 'POST /v3/catalog/searchFieldValues',
      access: 'catalog',
      summary: 'Search the distinct values of a field',
      description:
        'Values that contain the term, ignoring case: values that start with it come first, then sorted by value. Absent values are left out.',
      answer: SearchFieldValuesResponseSchema,
      refusals: [404, 504],
      body: SearchFieldValuesRequestSchema,
    },
    {
      read: ({ body }) => readSearchFieldValues(body),
      run: searchFieldValues,
      rowsOf: ({ values }) => values.length,
      encode: encodeFieldValuesPage,
    },
  ),
];
