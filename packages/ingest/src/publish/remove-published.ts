import { metricName } from '@locmetrics/core/domain/metric';
import {
  type CurrentFile,
  readCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { type ReadOptions, readVersion } from '@locmetrics/data-directory/versions/read-version';
import {
  type IncompleteMetric,
  resolveMetrics,
} from '@locmetrics/data-directory/versions/resolve-metrics';
import {
  lastSwitch,
  listByLastCurrent,
  removeDataset,
} from '@locmetrics/data-directory/versions/switch-versions';
import { lostMetricsText } from '../problems/metric-notice.ts';
import { PublishError } from '../problems/publish-error.ts';
import type { SwitchOptions } from './roll-back.ts';

/** The effects of removing a dataset. */
export type Removal = {
  readonly dataset: string;
  /** The versions that callers can query: the current one, then the others. */
  readonly versions: readonly string[];
  /** Layers and metrics declared over it. */
  readonly layers: readonly string[];
  readonly metrics: readonly string[];
  /** Metrics of other datasets that are served now and need its layers. */
  readonly otherMetrics: readonly string[];
  /** The names of the datasets and metrics that stay published. */
  readonly remaining: readonly string[];
};

/** Lists the effects of removing a dataset. Throws a `PublishError` with the nearest name if it is unknown. */
export function planRemoval(
  directory: DataDirectory,
  datasetName: string,
  options: ReadOptions = {},
): Removal {
  return planIn(directory, readCurrentFile(directory.current), { datasetName, ...options }).removal;
}

export type Removed = Removal & { readonly switch: number; readonly time: string };

/**
 * Removes a dataset with all its versions in one switch, or throws a `PublishError` and changes nothing. It is
 * refused if a metric of another dataset would end, unless that is accepted.
 */
export async function removePublished({
  directory,
  store = fileVersions(directory),
  datasetName,
  endsOtherMetrics,
  clock,
}: Omit<SwitchOptions, 'database'> & {
  readonly datasetName: string;
  readonly endsOtherMetrics: boolean;
}): Promise<Removed> {
  return store.whileNoneSwitches(async (switching) => {
    const current = switching.current();
    const { dataset, removal, lost } = planIn(directory, current, {
      datasetName,
      isInDatabase: store.isInDatabase,
    });
    if (!endsOtherMetrics) refuseLost(datasetName, lost);
    const changed = removeDataset(current, datasetName, { now: clock() });
    const { number, time } = lastSwitch(changed);
    const versions = [...new Set([dataset.version, ...dataset.kept])].map((version) => ({
      datasetName,
      version,
    }));
    await switching.replaceCurrent(changed, { withdrawn: { versions, time } });
    return { ...removal, switch: number, time };
  });
}

function planIn(
  directory: DataDirectory,
  current: CurrentFile,
  { datasetName, ...options }: ReadOptions & { readonly datasetName: string },
) {
  const { [datasetName]: dataset, ...others } = current.datasets;
  if (dataset === undefined) {
    throw new PublishError(
      `No dataset '${datasetName.slice(0, 100)}' is published.`,
      // Nothing similar is suggested, because a removal cannot be undone.
      'List the datasets: locmetrics versions',
    );
  }
  // A damaged version can be removed too, although its layers and metrics are not known.
  const own = readVersion(directory.version(datasetName, dataset.version), options).version;
  const rest = Object.entries(others).flatMap(
    ([name, { version }]) => readVersion(directory.version(name, version), options).version ?? [],
  );
  const before = resolveMetrics(own === undefined ? rest : [...rest, own]);
  const after = resolveMetrics(rest);
  const lost = after.incomplete.filter(({ metric }) => before.metrics.has(metricName(metric)));
  const removal: Removal = {
    dataset: datasetName,
    versions: listByLastCurrent(dataset),
    layers: (own?.layers ?? []).map(({ id }) => id),
    metrics: (own?.metrics ?? []).map(metricName),
    otherMetrics: lost.map(({ metric }) => metricName(metric)),
    remaining: [...Object.keys(others), ...after.metrics.keys()],
  };
  return { dataset, removal, lost };
}

function refuseLost(datasetName: string, lost: readonly IncompleteMetric[]): void {
  if (lost.length === 0) return;
  throw new PublishError(
    lostMetricsText(lost),
    `Nothing was removed. Remove the datasets of these metrics first, publish another dataset with the layer, or remove the metrics too: locmetrics dataset remove ${datasetName} --with-metrics`,
  );
}
