import {
  GetDataReferenceRequestSchema,
  GetDataReferenceResponseSchema,
  GetLayerStatsRequestSchema,
  GetLayerStatsResponseSchema,
  ListDataReferencesRequestSchema,
  ListDataReferencesResponseSchema,
  ListRecordsRequestSchema,
  ListRecordsResponseSchema,
  ListRecordsStatisticsRequestSchema,
  ListRecordsStatisticsResponseSchema,
  SearchFieldValuesRequestSchema,
  SearchFieldValuesResponseSchema,
} from '@locmetrics/contract';
import {
  encodeDataReference,
  encodeDataReferences,
} from '@locmetrics/core/encoding/data-reference';
import { encodeFieldValuesPage, encodeRecordsPage } from '@locmetrics/core/encoding/records-json';
import { encodeLayerStats, encodeRecordsStatistics } from '@locmetrics/core/encoding/statistics';
import { getDataReference, listDataReferences } from '../../../service/describe-datasets.ts';
import { getLayerStats } from '../../../service/features/get-layer-stats.ts';
import { listRecords } from '../../../service/list-records.ts';
import { listRecordsStatistics } from '../../../service/list-records-statistics.ts';
import { searchFieldValues } from '../../../service/search-field-values.ts';
import { preferredFormat } from '../request/preferred-format.ts';
import { readGetDataReference } from '../request/read-get-data-reference.ts';
import {
  readGetLayerStats,
  readListRecords,
  readListRecordsStatistics,
  readSearchFieldValues,
} from '../request/read-row-selection.ts';
import { stateOf } from '../request/request-state.ts';
import { encodeCsvPage } from './csv-page.ts';
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
        'Returns the records that match all filters, the bounding box and the period. Records are sorted by one field, or by the key, and returned in pages. All pages come from the same version of the dataset. With the header Accept: text/csv, a page is CSV, and its token is in Next-Page-Token.',
      answer: ListRecordsResponseSchema,
      tables: 'unlisted',
      refusals: [404, 504],
      body: ListRecordsRequestSchema,
    },
    {
      read: ({ body, request: { headers } }) => ({
        ...readListRecords(body),
        format: preferredFormat(headers),
      }),
      run: listRecords,
      rowsOf: ({ size }) => size,
      encode: (page, asked) =>
        asked.format === 'json' ? encodeRecordsPage(page, asked) : encodeCsvPage(page),
    },
  ),
  operationRoute(
    {
      operationId: 'searchFieldValues',
      at: 'POST /v3/catalog/searchFieldValues',
      access: 'catalog',
      summary: 'Search the distinct values of a field',
      description:
        'Returns the values of a field that contain the search term, ignoring case and diacritics. Values equal to the term come first, then those equal except for case and diacritics, then those that start with it; within each group, values are sorted. Missing values are left out.',
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
  operationRoute(
    {
      operationId: 'listRecordsStatistics',
      at: 'POST /v3alpha/catalog/listRecordsStatistics',
      access: 'catalog',
      summary: 'Count the records and places of each date',
      description:
        'Returns the number of matching records and of their places for each observation date, which is the first day of the period of a record. Each date costs one row.',
      answer: ListRecordsStatisticsResponseSchema,
      refusals: [404, 504],
      body: ListRecordsStatisticsRequestSchema,
    },
    {
      read: ({ body }) => readListRecordsStatistics(body),
      run: listRecordsStatistics,
      rowsOf: ({ length }) => length,
      encode: encodeRecordsStatistics,
    },
  ),
  operationRoute(
    {
      operationId: 'getLayerStats',
      at: 'POST /v3alpha/catalog/getLayerStats',
      access: 'catalog',
      summary: 'Count the places and values of one date',
      description:
        'Returns the number of places with a matching record on one observation date, and the number of different values of each named field. It costs one row.',
      answer: GetLayerStatsResponseSchema,
      refusals: [404, 504],
      body: GetLayerStatsRequestSchema,
    },
    {
      read: ({ body }) => readGetLayerStats(body),
      run: getLayerStats,
      rowsOf: () => 1,
      encode: encodeLayerStats,
    },
  ),
];
