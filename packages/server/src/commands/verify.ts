import type { Output } from '../cli/output.ts';
import { printList } from '../cli/print-list.ts';
import type { Action } from '../cli/program.ts';
import { showPublishProgress } from '../cli/publish-progress.ts';
import { roundedSize } from '../domain/size-text.ts';
import { repairVersion } from '../importer/publish/repair-version.ts';
import { checkRowFile } from '../storage/sqlite/engine/open-row-file.ts';
import { readCurrentFile } from '../versions/current-file.ts';
import { DataDirectoryError } from '../versions/data-directory-error.ts';
import { verifyDerived, verifyVersion } from '../versions/verify-version.ts';
import { readVersionFile } from '../versions/version-file.ts';
import type { LeasedVersion } from '../versions/version-lease.ts';
import { type OpenedDirectory, openDirectory } from './open-data.ts';
import { NOTHING_PUBLISHED, selectDatasets } from './select-datasets.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { VERSION_WRITERS } from './version-writers.ts';

export const verifyVersionsAction: Action<'verifyVersions'> = async (
  output,
  name,
  { settings, json, repair = false },
) => {
  const opened = openDirectory({ settings, output });
  const versions = await untilInterrupted((signal) =>
    verifyAll(opened, name, { output, repair, signal }),
  );
  const damaged = versions.filter(({ isWhole }) => !isWhole);
  const slow = versions.filter(({ rowFile }) => rowFile === 'unusable');
  printList(output, {
    json,
    answer: { versions, damaged: damaged.length },
    none: NOTHING_PUBLISHED,
    columns: ['DATASET', 'VERSION', 'SIZE', 'FOUND'],
    rows: versions.map((one) => [one.dataset, one.version, roundedSize(one.bytes), foundText(one)]),
  });
  if (damaged.length > 0) throw damageError(damaged.length, versions.length);
  if (slow.length > 0) throw rowFileError(slow.length, versions.length);
};

type Verified = {
  readonly dataset: string;
  readonly version: string;
  readonly bytes: number;
  readonly isWhole: boolean;
  readonly problem: string | null;
  /** Without a row file the version answers, but slower. Null for a damaged version. */
  readonly rowFile: RowFile['rowFile'] | null;
  readonly rowFileProblem: string | null;
};

type RowFile = {
  /** Earlier releases wrote none. */
  readonly rowFile: 'usable' | 'made again' | 'never written' | 'unusable';
  /** Why it cannot be used, as a sentence. */
  readonly rowFileProblem: string | null;
};

function foundText({ problem, rowFile, rowFileProblem }: Verified): string {
  if (problem !== null) return `damaged: ${problem}`;
  if (rowFileProblem !== null) return `whole, but slower: ${rowFileProblem}`;
  return rowFile === 'made again' ? 'whole, row file made again' : 'whole';
}

type ShownProgress = { readonly stage: string; readonly fraction?: number };

type Verifying = {
  readonly output: Output;
  readonly repair: boolean;
  readonly signal: AbortSignal;
};

/** All versions that can be queried, the newest of each dataset first. */
async function verifyAll(
  opened: OpenedDirectory,
  name: string | undefined,
  verifying: Verifying,
): Promise<readonly Verified[]> {
  const { directory } = opened;
  const verified: Verified[] = [];
  const progress = showPublishProgress(verifying.output);
  for (const [dataset, { kept }] of selectDatasets(readCurrentFile(directory.current), name)) {
    for (const version of kept.toSorted().reverse()) {
      const found = await verifyOne(
        opened,
        { datasetName: dataset, version },
        {
          ...verifying,
          show: (shown) => progress.update(dataset, shown),
        },
      );
      const isSound = found.problem === null && found.rowFileProblem === null;
      // A version that another process removed meanwhile is not damaged.
      if (isSound || isKept(opened, dataset, version)) verified.push(found);
    }
  }
  progress.end();
  return verified;
}

async function verifyOne(
  opened: OpenedDirectory,
  one: LeasedVersion,
  { repair, signal, show }: Verifying & { readonly show: (progress: ShownProgress) => void },
): Promise<Verified> {
  const { datasetName: dataset, version } = one;
  const { directory, config } = opened;
  const folder = directory.version(dataset, version);
  const stage = `verifying ${version}`;
  show({ stage });
  const onFraction = (fraction: number) => show({ stage, fraction });
  const { problem = null, bytes } = await verifyVersion(folder, {
    content: true,
    onFraction,
    signal,
  });
  const found = { dataset, version, bytes, isWhole: problem === null, problem };
  if (!found.isWhole) return { ...found, rowFile: null, rowFileProblem: null };
  const verifyRows = () => verifyRowFile(folder, { onFraction, signal });
  const rows = await verifyRows();
  if (!repair || rows.rowFile === 'usable') return { ...found, ...rows, bytes: bytes + rows.bytes };
  const making = `making the row file of ${version}`;
  show({ stage: making });
  await repairVersion(one, {
    directory,
    writers: VERSION_WRITERS,
    memoryLimitBytes: config.publishMemoryBytes,
    threads: config.threads,
    onFraction: (fraction) => show({ stage: making, fraction }),
    signal,
  });
  const made = await verifyRows();
  return {
    ...found,
    ...made,
    rowFile: made.rowFile === 'usable' ? 'made again' : made.rowFile,
    bytes: bytes + made.bytes,
  };
}

async function verifyRowFile(
  folder: string,
  options: Parameters<typeof verifyDerived>[1],
): Promise<RowFile & { readonly bytes: number }> {
  const { derived = {} } = readVersionFile(folder) ?? {};
  const missing = VERSION_WRITERS.filter(({ isDerived }) => isDerived)
    .flatMap(({ files }) => files)
    .find((name) => derived[name] === undefined);
  if (missing !== undefined) {
    return {
      bytes: 0,
      rowFile: 'never written',
      rowFileProblem: `its release wrote no ${missing}; --repair makes it.`,
    };
  }
  const { bytes, problem = checkRowFile(folder) } = await verifyDerived(folder, options);
  return { bytes, rowFile: problem === null ? 'usable' : 'unusable', rowFileProblem: problem };
}

function isKept({ directory }: OpenedDirectory, dataset: string, version: string): boolean {
  return readCurrentFile(directory.current).datasets[dataset]?.kept.includes(version) === true;
}

function damageError(damaged: number, all: number): DataDirectoryError {
  return new DataDirectoryError(
    all === 1
      ? 'The version is damaged.'
      : `${damaged} of ${all} versions ${damaged === 1 ? 'is' : 'are'} damaged.`,
    'Restore the folder of a damaged version from a backup. Or switch to an undamaged version with locmetrics rollback, and withdraw the damaged one. Or publish the dataset again.',
  );
}

function rowFileError(slow: number, all: number): DataDirectoryError {
  return new DataDirectoryError(
    all === 1
      ? 'The version has no row file that can be used.'
      : `${slow} of ${all} versions ${slow === 1 ? 'has' : 'have'} no row file that can be used.`,
    'All its answers come from the column store, which is slower. Make the file again, from the column file: locmetrics verify --repair.',
  );
}
