import type { GrantLoss } from '@locmetrics/core/domain/grant-fit';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { CurrentDataset, CurrentFile } from '@locmetrics/data-directory/versions/current-file';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { readVersion } from '@locmetrics/data-directory/versions/read-version';
import {
  lastSwitch,
  listEarlier,
  publishSwitchOf,
  type Switch,
  switchTo,
  withdraw,
} from '@locmetrics/data-directory/versions/switch-versions';
import {
  explainUnknownVersion,
  explainUnownedVersion,
  ownerOf,
} from '@locmetrics/data-directory/versions/unknown-version';
import {
  findTableProblem,
  type VersionDatabase,
} from '@locmetrics/data-directory/versions/version-database';
import type { Switching, VersionStore } from '@locmetrics/data-directory/versions/version-store';
import { PublishError } from '../problems/publish-error.ts';
import { checkCatalogChange } from './check-catalog-change.ts';
import { checkGrantLosses, type GrantLossOptions } from './check-grant-losses.ts';

/** A switch, with the losses of grants. */
export type AcceptedSwitch = Switch & { readonly grantLosses: readonly GrantLoss[] };

/** The place and the time of a switch by a command. */
export type SwitchOptions = {
  readonly directory: DataDirectory;
  /** Decides what is current; absent: the files of the data directory. */
  readonly store?: VersionStore | undefined;
  readonly clock: () => number;
  /** It must have the tables of the versions that become current; absent: there is none. */
  readonly database?: VersionDatabase | undefined;
};

/** Switches a dataset back to a kept version, or throws a `PublishError` and changes nothing. */
export async function rollBack({
  directory,
  store = fileVersions(directory),
  datasetName,
  version,
  isTogether,
  clock,
  lockWaitMs,
  ...options
}: SwitchOptions & {
  readonly datasetName: string;
  /** Absent: the previously current version. */
  readonly version: string | undefined;
  /** Whether the datasets that were switched together with this one are switched back too. */
  readonly isTogether: boolean;
  /** How long it blocks the process while another one switches; absent: as long as a command waits. */
  readonly lockWaitMs?: number;
} & GrantLossOptions): Promise<AcceptedSwitch> {
  const work = async (switching: Switching) => {
    const current = switching.current();
    const dataset = findDataset(current, datasetName);
    const target = version ?? expectEarlier(datasetName, dataset);
    const targets = new Map([
      [datasetName, target],
      ...(isTogether ? listTogether(current, datasetName, target) : []),
    ]);
    for (const [name, target] of targets) expectKept(name, target, { directory, current });
    const grantLosses = await checkChange(directory, current, { targets, ...options });
    const changed = switchTo(current, targets, { by: 'rollback', now: clock() });
    await switching.replaceCurrent(changed);
    return { ...lastSwitch(changed), grantLosses };
  };
  return store.whileNoneSwitches(work, lockWaitMs);
}

/**
 * Withdraws a version, so that it can no longer be queried. If it is current, the same switch makes the
 * previous version current again.
 */
export async function withdrawVersion({
  directory,
  store = fileVersions(directory),
  version,
  clock,
  ...options
}: SwitchOptions & { readonly version: string } & GrantLossOptions): Promise<AcceptedSwitch> {
  return store.whileNoneSwitches(async (switching) => {
    const current = switching.current();
    const datasetName = findOwner({ directory, current }, version);
    const dataset = findDataset(current, datasetName);
    const replacement =
      dataset.version === version ? expectEarlier(datasetName, dataset) : undefined;
    const targets = new Map(replacement === undefined ? [] : [[datasetName, replacement]]);
    for (const [name, target] of targets) expectKept(name, target, { directory, current });
    const grantLosses =
      targets.size === 0 ? [] : await checkChange(directory, current, { targets, ...options });
    const changed = withdraw(current, { datasetName, version }, { replacement, now: clock() });
    const last = lastSwitch(changed);
    await switching.replaceCurrent(changed, {
      withdrawn: { versions: [{ datasetName, version }], time: last.time },
    });
    return { ...last, grantLosses };
  });
}

function findDataset({ datasets }: CurrentFile, name: string): CurrentDataset {
  const dataset = datasets[name];
  if (dataset !== undefined) return dataset;
  throw new PublishError(
    `No dataset '${name}' is published.`,
    nameHint(name, Object.keys(datasets).sort()),
  );
}

/**
 * The other datasets whose current version was published together with that of this one. Each comes with its
 * version at the time when the target stopped being current: these versions were served together.
 */
