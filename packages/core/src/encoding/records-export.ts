import { catalogV1, catalogV3, catalogV3alpha } from '@locmetrics/contract/grpc';
import { EXPORT_FORMATS, type ExportFormat } from '../domain/export-format.ts';
import type { FilterClause } from '../domain/filter.ts';
import { metricName } from '../domain/metric.ts';
import type { OrderKey, RowOptions, StreamRecordsRequest } from '../requests/catalog-request.ts';
import type { ExportJob, ExportState, ExportView } from '../requests/export-job.ts';
import { encodeJson } from './json.ts';
import { encodeFramed } from './message-frame.ts';

export function encodeExport(view: ExportView): Buffer {
  return encodeJson(toExportAnswer(view));
}

export function encodeExports(views: readonly ExportView[]): Buffer {
  return encodeJson({ recordsExports: views.map(toExportAnswer) });
}

export function encodeExportDeleted(): Buffer {
  return encodeJson({});
}

/** The files of a completed export. */
export function encodeFileDownload(view: ExportView): Buffer {
  return encodeJson(toDownloadAnswer(view));
}

export function encodeFileDownloadMessage(view: ExportView) {
  return encodeFramed(catalogV3alpha.FileDownloadResponseSchema, toDownloadAnswer(view));
}

export function encodeMetricDownloadMessage(view: ExportView) {
  return encodeFramed(catalogV1.DownloadResponseSchema, toDownloadAnswer(view));
}

function toDownloadAnswer({ id, links, expiresMs = 0 }: ExportView) {
  return { downloadId: id, fileUrls: [...links], expiresAt: toTime(expiresMs) };
}

const STATUS: Readonly<Record<ExportState, 'RUNNING' | 'COMPLETED' | 'FAILED'>> = {
  waiting: 'RUNNING',
  running: 'RUNNING',
  completed: 'COMPLETED',
  failed: 'FAILED',
};

/** An export in JSON. One of metric values has no dataset, fields and filters. */
function toExportAnswer(view: ExportView) {
  const { id, state, createdMs, updatedMs, request, filenamePrefix, limit } = view;
  const { rowsWritten, failure } = view;
  const { dataReferenceName, fields, filters, filterLogic, options } =
    request.kind === 'records' ? request : NO_SELECTION;
  const format = EXPORT_FORMATS[view.format].name;
  return {
    id,
    status: STATUS[state],
    createTime: toTime(createdMs),
    updateTime: toTime(updatedMs),
    dataReferenceName,
    fields: fields.map(({ name, source }) => (source === '' ? { name } : { name, source })),
    filters: filters.map(toFilterAnswer),
    filterLogic,
    options: toOptionsAnswer(options),
    format,
    limit,
    fileConfig: { format, filenamePrefix },
    rowsWritten,
    ...(state === 'completed' ? { fileExportInfo: toFilesAnswer(view) } : {}),
    ...(failure === undefined
      ? {}
      : { errorReason: failure.reason, errorMessage: failure.message }),
  };
}

const NO_SELECTION: RowSelection = {
  dataReferenceName: '',
  fields: [],
  filters: [],
  filterLogic: '',
  options: { trimToPeriodOfExistence: 'trim' },
};

type RowSelection = Pick<
  StreamRecordsRequest,
  'dataReferenceName' | 'fields' | 'filters' | 'filterLogic' | 'options'
>;

/** An export for the operator, who may not have its files. */
export function toListedExport(job: ExportJob) {
  const { id, organisationId, tokenId, state, request, format, rows, rowsWritten } = job;
  const { files, createdMs, updatedMs, expiresMs, failure } = job;
  return {
    id,
    organisationId,
    tokenId,
    // One of them is absent in JSON.
    dataset: request.kind === 'records' ? request.dataReferenceName : undefined,
    metric: request.kind === 'values' ? metricName(request) : undefined,
    version: request.asOf,
    state,
    format: EXPORT_FORMATS[format].name,
    rows,
    rowsWritten,
    files: files.length,
    bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    created: toTime(createdMs),
    updated: toTime(updatedMs),
    expires: expiresMs === undefined ? null : toTime(expiresMs),
    ...(failure === undefined
      ? {}
      : { errorReason: failure.reason, errorMessage: failure.message }),
  };
}

