import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { VersionWriter } from '@locmetrics/column-store/publish/version-writer';
import type { ReusedInstance } from '@locmetrics/column-store/reused-instance';
import type { Period } from '@locmetrics/core/dates/period';
import type { AddressEnvironment } from '../addresses/address-request.ts';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import type { BaseRows } from './base-rows.ts';
import type { ImportProgress } from './import-progress.ts';
import type { StepLimits } from './step-rows.ts';

export type ImportOptions = StepLimits & {
  readonly declared: DeclaredDataset;
  /** Rows of the current version that are in the new one too; absent: none. */
  readonly base?: BaseRows | undefined;
  /** The period within which all rows of the files must lie. */
  readonly replacedPeriod?: Period | undefined;
  /** Each writes its files. The first one is that of the column store. */
  readonly writers: readonly VersionWriter[];
  /** An existing folder, into which the files are written. */
  readonly directory: string;
  /** Lends the instance; absent: it is opened for the import. */
  readonly reused?: ReusedInstance | undefined;
  /** The limit of a gzip file, unpacked; absent: none. */
  readonly unpackedBytesMax?: number | undefined;
  /** The environment variables with the credentials of S3; absent: there are none. */
  readonly environment?: AddressEnvironment | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
};

/** An import that runs. */
export type Import = ImportOptions & {
  readonly connection: ImportConnection;
  /** The folder for copies of files that are not clean; it is created when it is needed. */
  readonly copies: string;
  readonly report: (progress: ImportProgress) => void;
};
