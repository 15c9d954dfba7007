import type { ReadableVersion } from '../../domain/predicate.ts';
import type { CountedVersion, DatasetVersion, MetricVersion } from '../../domain/version.ts';
import type { Acceptance } from '../../manifest/acceptance.ts';
import type { DeclaredDataset } from '../../manifest/manifest.ts';
import { openVersionReader } from '../../storage/duckdb/publish/open-version-reader.ts';
import type { DataDirectory } from '../../versions/data-directory.ts';
import { readCurrentVersions } from '../../versions/read-current-versions.ts';
import { checkCatalogChange } from './check-catalog-change.ts';
import {
  checkGrantLosses,
  divideLosses,
  type GrantLossesOf,
  type GrantLossOptions,
} from './check-grant-losses.ts';
import { checkLayerPoints } from './check-layer-points.ts';
import {
  checkMetricRecords,
  type FoundRecords,
  type UnmatchedMax,
} from './check-metric-records.ts';
import { listIncompleteMetrics } from './list-incomplete-metrics.ts';

/**
 * Refuses declarations that contradict the versions that stay current, or grants. It runs before any file is
 * read, so that such an error is not found after hours. Returns the losses of grants by dataset.
 */
export function checkDeclarations(
  declared: readonly DeclaredDataset[],
  directory: DataDirectory,
  options: GrantLossOptions,
): GrantLossesOf {
  const drafts = declared.map(({ dataset, layers, metrics }) => ({
    dataset,
    layers,
    metrics,
    version: '',
    publishedTime: '',
    rowCount: 0,
  }));
  const before = readCurrentVersions(directory);
  const after = [...keptBeside(drafts, before), ...drafts];
  checkCatalogChange(before, after);
  return divideLosses(checkGrantLosses(options, before, after), before);
}

/** A version that is written but not current yet, in a folder with a temporary name. */
type PreparedVersion = {
  readonly version: CountedVersion;
  readonly folder: string;
  readonly acceptance: Acceptance;
};

export type CheckedMetrics = {
  /** The metrics over the published versions, by their values or layers, sorted by name. */
  readonly metrics: readonly MetricVersion[];
} & FoundRecords;

/**
 * Checks prepared versions together with the versions that stay current, before the switch. Returns the metrics
 * over them that are served after the switch, or throws a `PublishError`.
 */
export async function checkMetrics({
  prepared,
  directory,
  acceptsChanges,
  ...options
}: {
  readonly prepared: readonly PreparedVersion[];
  readonly directory: DataDirectory;
  /** Whether thresholds of the manifest do not count. */
  readonly acceptsChanges: boolean;
  /** An existing folder for spilled data. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  readonly threads: number;
  readonly signal: AbortSignal | undefined;
} & GrantLossOptions): Promise<CheckedMetrics> {
  const published: readonly DatasetVersion[] = prepared.map(({ version }) => version);
  const before = readCurrentVersions(directory);
  const after = [...keptBeside(published, before), ...published];
  const resolved = checkCatalogChange(before, after);
  // Grants may have been added since the declarations were checked.
  checkGrantLosses(options, before, after);
  const folders = new Map<ReadableVersion, string>(
    prepared.map(({ version, folder }) => [version, folder]),
  );
  const reader = openVersionReader({
    ...options,
    directoryOf: (version) =>
      folders.get(version) ?? directory.version(version.dataset.name, version.version),
  });
  try {
    await checkLayerPoints(published, reader);
    const unmatchedMax = new Map<DatasetVersion, UnmatchedMax>();
    for (const { version, acceptance } of acceptsChanges ? [] : prepared) {
      const { unmatchedRecords: accepted } = acceptance;
      if (accepted !== undefined) unmatchedMax.set(version, { accepted, of: version.rowCount });
    }
    const found = await checkMetricRecords({ published, resolved, reader, unmatchedMax });
    return {
      metrics: [...resolved.metrics.values()].filter(({ values, layer, relatedLayer }) =>
        [values, layer.features, relatedLayer?.features].some(
          (version) => version !== undefined && published.includes(version),
        ),
      ),
      notices: [...listIncompleteMetrics(published, resolved), ...found.notices],
      unmatchedOf: found.unmatchedOf,
    };
  } finally {
    await reader.close();
  }
}

/** The versions that stay current after the publish. */
function keptBeside(
  published: readonly DatasetVersion[],
  before: readonly DatasetVersion[],
): readonly DatasetVersion[] {
  const names = new Set(published.map(({ dataset }) => dataset.name));
  return before.filter(({ dataset }) => !names.has(dataset.name));
}
