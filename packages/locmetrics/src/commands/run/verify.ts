import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { roundedSize } from '@locmetrics/core/errors/size-text';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { readDerived } from '@locmetrics/data-directory/versions/own-derived';
import { refuseMirror } from '@locmetrics/data-directory/versions/refuse-mirror';
import { verifyDerived, verifyVersion } from '@locmetrics/data-directory/versions/verify-version';
import { readVersionFile } from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { repairVersion } from '@locmetrics/ingest/publish/repair-version';
import { checkRowFile } from '@locmetrics/row-store/engine/open-row-file';
import { findDamageInFile } from '@locmetrics/server/auth/find-damage-in-file';
import { findAllDamagedRows } from '@locmetrics/server/auth/find-damaged-rows';
import type { DamagedRow } from '@locmetrics/server/auth/rights-damaged-error';
import type { Run, Switches, Texts } from '../../cli/define-command.ts';
import { type Output, printList } from '../../cli/output.ts';
import { showPublishProgress } from '../../cli/publish-progress.ts';
import { openConfiguredClickhouse } from '../../compose/configured-clickhouse.ts';
import type { OpenedClickhouse } from '../../compose/open-clickhouse.ts';
import {
  areVersionsShared,
  hasStore,
  type OpenedDirectory,
  withStoreOf,
} from '../../compose/open-data.ts';
import { NOTHING_PUBLISHED, selectDatasets } from '../../compose/select-datasets.ts';
import { DERIVED_FILES, VERSION_WRITERS } from '../../compose/version-writers.ts';
import { openUpToDate } from '../../compose/with-versions.ts';
import { removeChangedFiles } from './remove-changed-files.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { verifyTable } from './verify-table.ts';

export const verifyVersionsAction: Run<Texts<'dataset'> & Switches<'repair'>> = async (
  output,
  { dataset: name, settings, json, repair = false },
) => {
  // The lost and damaged small files of a mirror are copied again by this.
  const opened = await openUpToDate({ settings, output });
  const isShared = areVersionsShared(opened.config);
  if (repair && !isShared) {
    refuseMirror(
      opened.directory,
      'no file of its versions can be written again from this directory',
    );
  }
  const clickhouse = await openConfiguredClickhouse(opened.config, opened.directory);
  const versions = await untilInterrupted((signal) =>
    verifyAll(opened, name, { output, repair, clickhouse, signal }),
  ).finally(() => clickhouse?.database.close());
  const rights = await findDamagedRights(opened);
  const damaged = versions.filter(({ isWhole }) => !isWhole);
  const slow = versions.filter(({ rowFile }) => rowFile === 'unusable');
  printList(output, {
    json,
    answer: {
      // Without ClickHouse there is nothing to say of tables.
      versions: clickhouse === undefined ? versions.map(({ table: _, ...one }) => one) : versions,
      damaged: damaged.length,
      damagedRights: rights.map(({ table, rowId, organisationId = null, problem }) => ({
        ...{ table, rowId, organisationId },
        problem,
      })),
    },
    none: NOTHING_PUBLISHED,
    columns: ['DATASET', 'VERSION', 'SIZE', 'FOUND'],
    rows: versions.map((one) => [one.dataset, one.version, roundedSize(one.bytes), foundText(one)]),
  });
  if (damaged.length > 0) {
    throw damageError(damaged.length, versions.length, isShared ? SHARED_DAMAGE_HINT : DAMAGE_HINT);
  }
  if (rights.length > 0) throw rightsError(rights);
  if (slow.length > 0) {
    throw rowFileError(slow.length, versions.length, isShared ? SHARED_ROWS_HINT : ROWS_HINT);
  }
};

/** Of a data directory without a control store there are none. */
async function findDamagedRights(opened: OpenedDirectory): Promise<readonly DamagedRow[]> {
  if (!hasStore(opened)) return [];
  const { config, directory } = opened;
  return config.control === undefined
    ? findDamageInFile(directory.control)
    : withStoreOf(opened, findAllDamagedRows);
}

function rightsError(rows: readonly DamagedRow[]): DataDirectoryError {
  const named = rows
    .slice(0, ROWS_NAMED)
    .map(({ table, rowId, problem }) => `\n  ${table} '${rowId}': ${problem}`);
  const more = rows.length > ROWS_NAMED ? `\n  and ${rows.length - ROWS_NAMED} more` : '';
  return new DataDirectoryError(
    `In the control store ${rows.length} ${rows.length === 1 ? 'row that decides rights is' : 'rows that decide rights are'} damaged:${named.join('')}${more}`,
    'Requests that depend on them are refused. Restore them from a backup: see docs/how-to/back-up-and-restore.md.',
  );
}

const ROWS_NAMED = 20;

type Verified = {
  readonly dataset: string;
  readonly version: string;
  readonly bytes: number;
  readonly isWhole: boolean;
  readonly problem: string | null;
  /** Of its table in ClickHouse; null without ClickHouse, and for a damaged version. */
  readonly table: VerifiedTable | null;
  /** Without a row file the version answers, but slower. Null for a damaged version. */
  readonly rowFile: RowFile['rowFile'] | null;
  readonly rowFileProblem: string | null;
  /** Data files that a repair removed; absent where versions are not shared. */
  readonly removedFiles?: readonly string[];
};

type RowFile = {
  /** `not here`: ClickHouse answers instead. Earlier releases wrote none. */
  readonly rowFile: 'usable' | 'made again' | 'never written' | 'unusable' | 'not here';
  /** Why it cannot be used, as a sentence. */
  readonly rowFileProblem: string | null;
};

