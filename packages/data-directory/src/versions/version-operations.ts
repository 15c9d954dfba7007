import type { GrantLoss } from '@locmetrics/core/domain/grant-fit';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { SchemaChange } from './list-schema-changes.ts';
import type { VersionList } from './list-versions.ts';
import type { PublishReport } from './publish-report.ts';
import type { Switch } from './switch-versions.ts';

/** The operations of an administrator on versions while they are served. All refusals are `ServiceError`s. */
export type VersionOperations = {
  /** Those of a dataset, or of all. */
  readonly list: (datasetName: string | undefined) => VersionList;
  readonly readReport: (datasetName: string, version: string) => Promise<PublishReport>;
  /** Default: the current version, and the one that was published before the later one. */
  readonly compare: (
    datasetName: string,
    versions: { readonly from?: string | undefined; readonly to?: string | undefined },
    signal: StopSignal,
  ) => Promise<ComparedVersions>;
  readonly rollBack: (asked: RollbackRequest) => Promise<VersionSwitch>;
};

export type RollbackRequest = {
  readonly datasetName: string;
  /** Absent: the one that was current before. */
  readonly version?: string | undefined;
  /** Whether the datasets that were published together are switched too. */
  readonly isTogether: boolean;
  readonly acceptsGrantLosses: boolean;
};

export type VersionSwitch = Pick<Switch, 'number' | 'time' | 'datasets'> & {
  readonly grantLosses: readonly GrantLoss[];
};

/** The differences of two versions, as `locmetrics diff --json` prints them. */
export type ComparedVersions = {
  readonly dataset: string;
  readonly before: string;
  readonly after: string;
  readonly isBreaking: boolean;
  readonly schema: readonly SchemaChange[];
  /** Null if the keys differ, so that records cannot be matched. */
  readonly rows: Readonly<Record<'added' | 'removed' | 'changed' | 'same', number>> | null;
  readonly changedFields: readonly { readonly field: string; readonly rows: number }[];
  readonly examples: Readonly<Record<'added' | 'removed' | 'changed', readonly object[]>>;
};
