import { metricName } from '../../domain/metric.ts';
import { nameHint } from '../../domain/nearest-name.ts';
import {
  type CurrentFile,
  readCurrentFile,
  replaceCurrentFile,
} from '../../versions/current-file.ts';
import type { DataDirectory } from '../../versions/data-directory.ts';
import { readVersion } from '../../versions/read-version.ts';
import { type IncompleteMetric, resolveMetrics } from '../../versions/resolve-metrics.ts';
import { whileNoneSwitches } from '../../versions/switch-lock.ts';
import { lastSwitch, listByLastCurrent, removeDataset } from '../../versions/switch-versions.ts';
import { markWithdrawn } from '../../versions/withdrawn-mark.ts';
import { PublishError } from '../problems/publish-error.ts';

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
export function planRemoval(directory: DataDirectory, datasetName: string): Removal {
  return planIn(directory, readCurrentFile(directory.current), datasetName).removal;
}

export type Removed = Removal & { readonly switch: number; readonly time: string };

/**
 * Removes a dataset with all its versions in one switch, or throws a `PublishError` and changes nothing. It is
 * refused if a metric of another dataset would end, unless that is accepted.
 */
export async function removePublished({
  directory,
  datasetName,
  endsOtherMetrics,
  clock,
}: {
  readonly directory: DataDirectory;
  readonly datasetName: string;
  readonly endsOtherMetrics: boolean;
  readonly clock: () => number;
}): Promise<Removed> {
  return whileNoneSwitches(directory, async () => {
    const current = readCurrentFile(directory.current);
    const { dataset, removal, lost } = planIn(directory, current, datasetName);
    if (!endsOtherMetrics) refuseLost(datasetName, lost);
    const changed = removeDataset(current, datasetName, { now: clock() });
    await replaceCurrentFile(directory.current, changed);
    const { number, time } = lastSwitch(changed);
    for (const version of new Set([dataset.version, ...dataset.kept])) {
      markWithdrawn(directory.version(datasetName, version), time);
    }
    return { ...removal, switch: number, time };
  });
}

function planIn(directory: DataDirectory, current: CurrentFile, datasetName: string) {
  const { [datasetName]: dataset, ...others } = current.datasets;
  if (dataset === undefined) {
    throw new PublishError(
      `No dataset '${datasetName.slice(0, 100)}' is published.`,
      nameHint(datasetName, Object.keys(others).sort()),
    );
  }
  // A damaged version can be removed too, although its layers and metrics are not known.
  const own = readVersion(directory.version(datasetName, dataset.version)).version;
  const rest = Object.entries(others).flatMap(
    ([name, { version }]) => readVersion(directory.version(name, version)).version ?? [],
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
    lost
      .map(
        ({ metric, reason }) =>
          `The metric ${metricName(metric)} could not be served any more. ${reason}`,
      )
      .join('\n'),
    `Nothing was removed. Remove the datasets of these first, publish another one with the layer, or end them too: locmetrics dataset remove ${datasetName} --with-metrics`,
  );
}
