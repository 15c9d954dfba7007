import { type catalogV3, catalogV3alpha } from '@locmetrics/contract/grpc';
import type {
  GetLayerStatsRequest,
  ListRecordsStatisticsRequest,
} from '@locmetrics/core/domain/catalog-request';
import {
  encodeLayerStatsMessage,
  encodeRecordsStatisticsMessage,
} from '@locmetrics/core/encoding/statistics';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { getLayerStats } from '../../../service/get-layer-stats.ts';
import { listRecordsStatistics } from '../../../service/list-records-statistics.ts';
import { readFilter, readOptions, readRowSelection } from '../read-row-selection.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

/** Counts of the records of datasets. */
export const CATALOG_QUERY_ALPHA: ServedService = {
  service: catalogV3alpha.CatalogQuery,
  scope: 'catalog',
  calls: [
    unaryCall(catalogV3alpha.CatalogQuery.method.listRecordsStatistics, {
      read: toStatisticsRequest,
      run: listRecordsStatistics,
      rowsOf: ({ length }) => length,
      encode: encodeRecordsStatisticsMessage,
    }),
    unaryCall(catalogV3alpha.CatalogQuery.method.getLayerStats, {
      read: toLayerStatsRequest,
      run: getLayerStats,
      rowsOf: () => 1,
      encode: encodeLayerStatsMessage,
    }),
  ],
};

function toStatisticsRequest(request: catalogV3.ListRecordsRequest): ListRecordsStatisticsRequest {
  checkUnused(request);
  const { dataReferenceName, filters, filterLogic, options, billingContext } =
    readRowSelection(request);
  return { dataReferenceName, filters, filterLogic, options, billingContext };
}

/** Members of a request for records that its statistics do not use are refused, because they would change nothing. */
function checkUnused(request: catalogV3.ListRecordsRequest): void {
  const { fields, groupBy, pageSize, pageToken, asOf, countOnly, groupFilters, recordCount } =
    request;
  const sent = {
    fields: fields.length > 0,
    groupBy: groupBy.length > 0,
    pageSize: pageSize !== 0,
    pageToken: pageToken !== '',
    asOf: asOf !== '',
    countOnly,
    groupFilters: groupFilters.length > 0,
    recordCount,
  };
  for (const [name, isSent] of Object.entries(sent)) {
    if (!isSent) continue;
    throw ServiceError.atPointer(
      'UNKNOWN_REQUEST_FIELD',
      `/${name}`,
      `ListRecordsStatistics does not use the field '${name}'.`,
      'Leave it out. Known: data_reference_name, filters, filter_logic, options, billing_context.',
    );
  }
}

function toLayerStatsRequest(request: catalogV3alpha.GetLayerStatsRequest): GetLayerStatsRequest {
  const { dataReferenceName, observationDate, filters, options, dimensions, billingContext } =
    request;
  return {
    dataReferenceName,
    observationDate,
    filters: filters.map(readFilter),
    options: readOptions(options),
    dimensions,
    billingContext,
  };
}
