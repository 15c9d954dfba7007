import {
  type CreateRecordsExportRequest as CreateExportBody,
  EXPORT_FORMAT_NUMBERS,
  EXPORT_FORMAT_PREFIX,
} from '@locmetrics/contract';
import { exportFormatOf } from '@locmetrics/core/domain/export-format';
import type { CreateExportRequest } from '@locmetrics/core/domain/records-export';
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
