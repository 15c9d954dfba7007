export type { ExportOptions } from './await-export.ts';
export {
  type Client,
  type ClientOptions,
  createClient,
  type FieldValuesOptions,
  type LayerFeaturesRequest,
  type MetricAggregatesRequest,
  type MetricDownloadRequest,
  type MetricValuesRequest,
  type MetricValuesRow,
  type OrderBy,
  type RecordsOptions,
  type StreamMetricValuesRequest,
  type StreamRecordsOptions,
  type UsageRequest,
} from './client.ts';
export type {
  AnyDatasets,
  DatasetName,
  DatasetsShape,
  FieldName,
  FieldShape,
  FieldValue,
  Filter,
  RecordOf,
} from './datasets.ts';
export {
  ConnectionError,
  ExportFailedError,
  LocmetricsError,
  PageTokenExpiredError,
  ServiceError,
  TooManyRowsError,
  UnexpectedAnswerError,
} from './errors.ts';
export type { Reason } from './generated/reasons.ts';
export type * from './generated/schemas.ts';
export type { Download } from './open-download.ts';
export type { RowStream, StreamFormat } from './row-stream.ts';
export type { CountedRows, Rows } from './rows.ts';
export type { CallOptions } from './send.ts';