function listTogether(
  current: CurrentFile,
  datasetName: string,
  target: string,
): readonly (readonly [name: string, version: string])[] {
  const dataset = findDataset(current, datasetName);
  const number = publishSwitchOf(dataset, dataset.version);
  const others = Object.entries(current.datasets).filter(
    ([name, other]) => name !== datasetName && publishSwitchOf(other, other.version) === number,
  );
  if (others.length === 0) {
    throw new PublishError(
      `No other dataset is at a version that was published together with ${dataset.version} of ${datasetName}.`,
      `Leave --together out; or switch each by the name of a version: locmetrics rollback DATASET VERSION`,
    );
  }
  const taken = dataset.history.findLastIndex(({ version }) => version === target) + 1;
  const until = dataset.history[taken]?.since ?? '';
  return others.map(([name, other]) => {
    const before = other.history.findLast(({ since }) => since < until)?.version;
    if (before !== undefined && other.kept.includes(before)) return [name, before];
    throw new PublishError(
      before === undefined
        ? `${name} had no version when ${target} of ${datasetName} was current.`
        : `The version ${before} of ${name}, which was current together with ${target} of ${datasetName}, is no longer kept.`,
      'Nothing was switched. Switch each by the name of a version: locmetrics rollback DATASET VERSION',
    );
  });
}

/** The predecessor of the current version. */
function expectEarlier(name: string, dataset: CurrentDataset): string {
  const [found] = listEarlier(dataset);
  if (found !== undefined) return found;
  const others = dataset.kept.filter((one) => one !== dataset.version);
  throw new PublishError(
    `No version of ${name} is kept that was current before ${dataset.version}.`,
    others.length === 0
      ? 'Publish the correct data. The setting --versions-kept decides how many older versions are kept.'
      : `Other versions are kept: ${others.join(', ')}. Switch to one by its name: locmetrics rollback ${name} VERSION`,
  );
}

type Opened = { readonly directory: DataDirectory; readonly current: CurrentFile };

function expectKept(name: string, version: string, opened: Opened): void {
  const { version: currentVersion, kept } = findDataset(opened.current, name);
  const listed = `List the kept versions: locmetrics versions ${name}`;
  if (version === currentVersion) {
    throw new PublishError(`${version} is already the current version of ${name}.`, listed);
  }
  if (kept.includes(version)) return;
  const { message, suggestion } = explainUnknownVersion(opened, name, version);
  throw new PublishError(message, suggestion ?? listed);
}

/** The dataset of a version. Nothing similar is suggested, because a withdrawal cannot be undone. */
function findOwner(opened: Opened, version: string): string {
  const owner = ownerOf(opened.current, version);
  if (owner !== undefined) return owner;
  throw new PublishError(
    explainUnownedVersion(opened, version),
    'List the versions: locmetrics versions',
  );
}

/**
 * Refuses targets that are damaged, contradict the versions that stay current, or remove names of grants. If
 * losses of grants are accepted, returns them.
 */
async function checkChange(
  directory: DataDirectory,
  current: CurrentFile,
  {
    targets,
    database,
    ...options
  }: {
    readonly targets: ReadonlyMap<string, string>;
    readonly database?: VersionDatabase | undefined;
  } & GrantLossOptions,
): Promise<readonly GrantLoss[]> {
  const tables = await database?.list();
  const reading = { isInDatabase: database !== undefined };
  const read = (name: string, version: string): DatasetVersion | undefined => {
    const found = readVersion(directory.version(name, version), reading);
    if (found.version !== undefined) {
      if (targets.has(name)) expectTable(found.version, tables, database);
      return found.version;
    }
    if (!targets.has(name)) return undefined;
    throw new PublishError(
      `The version ${version} of ${name} is damaged. ${found.problem}`,
      `Restore its folder from a backup, or choose another one: locmetrics versions ${name}`,
    );
  };
  const names = Object.keys(current.datasets);
  const before = names.flatMap((name) => {
    const folder = directory.version(name, current.datasets[name]?.version ?? '');
    const found = readVersion(folder, reading);
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
      'Switch back all datasets that were published together: locmetrics rollback DATASET --together. Or publish a matching version.',
      { cause: error },
    );
  }
  return checkGrantLosses(options, before, after);
}

/** Refuses a version without its table, which no request could read. */
function expectTable(
  version: DatasetVersion,
  tables: Awaited<ReturnType<VersionDatabase['list']>> | undefined,
  database: VersionDatabase | undefined,
): void {
  if (database === undefined || tables === undefined) return;
  const datasetName = version.dataset.name;
  const problem = findTableProblem(tables, { ...version, datasetName }, database);
  if (problem === undefined) return;
  throw new PublishError(
    `The version ${version.version} of ${datasetName} cannot be served. ${problem}`,
    'Nothing was switched. Load the table with this command, then switch again.',
  );
}
