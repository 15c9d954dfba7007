import { type catalogV3, catalogV3alpha } from '@locmetrics/contract/grpc';
import { exportFormatOf } from '@locmetrics/core/domain/export-format';
import { encodeFileDownloadMessage } from '@locmetrics/core/encoding/records-export';
import {
  encodeLayerStatsMessage,
  encodeRecordsStatisticsMessage,
} from '@locmetrics/core/encoding/statistics';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type {
  GetLayerStatsRequest,
  ListRecordsStatisticsRequest,
} from '@locmetrics/core/requests/catalog-request';
import type { CreateExportRequest } from '@locmetrics/core/requests/export-job';
import { fileDownload } from '../../../service/exports/file-download.ts';
import { getLayerStats } from '../../../service/features/get-layer-stats.ts';
import { listRecordsStatistics } from '../../../service/list-records-statistics.ts';
import { readField, readFilter, readOptions, readRowSelection } from '../read-row-selection.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

const { FileDownloadFormat } = catalogV3alpha;

/** Counts of the records of datasets, and files with them. */
export const CATALOG_QUERY_ALPHA: ServedService = {
  service: catalogV3alpha.CatalogQuery,
  scope: 'catalog',
  calls: [
    unaryCall(catalogV3alpha.CatalogQuery.method.fileDownload, {
      read: toDownloadRequest,
      run: fileDownload,
      encode: encodeFileDownloadMessage,
    }),
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

function toDownloadRequest(request: catalogV3alpha.FileDownloadRequest): CreateExportRequest {
  const { dataReferenceName, fields, filters, options, billingContext, format } = request;
  return {
    dataReferenceName,
    fields: fields.map(readField),
    filters: filters.map(readFilter),
    filterLogic: '',
    options: readOptions(options),
    billingContext,
    asOf: '',
    trackTotalHits: false,
    format: exportFormatOf(FileDownloadFormat[format]),
    filenamePrefix: '',
    limit: 0,
  };
}

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