function foundText({ removedFiles = [], ...one }: Verified): string {
  const found = wholenessText(one);
  return removedFiles.length === 0 ? found : `${found}, removed ${removedFiles.join(' and ')}`;
}

function wholenessText({ problem, table, rowFile, rowFileProblem }: Verified): string {
  if (problem !== null) return `damaged: ${problem}`;
  if (rowFileProblem !== null) return `intact, but slower: ${rowFileProblem}`;
  const state = rowFile === 'made again' ? 'intact, row file written again' : 'intact';
  if (table === null) return state;
  return `${state}, ${table === 'same content' ? 'table with the same content' : 'table with as many rows'}`;
}

type VerifiedTable = NonNullable<Awaited<ReturnType<typeof verifyTable>>['table']>;

type ShownProgress = { readonly stage: string; readonly fraction?: number };

type Verifying = {
  readonly output: Output;
  readonly repair: boolean;
  readonly clickhouse: OpenedClickhouse | undefined;
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
      const found = await verifyAndRepair(
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

type ShownVerifying = Verifying & { readonly show: (progress: ShownProgress) => void };

/**
 * A repaired mirror must stay equal to what all nodes share, so a data file that is not as published is removed there:
 * ClickHouse has its records.
 */
async function verifyAndRepair(
  opened: OpenedDirectory,
  one: LeasedVersion,
  verifying: ShownVerifying,
): Promise<Verified> {
  const { repair, signal } = verifying;
  if (!repair || !areVersionsShared(opened.config)) return verifyOne(opened, one, verifying);
  const reading = { ...verifying, repair: false };
  const found = await verifyOne(opened, one, reading);
  if (found.isWhole && found.rowFile !== 'unusable') return { ...found, removedFiles: [] };
  const folder = opened.directory.version(one.datasetName, one.version);
  const unusable = found.rowFile === 'unusable' ? DERIVED_FILES : [];
  const removedFiles = await removeChangedFiles(folder, { unusable, signal });
  return { ...(await verifyOne(opened, one, reading)), removedFiles };
}

async function verifyOne(
  opened: OpenedDirectory,
  one: LeasedVersion,
  { repair, clickhouse, signal, show }: ShownVerifying,
): Promise<Verified> {
  const { datasetName: dataset, version } = one;
  const { directory, config } = opened;
  const folder = directory.version(dataset, version);
  const stage = `verifying ${version}`;
  show({ stage });
  const onFraction = (fraction: number) => show({ stage, fraction });
  const isInDatabase = clickhouse !== undefined;
  const files = await verifyVersion(folder, { content: true, onFraction, isInDatabase, signal });
  const { bytes } = files;
  const stored =
    clickhouse === undefined || files.problem !== undefined
      ? { table: null }
      : await verifyTable(one, { ...opened, clickhouse, signal });
  const problem = files.problem ?? ('problem' in stored ? stored.problem : null);
  const found = { dataset, version, bytes, isWhole: problem === null, problem };
  if (problem !== null) return { ...found, table: null, rowFile: null, rowFileProblem: null };
  const { table } = stored;
  const verifyRows = async () => ({
    ...(await verifyRowFile(folder, { onFraction, isInDatabase, signal })),
    table,
  });
  const rows = await verifyRows();
  if (!repair || rows.rowFile === 'usable' || rows.rowFile === 'not here')
    return { ...found, ...rows, bytes: bytes + rows.bytes };
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
  const file = readVersionFile(folder);
  const derived = file === undefined ? {} : readDerived(folder, file);
  const names = Object.keys(derived);
  if (options?.isInDatabase === true && !names.some((name) => existsSync(join(folder, name)))) {
    return { bytes: 0, rowFile: 'not here', rowFileProblem: null };
  }
  const missing = DERIVED_FILES.find((name) => derived[name] === undefined);
  if (missing !== undefined) {
    return {
      bytes: 0,
      rowFile: 'never written',
      rowFileProblem: `its release did not write ${missing}; --repair writes it.`,
    };
  }
  const { bytes, problem = checkRowFile(folder) } = await verifyDerived(folder, options);
  return { bytes, rowFile: problem === null ? 'usable' : 'unusable', rowFileProblem: problem };
}

function isKept({ directory }: OpenedDirectory, dataset: string, version: string): boolean {
  return readCurrentFile(directory.current).datasets[dataset]?.kept.includes(version) === true;
}

const DAMAGE_HINT =
  'Restore the folder of a damaged version from a backup. Or switch to an undamaged version with locmetrics rollback, and withdraw the damaged one. Or publish the dataset again.';
const SHARED_DAMAGE_HINT =
  'Remove the damaged data files of this node: locmetrics verify --repair. ClickHouse then answers instead. If a table is damaged, switch to an undamaged version with locmetrics rollback, and withdraw the damaged one. Or publish the dataset again.';
const ROWS_HINT =
  'All its answers come from the column store, which is slower. Write it again from the column file: locmetrics verify --repair.';
const SHARED_ROWS_HINT =
  'All its answers come from ClickHouse. Remove the file: locmetrics verify --repair. The service writes it again, unless the version has more records than --clickhouse-row-files.';

function damageError(damaged: number, all: number, hint: string): DataDirectoryError {
  return new DataDirectoryError(
    all === 1
      ? 'The version is damaged.'
      : `${damaged} of ${all} versions ${damaged === 1 ? 'is' : 'are'} damaged.`,
    hint,
  );
}

function rowFileError(slow: number, all: number, hint: string): DataDirectoryError {
  return new DataDirectoryError(
    all === 1
      ? 'The version has no row file that can be used.'
      : `${slow} of ${all} versions ${slow === 1 ? 'has' : 'have'} no row file that can be used.`,
    hint,
  );
}
