import {
  CreateRecordsExportRequestSchema,
  DeleteRecordsExportRequestSchema,
  DeleteRecordsExportResponseSchema,
  FileDownloadRequestSchema,
  FileDownloadResponseSchema,
  GetRecordsExportRequestSchema,
  ListRecordsExportsRequestSchema,
  ListRecordsExportsResponseSchema,
  RecordsExportSchema,
} from '@locmetrics/contract';
import {
  encodeExport,
  encodeExportDeleted,
  encodeExports,
  encodeFileDownload,
} from '@locmetrics/core/encoding/records-export';
import { fileDownload } from '../../../service/exports/file-download.ts';
import {
  createRecordsExport,
  deleteRecordsExport,
  getRecordsExport,
  listRecordsExports,
} from '../../../service/exports/records-exports.ts';
import { readCreateExport, readFileDownload } from '../request/read-export-request.ts';
import { operationRoute, type Route } from './route.ts';

/** Exports: jobs that write all records of a request to files. */
export const exportRoutes: readonly Route[] = [
  operationRoute(
    {
      operationId: 'createRecordsExport',
      at: 'POST /v3/catalog/createRecordsExport',
      access: 'catalog',
      summary: 'Export records to files',
      description:
        'Creates an export: a job that writes all records of the request to files of at most 256 MB, which can be downloaded without a token for a day. Ask for its status with getRecordsExport until it is COMPLETED or FAILED. The records are those of the current version; they are charged to the limits as they are written.',
      answer: RecordsExportSchema,
      refusals: [404, 504],
      body: CreateRecordsExportRequestSchema,
    },
    {
      read: ({ body }) => readCreateExport(body),
      run: createRecordsExport,
      encode: encodeExport,
    },
  ),
  operationRoute(
    {
      operationId: 'getRecordsExport',
      at: 'POST /v3/catalog/getRecordsExport',
      access: 'catalog',
      summary: 'Get an export',
      description:
        'Returns the status of an export, the number of records that are written, and links to its files once it is COMPLETED. Only the token that created it may ask.',
      answer: RecordsExportSchema,
      refusals: [404],
      body: GetRecordsExportRequestSchema,
    },
    {
      read: ({ body: { id } }) => ({ id }),
      run: getRecordsExport,
      encode: encodeExport,
    },
  ),
  operationRoute(
    {
      operationId: 'listRecordsExports',
      at: 'POST /v3/catalog/listRecordsExports',
      access: 'catalog',
      summary: 'List your exports',
      description:
        'Returns the exports that the token created and that have not expired, the newest first. Those of metric values have no dataReferenceName.',
      answer: ListRecordsExportsResponseSchema,
      refusals: [],
      body: ListRecordsExportsRequestSchema,
    },
    {
      read: ({ body: { billingContext = '' } }) => ({ billingContext }),
      run: listRecordsExports,
      encode: encodeExports,
    },
  ),
  operationRoute(
    {
      operationId: 'deleteRecordsExport',
      at: 'POST /v3/catalog/deleteRecordsExport',
      access: 'catalog',
      summary: 'Delete an export',
      description: 'Cancels an export that is running, and removes its files.',
      answer: DeleteRecordsExportResponseSchema,
      refusals: [404],
      body: DeleteRecordsExportRequestSchema,
    },
    {
      read: ({ body: { id } }) => ({ id }),
      run: deleteRecordsExport,
      encode: encodeExportDeleted,
    },
  ),
  operationRoute(
    {
      operationId: 'fileDownload',
      at: 'POST /v3alpha/catalog/fileDownload',
      access: 'catalog',
      summary: 'Export records to files, and wait for them',
      description:
        'Creates an export, and answers with links to its files once they are complete. If they take longer than a request may, the answer is DEADLINE_EXCEEDED with the id of the export, which goes on: prefer createRecordsExport for large results. An export whose caller leaves is deleted.',
      answer: FileDownloadResponseSchema,
      refusals: [404, 409, 504],
      body: FileDownloadRequestSchema,
    },
    {
      read: ({ body }) => readFileDownload(body),
      run: fileDownload,
      encode: encodeFileDownload,
    },
  ),
];
