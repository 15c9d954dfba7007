import type { Output } from '../cli/output.ts';
import { printList } from '../cli/print-list.ts';
import type { Action } from '../cli/program.ts';
import { showPublishProgress } from '../cli/publish-progress.ts';
import { roundedSize } from '../domain/size-text.ts';
import { readCurrentFile } from '../versions/current-file.ts';
import type { DataDirectory } from '../versions/data-directory.ts';
import { DataDirectoryError } from '../versions/data-directory-error.ts';
import { verifyVersion } from '../versions/verify-version.ts';
import { openDirectory } from './open-data.ts';
import { NOTHING_PUBLISHED, selectDatasets } from './select-datasets.ts';

export const verifyVersionsAction: Action<'verifyVersions'> = async (
  output,
  name,
  { settings, json },
) => {
  const { directory } = openDirectory({ settings, output });
  const versions = await verifyAll(directory, name, output);
  const damaged = versions.filter(({ isWhole }) => !isWhole);
  printList(output, {
    json,
    answer: { versions, damaged: damaged.length },
    none: NOTHING_PUBLISHED,
    columns: ['DATASET', 'VERSION', 'SIZE', 'FOUND'],
    rows: versions.map(({ dataset, version, bytes, problem }) => [
      dataset,
      version,
      roundedSize(bytes),
      problem === null ? 'whole' : `damaged: ${problem}`,
    ]),
  });
  if (damaged.length > 0) throw damageError(damaged.length, versions.length);
};

type Verified = {
  readonly dataset: string;
  readonly version: string;
  readonly bytes: number;
  readonly isWhole: boolean;
  readonly problem: string | null;
};

/** All versions that can be queried, the newest of each dataset first. */
async function verifyAll(
  directory: DataDirectory,
  name: string | undefined,
  output: Output,
): Promise<readonly Verified[]> {
  const verified: Verified[] = [];
  const progress = showPublishProgress(output);
  for (const [dataset, { kept }] of selectDatasets(readCurrentFile(directory.current), name)) {
    for (const version of kept.toSorted().reverse()) {
      const stage = `verifying ${version}`;
      progress.update(dataset, { stage });
      const { bytes, problem = null } = await verifyVersion(directory.version(dataset, version), {
        content: true,
        onFraction: (fraction) => progress.update(dataset, { stage, fraction }),
      });
      // A version that another process removed meanwhile is not damaged.
      if (problem !== null && !isKept(directory, dataset, version)) continue;
      verified.push({ dataset, version, bytes, isWhole: problem === null, problem });
    }
  }
  progress.end();
  return verified;
}

function isKept({ current }: DataDirectory, dataset: string, version: string): boolean {
  return readCurrentFile(current).datasets[dataset]?.kept.includes(version) === true;
}

function damageError(damaged: number, all: number): DataDirectoryError {
  return new DataDirectoryError(
    all === 1
      ? 'The version is damaged.'
      : `${damaged} of ${all} versions ${damaged === 1 ? 'is' : 'are'} damaged.`,
    'Restore the folder of a damaged version from a backup. Or switch to an undamaged version with locmetrics rollback, and withdraw the damaged one. Or publish the dataset again.',
  );
}
