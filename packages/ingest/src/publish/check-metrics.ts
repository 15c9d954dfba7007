import { findWrongPoints } from '@locmetrics/column-store/publish/check-records';
import {
  openVersionReader,
  type VersionReader,
  type VersionReaderOptions,
} from '@locmetrics/column-store/publish/open-version-reader';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type {
  CountedVersion,
  DatasetVersion,
  MetricVersion,
} from '@locmetrics/core/domain/version';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { partsOf } from '@locmetrics/data-directory/versions/published-extents';
import { readCurrentVersions } from '@locmetrics/data-directory/versions/read-current-versions';
import type { ReadOptions } from '@locmetrics/data-directory/versions/read-version';
import type { ResolvedMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';
import type { Acceptance } from '../manifest/acceptance.ts';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { type MetricNotice, metricNotice } from '../problems/metric-notice.ts';
import { PublishError } from '../problems/publish-error.ts';
import { recordsHave, shownKey } from '../problems/record-words.ts';
import { checkCatalogChange } from './check-catalog-change.ts';
import {
  checkGrantLosses,
  divideLosses,
  type GrantLossesOf,
  type GrantLossOptions,
} from './check-grant-losses.ts';
import {
  checkMetricRecords,
  type FoundRecords,
  type UnmatchedMax,
} from './check-metric-records.ts';
import type { ColumnFolders } from './column-folders.ts';

/**
 * Refuses declarations that contradict the versions that stay current, or grants. It runs before any file is
 * read, so that such an error is not found after hours. Returns the losses of grants by dataset.
 */
export async function checkDeclarations(
  declared: readonly DeclaredDataset[],
  directory: DataDirectory,
  options: GrantLossOptions & ReadOptions,
): Promise<GrantLossesOf> {
  const drafts = declared.map(({ dataset, layers, metrics }) => ({
    dataset,
    layers,
    metrics,
    version: '',
    publishedTime: '',
    rowCount: 0,
  }));
  const before = readCurrentVersions(directory, options);
  const after = [...keptBeside(drafts, before), ...drafts];
  checkCatalogChange(before, after);
  return divideLosses(await checkGrantLosses(options, before, after), before);
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
  readonly columns: ColumnFolders;
  /** Whether thresholds of the manifest do not count. */
  readonly acceptsChanges: boolean;
} & Omit<VersionReaderOptions, 'directoryOf'> &
  GrantLossOptions &
  ReadOptions): Promise<CheckedMetrics> {
  const published: readonly DatasetVersion[] = prepared.map(({ version }) => version);
  const before = readCurrentVersions(directory, options);
  const after = [...keptBeside(published, before), ...published];
  const resolved = checkCatalogChange(before, after);
  // Grants may have been added since the declarations were checked.
  await checkGrantLosses(options, before, after);
  const folders = new Map<ReadableVersion, string>(
    prepared.map(({ version, folder }) => [version, folder]),
  );
  const metrics = [...resolved.metrics.values()].filter((metric) =>
    partsOf(metric).some((version) => folders.has(version)),
  );
  const others = metrics.flatMap(partsOf).filter((version) => !folders.has(version));
  await options.columns.fetch(others);
  const reader = openVersionReader({
    ...options,
    directoryOf: (version) => folders.get(version) ?? options.columns.of(version),
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
      metrics,
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

/** The metrics of this publish, by their values or layers, that cannot be served yet. */
function listIncompleteMetrics(
  published: readonly DatasetVersion[],
  { incomplete }: ResolvedMetrics,
): readonly MetricNotice[] {
  return incomplete.flatMap(({ metric, reason }) => {
    const needed = [metric.layerId, metric.related?.layerId];
    const owner =
      published.find(({ metrics }) => metrics.includes(metric)) ??
      published.find(({ layers }) => layers.some(({ id }) => needed.includes(id)));
    if (owner === undefined) return [];
    return [metricNotice(metric, owner, `not served yet. ${reason} Publish the missing part too.`)];
  });
}

/** Refuses features with an invalid point. The points of datasets were checked with their rows. */
async function checkLayerPoints(
  published: readonly DatasetVersion[],
  reader: VersionReader,
): Promise<void> {
  const problems: string[] = [];
  for (const version of published) {
    const { name, key, point: checked } = version.dataset;
    for (const { id, point } of version.layers) {
      if (point === undefined) continue;
      const { latitude, longitude } = point;
      if (latitude === checked?.latitude && longitude === checked.longitude) continue;
      const { count, example } = await findWrongPoints(await reader.attach(version), point, key);
      if (count === 0) continue;
      problems.push(
        `The layer '${id}': in ${name} ${recordsHave(count)} only half of a point in ${latitude} and ${longitude}, or a point that is not on the earth, for example ${shownKey(key, example)}.`,
      );
    }
  }
  if (problems.length === 0) return;
  throw new PublishError(
    problems.join('\n'),
    'A latitude is between -90 and 90, a longitude between -180 and 180; a feature without a point has neither.',
  );
}
