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
import { encodeDataReference, encodeDataReferences } from '../../../encoding/data-reference.ts';
import { encodeFieldValuesPage, encodeRecordsPage } from '../../../encoding/records-json.ts';
import { getDataReference, listDataReferences } from '../../../service/describe-datasets.ts';
import { listRecords } from '../../../service/list-records.ts';
import { searchFieldValues } from '../../../service/search-field-values.ts';
import { readGetDataReference } from '../request/read-get-data-reference.ts';
import { readListRecords, readSearchFieldValues } from '../request/read-row-selection.ts';
import { stateOf } from '../request/request-state.ts';
import { meteredRoute, type Route } from './route.ts';

/** Datasets, their records, and the values of their fields. */
export const datasetRoutes: readonly Route[] = [
  meteredRoute(
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
    async ({ service }, { body: { billingContext = '' }, call }) => {
      const versions = await listDataReferences(service, { billingContext }, call);
      return { asked: {}, encode: () => encodeDataReferences(versions) };
    },
  ),
  meteredRoute(
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
    async ({ service }, { body, call, request }) => {
      const asked = readGetDataReference(body, stateOf(request));
      const version = await getDataReference(service, asked, call);
      return { asked, encode: () => encodeDataReference(version) };
    },
  ),
  meteredRoute(
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
    async ({ service }, { body, call }) => {
      const asked = readListRecords(body);
      const result = await listRecords(service, asked, call);
      const { size } = result;
      const page = { ...result, nextPageToken: result.nextPageToken(size) };
      const encode = () => encodeRecordsPage(page, asked);
      return { asked: body, rows: size, encode: () => service.answers.holdRows(size, encode) };
    },
  ),
  meteredRoute(
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
    async ({ service }, { body, call }) => {
      const result = await searchFieldValues(service, readSearchFieldValues(body), call);
      const rows = result.values.length;
      const page = { ...result, nextPageToken: result.nextPageToken(rows) };
      return { asked: body, rows, encode: () => encodeFieldValuesPage(page) };
    },
  ),
];
