import type { DataDirectory } from '../catalog/data-directory.ts';
import { readCurrentVersions } from '../catalog/read-current-versions.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import type { MetricVersion } from '../domain/metric.ts';
import { checkCatalogChange } from './check-catalog-change.ts';
import { checkLayerPoints } from './check-layer-points.ts';
import { checkMetricRecords } from './check-metric-records.ts';
import { listIncompleteMetrics } from './list-incomplete-metrics.ts';
import type { MetricNotice } from './metric-notice.ts';
import { openVersionReader } from './open-version-reader.ts';

/** A version that is written but not current yet, in a folder that has not its name yet. */
type PreparedVersion = { readonly version: DatasetVersion; readonly folder: string };

/**
 * Checks prepared versions together with what stays current, before anything is switched. Gives the
 * metrics that are served after the switch, or throws a `PublishError`.
 */
export async function checkMetrics({
  prepared,
  directory,
  ...options
}: {
  readonly prepared: readonly PreparedVersion[];
  readonly directory: DataDirectory;
  /** An existing folder for what does not fit into memory. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  readonly threads: number;
  readonly signal: AbortSignal | undefined;
}): Promise<{
  /** In the order of their names. */
  readonly metrics: readonly MetricVersion[];
  readonly notices: readonly MetricNotice[];
}> {
  const published = prepared.map(({ version }) => version);
  const names = new Set(published.map(({ dataset }) => dataset.name));
  const before = readCurrentVersions(directory);
  const kept = before.filter(({ dataset }) => !names.has(dataset.name));
  const resolved = checkCatalogChange(before, [...kept, ...published]);
  const folders = new Map(prepared.map(({ version, folder }) => [version, folder]));
  const reader = await openVersionReader({
    ...options,
    directoryOf: (version) =>
      folders.get(version) ?? directory.version(version.dataset.name, version.version),
  });
  try {
    await checkLayerPoints(published, reader);
    const found = await checkMetricRecords({ published, resolved, reader });
    return {
      metrics: [...resolved.metrics.values()],
      notices: [...listIncompleteMetrics(published, resolved), ...found],
    };
  } finally {
    reader.close();
  }
}
