import { catalogV3 } from '@locmetrics/contract/grpc';
import type { ExportFormat } from '@locmetrics/core/domain/export-format';
import { EXPORT_FORMAT_KEYS, EXPORT_FORMATS } from '@locmetrics/core/domain/export-format';
import {
  encodeExportDeletedMessage,
  encodeExportMessage,
  encodeExportsMessage,
} from '@locmetrics/core/encoding/records-export';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { CreateExportRequest } from '@locmetrics/core/requests/export-job';
import {
  createRecordsExport,
  deleteRecordsExport,
  getRecordsExport,
  listRecordsExports,
} from '../../../service/exports/records-exports.ts';
import { readField, readFilter, readOptions } from '../read-row-selection.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

const { FileExportFormat } = catalogV3;

/** Exports: jobs that write all records of a request to files. */
export const EXPORT: ServedService = {
  service: catalogV3.Export,
  scope: 'catalog',
  calls: [
    unaryCall(catalogV3.Export.method.createRecordsExport, {
      read: toCreateRequest,
      run: createRecordsExport,
      encode: encodeExportMessage,
    }),
    unaryCall(catalogV3.Export.method.getRecordsExport, {
      read: ({ id }) => ({ id }),
      run: getRecordsExport,
      encode: encodeExportMessage,
    }),
    unaryCall(catalogV3.Export.method.listRecordsExports, {
      read: ({ billingContext }) => ({ billingContext }),
      run: listRecordsExports,
      encode: encodeExportsMessage,
    }),
    unaryCall(catalogV3.Export.method.deleteRecordsExport, {
      read: ({ id }) => ({ id }),
      run: deleteRecordsExport,
      encode: encodeExportDeletedMessage,
    }),
  ],
};

function toCreateRequest(request: catalogV3.CreateRecordsExportRequest): CreateExportRequest {
  const { dataReferenceName, fields, filters, filterLogic, options, billingContext } = request;
  const { fileConfig, bigqueryConfig, limit } = request;
  if (bigqueryConfig !== undefined) {
    throw ServiceError.atPointer(
      'EXPORT_DESTINATION_UNSUPPORTED',
      '/bigqueryConfig',
      'Exports are not written to BigQuery.',
      'Leave bigquery_config out, and load the files.',
    );
  }
  return {
    dataReferenceName,
    fields: fields.map(readField),
    filters: filters.map(readFilter),
    filterLogic,
    options: readOptions(options),
    billingContext,
    asOf: '',
    trackTotalHits: false,
    format: toFormat(fileConfig?.format || request.format),
    filenamePrefix: fileConfig?.filenamePrefix ?? '',
    limit,
  };
}

function toFormat(number: catalogV3.FileExportFormat): ExportFormat {
  if (number === FileExportFormat.UNSPECIFIED) return 'csv';
  const found = EXPORT_FORMAT_KEYS.find(
    (key) => FileExportFormat[EXPORT_FORMATS[key].name] === number,
  );
  if (found !== undefined) return found;
  throw ServiceError.atPointer(
    'INVALID_EXPORT',
    '/format',
    `Files of the format ${FileExportFormat[number] ?? number} are not written.`,
    `Ask for ${EXPORT_FORMAT_KEYS.map((key) => EXPORT_FORMATS[key].name).join(', ')}.`,
  );
}
