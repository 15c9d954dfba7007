import {
  type CreateRecordsExportRequest as CreateExportBody,
  DOWNLOAD_FORMAT_NUMBERS,
  DOWNLOAD_FORMAT_PREFIX,
  EXPORT_FORMAT_NUMBERS,
  EXPORT_FORMAT_PREFIX,
  type FileDownloadRequest as FileDownloadBody,
} from '@locmetrics/contract';
import { exportFormatOf } from '@locmetrics/core/domain/export-format';
import type { CreateExportRequest } from '@locmetrics/core/requests/export-job';
import { numberedName } from './enum-name.ts';
import { readStreamBody } from './read-stream-request.ts';

/** Parses a request for an export; absent members get their defaults. */
export function readCreateExport({
  format = 'CSV',
  fileConfig,
  limit = 0,
  ...selection
}: CreateExportBody): CreateExportRequest {
  const { dataReferenceName } = selection;
  const written = fileConfig?.format ?? format;
  return {
    ...readStreamBody(selection, { dataReferenceName }),
    format: exportFormatOf(numberedName(written, EXPORT_FORMAT_NUMBERS, EXPORT_FORMAT_PREFIX)),
    filenamePrefix: fileConfig?.filenamePrefix ?? '',
    limit,
  };
}

/** Parses a request for files with records; absent members get their defaults. */
export function readFileDownload({
  format = 'CSV',
  ...selection
}: FileDownloadBody): CreateExportRequest {
  const { dataReferenceName } = selection;
  return {
    ...readStreamBody(selection, { dataReferenceName }),
    format: exportFormatOf(numberedName(format, DOWNLOAD_FORMAT_NUMBERS, DOWNLOAD_FORMAT_PREFIX)),
    filenamePrefix: '',
    limit: 0,
  };
}