function toFilterAnswer({ fieldName, operator, value, values }: FilterClause) {
  return {
    fieldName,
    operator,
    ...(value === '' ? {} : { value }),
    ...(values.length === 0 ? {} : { values }),
  };
}

function toOptionsAnswer({
  boundingBox,
  polygon,
  circle,
  near,
  trimToPeriodOfExistence,
  orderBy,
  thenBy,
}: RowOptions) {
  return {
    ...(boundingBox === undefined ? {} : { boundingBox }),
    ...(polygon === undefined ? {} : { polygon: { coordinates: [...polygon.coordinates] } }),
    ...(circle === undefined ? {} : { circle }),
    ...(near === undefined ? {} : { near }),
    trimToPeriodOfExistence: trimToPeriodOfExistence === 'trim' ? 'TRIM' : 'IGNORE',
    ...(orderBy === undefined ? {} : { orderBy: toOrderAnswer(orderBy) }),
    ...(thenBy === undefined ? {} : { thenBy: thenBy.map(toOrderAnswer) }),
  };
}

function toOrderAnswer({ fieldName, descending }: OrderKey) {
  return { fieldName, direction: descending ? ('DESC' as const) : ('ASC' as const) };
}

function toFilesAnswer({ expiresMs = 0, files, links, format }: ExportView) {
  const { name: formatName, mediaType } = EXPORT_FORMATS[format];
  return {
    expireTime: toTime(expiresMs),
    files: files.map(({ name, sizeBytes, createdMs, updatedMs }, index) => ({
      name,
      sizeBytes,
      format: formatName,
      contentType: mediaType,
      created: toTime(createdMs),
      updated: toTime(updatedMs),
      url: links[index] ?? '',
    })),
  };
}

export function encodeExportMessage(view: ExportView) {
  return encodeFramed(catalogV3.RecordsExportSchema, toExportMessage(view));
}

export function encodeExportsMessage(views: readonly ExportView[]) {
  return encodeFramed(catalogV3.ListRecordsExportsResponseSchema, {
    recordsExports: views.map(toExportMessage),
  });
}

export function encodeExportDeletedMessage() {
  return encodeFramed(catalogV3.DeleteRecordsExportResponseSchema, {});
}

function toExportMessage(view: ExportView) {
  const answer = toExportAnswer(view);
  const { fileExportInfo, fields, filters, options, rowsWritten, ...same } = answer;
  const { orderBy, thenBy, boundingBox, polygon, circle, near, trimToPeriodOfExistence } = options;
  const format = toFormatNumber(view.format);
  const { filenamePrefix } = view;
  return {
    ...same,
    status: catalogV3.RecordExportStatus[answer.status],
    fields: fields.map(({ name, source = '' }) => ({ name, source })),
    filters: filters.map(({ fieldName, operator, value = '', values = [] }) => ({
      fieldName,
      operator,
      value: String(value),
      values: values.map(String),
    })),
    options: {
      ...(boundingBox === undefined ? {} : { boundingBox }),
      ...(polygon === undefined ? {} : { polygon }),
      ...(circle === undefined ? {} : { circle }),
      ...(near === undefined ? {} : { near }),
      trimToPeriodOfExistence:
        trimToPeriodOfExistence === 'TRIM'
          ? catalogV3.TrimToPeriodOfExistence.TRIM
          : catalogV3.TrimToPeriodOfExistence.IGNORE,
      ...(orderBy === undefined ? {} : { orderBy: toOrderMessage(orderBy) }),
      ...(thenBy === undefined ? {} : { thenBy: thenBy.map(toOrderMessage) }),
    },
    format,
    fileConfig: { format, filenamePrefix },
    rowsWritten: BigInt(rowsWritten),
    ...(fileExportInfo === undefined
      ? {}
      : {
          fileExportInfo: {
            expireTime: fileExportInfo.expireTime,
            files: fileExportInfo.files.map(({ sizeBytes, ...file }) => ({
              ...file,
              sizeBytes: BigInt(sizeBytes),
            })),
          },
        }),
  };
}

function toOrderMessage({ fieldName, direction }: ReturnType<typeof toOrderAnswer>) {
  return { fieldName, direction: catalogV3.OrderDirection[direction] };
}

function toFormatNumber(format: ExportFormat): catalogV3.FileExportFormat {
  return catalogV3.FileExportFormat[EXPORT_FORMATS[format].name];
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
