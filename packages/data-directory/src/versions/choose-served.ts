import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import type { CurrentDataset, CurrentFile } from './current-file.ts';
import type { ReadVersion } from './read-version.ts';
import { listByLastCurrent, listEarlier, publishSwitchOf } from './switch-versions.ts';
import type { LeasedVersion } from './version-lease.ts';

/** A current version that cannot be served, and the previous one that is served instead. */
export type DamagedVersion = LeasedVersion & {
  /** A whole sentence. */
  readonly problem: string;
  readonly served: string;
};

/**
 * Chooses the version of each dataset to serve: the current one or, if that is damaged, the previous one.
 * Datasets that were published together with a damaged version go back with it, so that only versions
 * that belonged together are served together.
 *
 * The current version stays the one that its owner chose, so a restored folder is served again after a restart.
 * Checksums are verified when the service starts, sizes whenever a version is opened.
 */
export function chooseServed(
  { datasets }: CurrentFile,
  read: (datasetName: string, version: string) => ReadVersion,
): { readonly served: readonly DatasetVersion[]; readonly damaged: readonly DamagedVersion[] } {
  const choices = new Map(Object.entries(datasets).map(([name, one]) => [name, openChoice(one)]));
  const problems = new Map<string, string>();
  for (;;) {
    const versions = [...choices].map(([name, { chosen }]) => ({
      name,
      chosen: chosen(),
      found: read(name, chosen()),
    }));
    const broken = versions.find(({ found }) => found.version === undefined);
    if (broken === undefined) {
      const served = versions.flatMap(({ found }) => found.version ?? []);
      return { served, damaged: listDamaged(datasets, served, problems) };
    }
    const { name, chosen, found } = broken;
    const problem = found.version === undefined ? found.problem : '';
    if (!problems.has(name)) problems.set(name, problem);
    const together = choices.get(name)?.publishSwitch();
    for (const [other, choice] of choices) {
      if (choice.publishSwitch() !== together) continue;
      if (!problems.has(other)) {
        problems.set(other, `It was published together with ${chosen} of ${name}. ${problem}`);
      }
      if (choice.goBack() || other !== name) continue;
      throw new DataDirectoryError(
        `The current version of ${name} cannot be served, and no other is kept. ${problems.get(name)}`,
        'Restore its folder from a backup, or publish the dataset again.',
      );
    }
  }
}

/** The versions of a dataset in the order in which they are tried. */
function openChoice(dataset: CurrentDataset) {
  const { version } = dataset;
  const all = [
    ...new Set([version, ...listEarlier(dataset), ...listByLastCurrent(dataset)]),
  ] as const;
  let index = 0;
  const chosen = (): string => all[index] ?? version;
  return {
    chosen,
    publishSwitch: () => publishSwitchOf(dataset, chosen()),
    /** Goes back to the previous version; false if there is none. */
    goBack: (): boolean => {
      if (index + 1 >= all.length) return false;
      index += 1;
      return true;
    },
  };
}

function listDamaged(
  datasets: CurrentFile['datasets'],
  served: readonly DatasetVersion[],
  problems: ReadonlyMap<string, string>,
): readonly DamagedVersion[] {
  return served.flatMap(({ dataset: { name: datasetName }, version }) => {
    const current = datasets[datasetName]?.version;
    const problem = problems.get(datasetName);
    if (current === undefined || current === version || problem === undefined) return [];
    return { datasetName, version: current, problem, served: version };
  });
}
