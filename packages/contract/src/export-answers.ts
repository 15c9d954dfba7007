import { Type } from 'typebox';
import {
  BoundingBoxSchema,
  CircleSchema,
  FieldSelectionSchema,
  FilterClauseSchema,
  GeoCoordinateSchema,
  GeoPolygonSchema,
} from './catalog-requests.ts';
import { closed, time } from './schema-parts.ts';

/** The answers about exports. */

const format = Type.Enum(['CSV', 'JSON', 'AVRO', 'PARQUET', 'ARROW', 'GEOJSON']);

const ExportOrderSchema = closed(
  { fieldName: Type.String(), direction: Type.Enum(['ASC', 'DESC']) },
  { title: 'ExportOrder' },
);

const ExportFileSchema = closed(
  {
    name: Type.String({ examples: ['places-0.csv'] }),
    sizeBytes: Type.Integer({ description: 'The size in bytes.' }),
    format: Type.String({ examples: ['CSV'] }),
    contentType: Type.String({ examples: ['text/csv; charset=utf-8; header=present'] }),
    created: time,
    updated: time,
    url: Type.String({
      description:
        'Where the file can be downloaded until expireTime, without a token. Anybody who has it can.',
    }),
  },
  { title: 'ExportFile' },
);

/** unacast.catalog.v3.RecordsExport */
export const RecordsExportSchema = closed(
  {
    id: Type.String({ examples: ['4v2k0d8r1m5t9a7c3f6h0j2p4q'] }),
    status: Type.Enum(['RUNNING', 'COMPLETED', 'FAILED'], {
      description:
        'RUNNING while it waits or its files are being written; COMPLETED when all can be downloaded; FAILED if it has none.',
    }),
    createTime: time,
    updateTime: time,
    dataReferenceName: Type.String({ description: 'Empty for an export of metric values.' }),
    fields: Type.Array(FieldSelectionSchema, { description: 'As in the request.' }),
    filters: Type.Array(FilterClauseSchema, { description: 'As in the request.' }),
    filterLogic: Type.String({ description: 'As in the request.' }),
    options: closed(
      {
        boundingBox: Type.Optional(BoundingBoxSchema),
        polygon: Type.Optional(GeoPolygonSchema),
        circle: Type.Optional(CircleSchema),
        near: Type.Optional(GeoCoordinateSchema),
        trimToPeriodOfExistence: Type.Enum(['TRIM', 'IGNORE']),
        orderBy: Type.Optional(ExportOrderSchema),
        thenBy: Type.Optional(Type.Array(ExportOrderSchema)),
      },
      { title: 'ExportOptions', description: 'As in the request, with its defaults.' },
    ),
    format,
    limit: Type.Integer({ description: 'The largest number of records; 0 for all.' }),
    fileConfig: closed(
      {
        format,
        filenamePrefix: Type.String({ description: 'The start of the name of each file.' }),
      },
      { title: 'ExportFileConfig' },
    ),
    rowsWritten: Type.Integer({ description: 'The number of records that are written so far.' }),
    fileExportInfo: Type.Optional(
      closed(
        {
          expireTime: time,
          files: Type.Array(ExportFileSchema, { description: 'The files, by their number.' }),
        },
        { title: 'FileExportInfo', description: 'Only of a COMPLETED export.' },
      ),
    ),
    errorReason: Type.Optional(
      Type.String({ description: 'Why it FAILED: a reason of the table of errors.' }),
    ),
    errorMessage: Type.Optional(Type.String({ description: 'Why it FAILED, as a sentence.' })),
  },
  { title: 'RecordsExport' },
);

/** unacast.catalog.v3.ListRecordsExportsResponse */
export const ListRecordsExportsResponseSchema = closed(
  { recordsExports: Type.Array(RecordsExportSchema) },
  { title: 'ListRecordsExportsResponse' },
);

/** unacast.catalog.v3.DeleteRecordsExportResponse */
export const DeleteRecordsExportResponseSchema = closed(
  {},
  { title: 'DeleteRecordsExportResponse' },
);

/** unacast.catalog.v3alpha.FileDownloadResponse */
export const FileDownloadResponseSchema = closed(
  {
    downloadId: Type.String({
      description: 'The id of the export.',
      examples: ['4v2k0d8r1m5t9a7c3f6h0j2p4q'],
    }),
    fileUrls: Type.Array(Type.String(), {
      description:
        'Where the files can be downloaded until expiresAt, without a token, by anybody who has the link.',
    }),
    expiresAt: time,
  },
  { title: 'FileDownloadResponse' },
);

/** The path of a file of an export. */
export const ExportFileAddressSchema = closed({
  exportId: Type.String({ description: 'The id of the export.' }),
  file: Type.String({ description: 'The name of the file.' }),
});

/** The parameters of a link to a file of an export. */
export const ExportFileQuerySchema = closed({
  expires: Type.Integer({ description: 'Until when the link works, in seconds since 1970.' }),
  signature: Type.String({ description: 'The signature of the link.' }),
});
