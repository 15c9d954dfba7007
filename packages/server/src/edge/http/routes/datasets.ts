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
      description: 'Returns the datasets sorted by name, each with its fields and options.',
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
        'Returns the fields of a dataset with their types, operators and examples, and the options of the dataset. Send its name as `name` or as `dataReferenceName`.',
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
        'Returns the records that match all filters, the bounding box and the period. Records are sorted by one field, or by the key, and returned in pages. All pages come from the same version of the dataset.',
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
        'Returns the values of a field that contain the search term, ignoring case. Values that start with the term come first; within each group, values are sorted. Missing values are left out.',
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
