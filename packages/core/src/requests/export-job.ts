import type { ExportFormat } from '../domain/export-format.ts';
import type { ErrorReason } from '../errors/service-error.ts';
import type { StreamRecordsRequest } from './catalog-request.ts';
import type { MetricRequest, SearchMetricValuesRequest } from './metric-request.ts';

/** A job that writes the records of a dataset, or the values of a metric, to files. Times are in ms since 1970. */
export type ExportJob = {
  /** 26 characters of base32. */
  readonly id: string;
  readonly organisationId: string;
  /** The token that created it; only it may read the export. */
  readonly tokenId: string;
  /** The rights that it was created with; see `Rights`. */
  readonly rights: string;
  readonly state: ExportState;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** When the files are removed; undefined before it has ended. */
  readonly expiresMs: number | undefined;
  /** Its version is pinned: `asOf` has its name. */
  readonly request: ExportedRequest;
  readonly format: ExportFormat;
  /** The start of the name of each file, before its number; may be empty. */
  readonly filenamePrefix: string;
  /** The largest number of records; 0: all. */
  readonly limit: number;
  /** How long the files are kept, if not as long as the service keeps files. */
  readonly keepMs: number | undefined;
  /** The number of records or values to write. */
  readonly rows: number;
  readonly rowsWritten: number;
  /** Names the folder of its files; undefined before it is claimed. */
  readonly claim: string | undefined;
  /** The URL of the node that writes it and has its files; undefined if a single service does. */
  readonly node: string | undefined;
  /** By their number; empty before it is completed. */
  readonly files: readonly WrittenFile[];
  /** Only of a failed one. */
  readonly failure: ExportFailure | undefined;
};

/** What an export is asked to write: the rows of a stream with this request. */
export type AskedExport =
  | ({ readonly kind: 'records' } & StreamRecordsRequest)
  | ({ readonly kind: 'values' } & SearchMetricValuesRequest);

/** What an export writes. */
export type ExportedRequest =
  | Extract<AskedExport, { readonly kind: 'records' }>
  | (Extract<AskedExport, { readonly kind: 'values' }> & {
      /** The versions of datasets that the version of the metric is made of. */
      readonly madeOf: readonly { readonly dataset: string; readonly version: string }[];
    });

/** An export, with a link to each of its files. */
export type ExportView = ExportJob & { readonly links: readonly string[] };

/** `waiting` and `running` are one status for callers. */
export type ExportState = 'waiting' | 'running' | 'completed' | 'failed';

/** A file with the prefix, its number and the extension of the format as its name. */
export type WrittenFile = {
  readonly name: string;
  readonly sizeBytes: number;
  readonly createdMs: number;
  readonly updatedMs: number;
};

export type ExportFailure = { readonly reason: ErrorReason; readonly message: string };

/** A request for an export of records, parsed by an edge and not yet checked. An empty text means absent. */
export type CreateExportRequest = StreamRecordsRequest & {
  readonly format: ExportFormat;
  readonly filenamePrefix: string;
  /** The largest number of records; 0: all. */
  readonly limit: number;
};

/** A request for files with all values of a metric, parsed by an edge and not yet checked. An empty text means absent. */
export type DownloadMetricRequest = MetricRequest & {
  /** The start of the name of each file. */
  readonly fileName: string;
  /** How long the files are kept; 0: as long as the service keeps files. */
  readonly expiryInHours: number;
};
