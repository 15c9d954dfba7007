import { changeCurrent } from '../catalog/change-current.ts';
import type { CurrentDataset, CurrentFile } from '../catalog/current-file.ts';
import type { DataDirectory } from '../catalog/data-directory.ts';
import { readVersion } from '../catalog/read-version.ts';
import {
  findPublishedBefore,
  listSwitches,
  type Switch,
  switchTo,
  withdraw,
} from '../catalog/switch-versions.ts';
import type { DatasetVersion } from '../domain/dataset.ts';
import { nameHint } from '../domain/nearest-name.ts';
import { checkCatalogChange } from './check-catalog-change.ts';
import { PublishError } from './publish-error.ts';

/** Switches a dataset back to a version that is kept, or throws a `PublishError` and changes nothing. */
export async function rollBack({
  directory,
  datasetName,
  version,
  isTogether,
  clock,
}: {
  readonly directory: DataDirectory;
  readonly datasetName: string;
  /** Absent: the one that was published before the current one. */
  readonly version: string | undefined;
  /** Whether the datasets that were switched together with this one go back too. */
  readonly isTogether: boolean;
  readonly clock: () => number;
}): Promise<Switch> {
  const changed = await changeCurrent(directory, (current) => {
    const dataset = findDataset(current, datasetName);
    const names = isTogether ? listTogether(current, dataset) : [datasetName];
    const targets = new Map(
      names.map((name) => {
        const one = findDataset(current, name);
        return [name, version ?? expectPublishedBefore(name, one)];
      }),
    );
    for (const [name, target] of targets) expectKept(name, target, current);
    checkChange(directory, current, targets);
    return switchTo(current, targets, { by: 'rollback', now: clock() });
  });
  return lastSwitch(changed);
}

/**
 * Withdraws a version, which nobody can ask for from then on; where it is current, the one that was
 * published before it is current in the same moment.
 */
export async function withdrawVersion({
  directory,
  version,
  clock,
}: {
  readonly directory: DataDirectory;
  readonly version: string;
  readonly clock: () => number;
}): Promise<Switch> {
  const changed = await changeCurrent(directory, (current) => {
    const datasetName = findOwner(current, version);
    const dataset = findDataset(current, datasetName);
    const isCurrent = dataset.version === version;
    const replacement = isCurrent ? expectPublishedBefore(datasetName, dataset) : undefined;
    if (replacement !== undefined) {
      const targets = new Map([[datasetName, replacement]]);
      expectKept(datasetName, replacement, current);
      checkChange(directory, current, targets);
    }
    return withdraw(current, { datasetName, version }, { replacement, now: clock() });
  });
  return lastSwitch(changed);
}

function lastSwitch(current: CurrentFile): Switch {
  const [last] = listSwitches(current, current.lastSwitch - 1);
  if (last === undefined) throw new Error('A switch is in no history.');
  return last;
}

function findDataset({ datasets }: CurrentFile, name: string): CurrentDataset {
  const dataset = datasets[name];
  if (dataset !== undefined) return dataset;
  throw new PublishError(
    `No dataset '${name}' is published.`,
    nameHint(name, Object.keys(datasets).sort()),
  );
}

/** The datasets whose current version was switched to in the same moment as that of this one. */
function listTogether({ datasets }: CurrentFile, { history }: CurrentDataset): readonly string[] {
  const number = history.at(-1)?.switch;
  return Object.entries(datasets)
    .filter(([, other]) => other.history.at(-1)?.switch === number)
    .map(([name]) => name)
    .sort();
}

function expectPublishedBefore(name: string, dataset: CurrentDataset): string {
  const { version, kept } = dataset;
  const found = findPublishedBefore(dataset, version);
  if (found !== undefined) return found;
  const newer = kept.filter((one) => one > version);
  throw new PublishError(
    `No version of ${name} is kept that was published before the current one, ${version}.`,
    newer.length === 0
      ? 'Publish the right data; older versions are kept as --versions-kept says.'
      : `Newer ones are kept: ${newer.join(', ')}. Switch to one by its name: locmetrics rollback ${name} VERSION`,
  );
}

function expectKept(name: string, version: string, current: CurrentFile): void {
  const { version: currentVersion, kept, withdrawn, history } = findDataset(current, name);
  if (version === currentVersion) {
    throw new PublishError(
      `${version} is the current version of ${name} already.`,
      `The versions that are kept: locmetrics versions ${name}`,
    );
  }
  if (kept.includes(version)) return;
  const wasWithdrawn = withdrawn.find((one) => one.version === version);
  const why =
    wasWithdrawn !== undefined
      ? `The version ${version} of ${name} was withdrawn at ${wasWithdrawn.time}.`
      : history.some((one) => one.version === version)
        ? `The version ${version} of ${name} is not kept any more.`
        : `${name} has no version '${version.slice(0, 100)}'.`;
  throw new PublishError(why, nameHint(version, kept));
}

/** The dataset that a version is of. */
function findOwner({ datasets }: CurrentFile, version: string): string {
  const all = Object.entries(datasets);
  const owner = all.find(([, { kept }]) => kept.includes(version));
  if (owner !== undefined) return owner[0];
  for (const [name, { withdrawn, history }] of all) {
    const before = withdrawn.find((one) => one.version === version);
    if (before !== undefined) {
      throw new PublishError(
        `The version ${version} of ${name} was withdrawn already, at ${before.time}.`,
        `The versions that are kept: locmetrics versions ${name}`,
      );
    }
    if (history.some((one) => one.version === version)) {
      throw new PublishError(
        `The version ${version} of ${name} is not kept any more: nobody can ask for it.`,
        `The versions that are kept: locmetrics versions ${name}`,
      );
    }
  }
  throw new PublishError(
    `No dataset has a version '${version.slice(0, 100)}'.`,
    nameHint(
      version,
      all.flatMap(([, { kept }]) => kept),
    ),
  );
}

/** Refuses targets that are damaged, or do not go together with what stays current. */
function checkChange(
  directory: DataDirectory,
  current: CurrentFile,
  targets: ReadonlyMap<string, string>,
): void {
  const read = (name: string, version: string): DatasetVersion | undefined => {
    const found = readVersion(directory.version(name, version));
    if (found.version !== undefined) return found.version;
    if (!targets.has(name)) return undefined;
    throw new PublishError(
      `The version ${version} of ${name} is damaged. ${found.problem}`,
      `Restore its folder from a backup, or choose another one: locmetrics versions ${name}`,
    );
  };
  const names = Object.keys(current.datasets);
  const before = names.flatMap((name) => {
    const found = readVersion(directory.version(name, current.datasets[name]?.version ?? ''));
    return found.version ?? [];
  });
  const after = names.flatMap((name) => {
    return read(name, targets.get(name) ?? current.datasets[name]?.version ?? '') ?? [];
  });
  try {
    checkCatalogChange(before, after);
  } catch (error) {
    if (!(error instanceof PublishError)) throw error;
    throw new PublishError(
      error.message,
      'Switch the datasets back together that were published together: locmetrics rollback DATASET --together',
      { cause: error },
    );
  }
}
