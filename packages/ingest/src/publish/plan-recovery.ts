import { metricName } from '@locmetrics/core/domain/metric';
import { publishedTimeOf } from '@locmetrics/core/domain/version-name';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { chooseServed } from '@locmetrics/data-directory/versions/choose-served';
import type { CurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { rebuildHistory } from '@locmetrics/data-directory/versions/rebuild-history';
import { resolveMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';
import type { SalvagedCurrent } from '@locmetrics/data-directory/versions/salvage-current';
import { switchTo } from '@locmetrics/data-directory/versions/switch-versions';
import type { VersionFile } from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { PublishError } from '../problems/publish-error.ts';
import { checkCatalogChange } from './check-catalog-change.ts';

/** A version with a folder, and its content. */
export type FoundVersion = LeasedVersion & {
  /** Absent if it cannot be read. */
  readonly file?: VersionFile;
  /** The problem of the version, as a sentence; absent if it is intact. */
  readonly problem?: string;
  /** RFC 3339, UTC; absent if there is no record of a withdrawal. */
  readonly withdrawnTime?: string;
};

/** The content of a rebuilt `current.json`, with its reasons. */
export type RecoveryPlan = {
  /** Sorted by name. */
  readonly datasets: readonly RecoveredDataset[];
  /** Conflicts between the versions that become current, in whole sentences. */
  readonly misfits: readonly string[];
  /** Facts that are lost, in whole sentences, with the action to take. */
  readonly notKnown: readonly string[];
  readonly file: CurrentFile;
};

export type RecoveredDataset = {
  readonly dataset: string;
  /** The version that becomes current; null if none is intact. */
  readonly version: string | null;
  /** Newest first. */
  readonly versions: readonly RecoveredVersion[];
};

export type RecoveredVersion = {
  readonly version: string;
  readonly publishedTime: string;
  readonly state: 'current' | 'kept' | 'damaged' | 'withdrawn';
  readonly problem: string | null;
  readonly withdrawnTime: string | null;
};

/**
 * Chooses the version of each dataset that becomes current: the requested one, the one that the damaged file
 * names, or else the last published one. A damaged version is skipped together with the rest of its publish, as
 * in a service. It is kept, because its folder can be restored.
 *
 * The versions say what they are, which publish made them and whether they were withdrawn. Only `current.json`
 * records rollbacks, so a person confirms the plan.
 */
export function planRecovery({
  found,
  salvaged,
  asked,
  intended,
  lastSwitch,
  now,
}: {
  readonly found: readonly FoundVersion[];
  readonly salvaged: SalvagedCurrent | undefined;
  /** Names of versions that become current instead. */
  readonly asked: readonly string[];
  /** The intended switch of a killed publish. */
  readonly intended: readonly LeasedVersion[];
  readonly lastSwitch: number;
  readonly now: number;
}): RecoveryPlan {
  const usable = new Map(found.filter(isUsable).map((one) => [one.version, one]));
  if (usable.size === 0) throw nothingWhole(found);
  const owners = new Set([...usable.values()].map(({ datasetName }) => datasetName));
  const known = found.filter(({ datasetName }) => owners.has(datasetName));
  const pinned = asked.map((version) => expectUsable(version, found));
  const named = (salvaged?.current ?? []).filter(
    ({ datasetName, version }) => usable.get(version)?.datasetName === datasetName,
  );
  const rebuilt = rebuildHistory({
    published: known
      .filter(({ withdrawnTime }) => withdrawnTime === undefined)
      .map(({ file, ...one }) => ({ ...one, publish: file?.publish })),
    withdrawn: known.flatMap(({ withdrawnTime: time, ...one }) =>
      time === undefined ? [] : [{ ...one, time }],
    ),
    lastSwitch,
    now,
  });
  const asNamed = switchOthers(rebuilt, [...named, ...pinned], now);
  const whole = chooseWhole(asNamed, found, usable);
  const file = switchOthers(asNamed, [...whole, ...pinned], now);
  return {
    datasets: describe(found, file),
    misfits: listMisfits(file, usable),
    notKnown: listNotKnown({ found: known, salvaged, intended }),
    file,
  };
}

type UsableVersion = FoundVersion & { readonly file: VersionFile };

function isUsable(found: FoundVersion): found is UsableVersion {
  const { file, problem, withdrawnTime } = found;
  return file !== undefined && problem === undefined && withdrawnTime === undefined;
}

/** Switches datasets that are not at their version yet, like a rollback to an earlier version. */
function switchOthers(
  current: CurrentFile,
  versions: readonly LeasedVersion[],
  now: number,
): CurrentFile {
  const chosen = new Map(versions.map(({ datasetName, version }) => [datasetName, version]));
  const others = [...chosen].filter(
    ([name, version]) => current.datasets[name]?.version !== version,
  );
  return others.length === 0
    ? current
    : switchTo(current, new Map(others), { by: 'rollback', now });
}

/** The versions that a service would serve. If too many are damaged: the newest intact version of each dataset. */
function chooseWhole(
  current: CurrentFile,
  found: readonly FoundVersion[],
  usable: ReadonlyMap<string, UsableVersion>,
): readonly LeasedVersion[] {
  const problems = new Map(found.map(({ version, problem }) => [version, problem]));
  try {
    const { served } = chooseServed(
      current,
      (_, version) => usable.get(version)?.file ?? { problem: problems.get(version) ?? '' },
    );
    return served.map(({ dataset, version }) => ({ datasetName: dataset.name, version }));
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    return [...usable.values()].sort((left, right) => (left.version < right.version ? -1 : 1));
  }
}

function expectUsable(version: string, found: readonly FoundVersion[]): LeasedVersion {
  const named = found.find((one) => one.version === version);
  if (named !== undefined && isUsable(named)) return named;
  throw new PublishError(
    named === undefined
      ? `No dataset has a version '${version.slice(0, 100)}'.`
      : `The version ${version} of ${named.datasetName} ${whyNot(named)}`,
    'List the versions that can become current: locmetrics recover --dry-run',
  );
}

/** The text after the name of a version that cannot become current. */
function whyNot({ problem, withdrawnTime }: FoundVersion): string {
  return withdrawnTime === undefined
    ? `is damaged. ${problem ?? ''}`
    : `was withdrawn at ${withdrawnTime}.`;
}

function nothingWhole(found: readonly FoundVersion[]): PublishError {
  return found.length === 0
    ? new PublishError(
        'No versions exist from which current.json could be rebuilt.',
        'Restore the data directory from a backup; or remove current.json and publish every dataset again.',
      )
    : new PublishError(
        [
          'None of the existing versions can become current.',
          ...found.map((one) => `The version ${one.version} of ${one.datasetName} ${whyNot(one)}`),
        ].join('\n'),
        'Restore the folder of a version from a backup, then try again.',
      );
}

function describe(
  found: readonly FoundVersion[],
  { datasets }: CurrentFile,
): readonly RecoveredDataset[] {
  const names = [...new Set(found.map(({ datasetName }) => datasetName))].sort();
  return names.map((dataset) => {
    const version = datasets[dataset]?.version ?? null;
    const versions = found.filter(({ datasetName }) => datasetName === dataset);
    return {
      dataset,
      version,
      versions: versions
        .map((one) => ({
          version: one.version,
          publishedTime: publishedTimeOf(one.version),
          state: one.version === version ? 'current' : stateOf(one),
          problem: one.problem ?? null,
          withdrawnTime: one.withdrawnTime ?? null,
        }))
        .sort((left, right) => (left.version < right.version ? 1 : -1)),
    };
  });
}

function stateOf({ problem, withdrawnTime }: FoundVersion): RecoveredVersion['state'] {
  if (withdrawnTime !== undefined) return 'withdrawn';
  return problem === undefined ? 'kept' : 'damaged';
}

function listMisfits(
  { datasets }: CurrentFile,
  usable: ReadonlyMap<string, UsableVersion>,
): readonly string[] {
  const current = Object.values(datasets).flatMap(
    ({ version }) => usable.get(version)?.file.version ?? [],
  );
  const incomplete = resolveMetrics(current).incomplete.map(
    ({ metric, reason }) => `The metric ${metricName(metric)} cannot be served. ${reason}`,
  );
  try {
    checkCatalogChange([], current);
    return incomplete;
  } catch (error) {
    if (!(error instanceof PublishError)) throw error;
    return [error.message, ...incomplete];
  }
}

function listNotKnown({
  found,
  salvaged,
  intended,
}: {
  readonly found: readonly FoundVersion[];
  readonly salvaged: SalvagedCurrent | undefined;
  readonly intended: readonly LeasedVersion[];
}): readonly string[] {
  const unfinished = intended.filter(({ version }) => found.some((one) => one.version === version));
  const isApart = found.some((one) => isUsable(one) && one.file.publish === undefined);
  return [
    salvaged === undefined
      ? 'Rollbacks are no longer known: the last published version of each dataset becomes current. Name another one with --current, or roll back afterwards: locmetrics rollback DATASET VERSION'
      : 'The current and the withdrawn versions are taken from the damaged file, if they still exist.',
    'The times at which each version was current are lost: each version now counts from its publish to the next one.',
    ...(salvaged === undefined
      ? [
          'A version can be queried again if it was withdrawn by an earlier release, or if its folder was restored from a backup made before its withdrawal. Withdraw it again: locmetrics versions withdraw VERSION',
        ]
      : []),
    ...unfinished.map(
      ({ datasetName, version }) =>
        `The publish of ${version} of ${datasetName} was killed, perhaps before it was switched to.`,
    ),
    ...(isApart
      ? ['Versions of earlier releases do not say which of them were published together.']
      : []),
  ];
}
