import type { ExportFailure, ExportJob, WrittenFile } from '@locmetrics/core/requests/export-job';

/** The exports of a data directory, or those that several nodes share, whose calls wait for a database. */
export type ExportStore = {
  readonly [Name in keyof FileExportStore]: MayWait<FileExportStore[Name]>;
};

type MayWait<Operation> = Operation extends (...given: infer Given) => infer Result
  ? (...given: Given) => Result | Promise<Result>
  : never;

/**
 * The exports of a data directory. A worker claims one, and writes its files until it is completed or fails. A claim
 * ends unless it is renewed, so that the export of a worker that was killed is written by another one.
 */
export type FileExportStore = {
  /** Adds a waiting export, unless the organisation has too many that have not ended: then false. */
  readonly add: (created: NewExport, unfinishedMax: number) => boolean;
  readonly find: (id: string) => ExportJob | undefined;
  /** The newest first; of a token, or all. */
  readonly list: (tokenId?: string) => readonly ExportJob[];
  /** Removes it, whatever its state; false if there is none. Its files are removed by the caller. */
  readonly remove: (id: string) => boolean;
  /**
   * Claims the oldest export that waits or whose claim has ended, of an organisation of which none is being written.
   */
  readonly claim: (claim: string, nowMs: number) => ClaimedExport | undefined;
  /** Renews the claim, with how far the export is; false if it has another one, or was removed. */
  readonly renew: (id: string, claim: string, progress: ExportProgress) => boolean;
  /** Ends the claim of an export that is to be written again from its start. */
  readonly release: (id: string, claim: string) => void;
  /** Ends all claims, at the start of the service: their processes have ended. */
  readonly releaseAll: () => void;
  readonly complete: (id: string, claim: string, ended: CompletedExport) => boolean;
  readonly fail: (id: string, claim: string, ended: FailedExport) => boolean;
  /** Fails an export that has ended or waits: its files must not be served any more. */
  readonly withdraw: (id: string, ended: FailedExport) => void;
  /** The ids of those that have expired. */
  readonly expired: (nowMs: number) => readonly string[];
  /** The size of all files on this machine. */
  readonly bytes: () => number;
  /** Of this machine. */
  readonly counts: () => ExportCounts;
  readonly close: () => void;
};

export type NewExport = Omit<
  ExportJob,
  'state' | 'updatedMs' | 'expiresMs' | 'rowsWritten' | 'claim' | 'node' | 'files' | 'failure'
>;

export type ClaimedExport = ExportJob & {
  /** The rows that were charged, by an earlier claim too: none is charged twice. */
  readonly rowsCharged: number;
  /** How often it was claimed, this time included. */
  readonly attempts: number;
  readonly claim: string;
};

export type ExportProgress = {
  readonly nowMs: number;
  readonly rowsWritten: number;
  readonly rowsCharged: number;
  /** The size of its files. */
  readonly bytes: number;
};

export type CompletedExport = {
  readonly nowMs: number;
  readonly expiresMs: number;
  readonly rowsWritten: number;
  readonly files: readonly WrittenFile[];
};

export type FailedExport = {
  readonly nowMs: number;
  readonly expiresMs: number;
  readonly failure: ExportFailure;
};

/** The number of exports by their state. */
export type ExportCounts = {
  readonly waiting: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
};

/** A claim that is not renewed for so long has ended. */
export const CLAIM_MS = 30_000;
