import type { DatasetVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { combineVersions } from '@locmetrics/core/domain/version-name';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import type { CurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { namesAt, switchTimes } from './past-states.ts';
import { resolveMetrics } from './resolve-metrics.ts';
import { readVersionFile } from './version-file.ts';

/** A version of a dataset that a version of a metric is made of. */
export type MetricPart = { readonly dataset: string; readonly version: string };

/** A version of a metric that can be queried. */
export type ListedMetricVersion = {
  /** `catalog/metric` */
  readonly metric: string;
  readonly version: string;
  readonly state: 'current' | 'kept';
  /** First the values, then the layers. */
  readonly madeOf: readonly MetricPart[];
};

/** The versions of all metrics, as far as the versions of their datasets are kept: by metric, the newest first. */
export function listMetricVersions(
  directory: DataDirectory,
  current: CurrentFile,
): readonly ListedMetricVersion[] {
  const read = reader(directory);
  const found = new Map<string, ListedMetricVersion>();
  const states = new Set<string>();
  for (const timeMs of switchTimes(current)) {
    const names = namesAt(current, timeMs);
    // A rollback leads to a state that was there before.
    const state = JSON.stringify([...names]);
    if (states.has(state)) continue;
    const isCurrent = states.size === 0;
    states.add(state);
    const kept = [...names].flatMap(([name, version]) =>
      current.datasets[name]?.kept.includes(version) ? (read(name, version) ?? []) : [],
    );
    for (const [name, metric] of resolveMetrics(kept).metrics) {
      const key = `${name} ${metric.version}`;
      if (found.has(key)) continue;
      found.set(key, {
        metric: name,
        version: metric.version,
        state: isCurrent ? 'current' : 'kept',
        madeOf: partsOf(metric),
      });
    }
  }
  return [...found.values()].sort((left, right) => (left.metric < right.metric ? -1 : 1));
}

/** The metrics that have a version, and the versions of datasets that it is made of; undefined if no metric has it. */
export function findMetricVersion(
  directory: DataDirectory,
  current: CurrentFile,
  version: string,
): { readonly metrics: readonly string[]; readonly madeOf: readonly MetricPart[] } | undefined {
  const listed = listMetricVersions(directory, current);
  const kept = listed.filter((one) => one.version === version);
  const [first] = kept;
  if (first !== undefined) {
    return { metrics: kept.map(({ metric }) => metric), madeOf: first.madeOf };
  }
  return findFormer(current, listed, version);
}

/** A version of a metric from the time before its datasets' versions were withdrawn or removed. */
function findFormer(
  current: CurrentFile,
  listed: readonly ListedMetricVersion[],
  version: string,
): ReturnType<typeof findMetricVersion> {
  const histories = Object.values(current.datasets).flatMap(({ history }) => history);
  const times = new Set(histories.map(({ since }) => Date.parse(since)));
  for (const timeMs of times) {
    const names = namesAt(current, timeMs);
    const former = listed.flatMap(({ metric, madeOf }) => {
      const parts = madeOf.flatMap(({ dataset }) => {
        const one = names.get(dataset);
        return one === undefined ? [] : [{ dataset, version: one }];
      });
      return combineVersions(parts.map((part) => part.version)) === version
        ? [{ metric, parts }]
        : [];
    });
    const [first] = former;
    if (first !== undefined) {
      return { metrics: [...new Set(former.map(({ metric }) => metric))], madeOf: first.parts };
    }
  }
  return undefined;
}

/** A dataset that has both the values and the layer is one part. */
export function partsOf({
  values,
  layer,
  relatedLayer,
}: Pick<MetricVersion, 'values' | 'layer' | 'relatedLayer'>): readonly MetricPart[] {
  const versions = [values, layer.features, ...(relatedLayer ? [relatedLayer.features] : [])];
  const parts = new Map(versions.map(({ dataset, version }) => [dataset.name, version]));
  return [...parts].map(([dataset, version]) => ({ dataset, version }));
}

/** Reads each version once; a damaged one is reported by the list of versions. */
function reader(
  directory: DataDirectory,
): (name: string, version: string) => DatasetVersion | undefined {
  const known = new Map<string, DatasetVersion | undefined>();
  return (name, version) => {
    const folder = directory.version(name, version);
    if (!known.has(folder)) known.set(folder, readUnlessDamaged(folder));
    return known.get(folder);
  };
}

function readUnlessDamaged(folder: string): DatasetVersion | undefined {
  try {
    return readVersionFile(folder)?.version;
  } catch (error) {
    if (error instanceof DataDirectoryError) return undefined;
    throw error;
  }
}
