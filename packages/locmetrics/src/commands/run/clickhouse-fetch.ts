import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { replaceDurably, syncDirectory } from '@locmetrics/data-directory/files/durable-file';
import { sealedText } from '@locmetrics/data-directory/files/sealed-json';
import { VERSION_FILE } from '@locmetrics/data-directory/versions/data-directory';
import { refuseMirror } from '@locmetrics/data-directory/versions/refuse-mirror';
import type { VersionFile } from '@locmetrics/data-directory/versions/version-file';
import type { LeasedVersion } from '@locmetrics/data-directory/versions/version-lease';
import { repairVersion } from '@locmetrics/ingest/publish/repair-version';
import { sealFiles } from '@locmetrics/ingest/publish/seal-files';
import type { Run, Texts } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { showPublishProgress } from '../../cli/publish-progress.ts';
import { toDatabaseError } from '../../compose/clickhouse-error.ts';
import type { OpenedClickhouse } from '../../compose/open-clickhouse.ts';
import { type OpenedDirectory, openDirectory } from '../../compose/open-data.ts';
import { refuseShared } from '../../compose/open-sharing.ts';
import { restoreColumns } from '../../compose/restore-columns.ts';
import { DERIVED_FILES, VERSION_WRITERS } from '../../compose/version-writers.ts';
import { expectClickhouse, listKept, readWritten } from './clickhouse-load.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** Makes the missing column files and row files of kept versions from their tables. */
export const fetchFilesAction: Run<Texts<'dataset'>> = async (
  output,
  { dataset: name, settings, json },
) => {
  const opened = openDirectory({ settings, output });
  const { directory, config } = opened;
  refuseShared(opened);
  // A column file of other bytes changes version.json.
  refuseMirror(directory, 'no file of its versions can be written again from this directory');
  const clickhouse = await expectClickhouse(opened);
  const progress = showPublishProgress(output);
  const fetched: Fetched[] = [];
  try {
    for (const { folder, ...one } of listKept(opened, name)) {
      const show = (what: string) => (fraction: number) =>
        progress.update(one.datasetName, { stage: `${what} ${one.version}`, fraction });
      await untilInterrupted(async (signal) => {
        const file = readWritten(folder);
        const isColumnFileMissing = isMissing(folder, columnWriter.files);
        const isSame = isColumnFileMissing
          ? await fetchColumnFile(one, {
              ...opened,
              clickhouse,
              folder,
              file,
              onFraction: show('fetching'),
              signal,
            })
          : true;
        const isDerivedMissing = isMissing(folder, DERIVED_FILES);
        if (isDerivedMissing) {
          await repairVersion(one, {
            directory,
            writers: VERSION_WRITERS,
            memoryLimitBytes: config.publishMemoryBytes,
            threads: config.threads,
            onFraction: show('making the row file of'),
            signal,
          });
        }
        if (!isColumnFileMissing && !isDerivedMissing) return;
        const made = [
          ...(isColumnFileMissing ? columnWriter.files : []),
          ...(isDerivedMissing ? DERIVED_FILES : []),
        ];
        fetched.push({ dataset: one.datasetName, version: one.version, files: made, isSame });
      });
    }
  } catch (error) {
    throw toDatabaseError(error, clickhouse.database.name);
  } finally {
    progress.end();
    await clickhouse.database.close();
  }
  printList(output, {
    json,
    answer: { versions: fetched },
    none: 'All kept versions have their files.',
    columns: ['DATASET', 'VERSION', 'FILES', 'COLUMN FILE'],
    rows: fetched.map(({ dataset, version, files, isSame }) => [
      dataset,
      version,
      files.join(', '),
      isSame ? 'as published' : 'same values, other bytes',
    ]),
  });
};

function isMissing(folder: string, names: readonly string[]): boolean {
  return names.some((name) => !existsSync(join(folder, name)));
}

type Fetched = {
  readonly dataset: string;
  readonly version: string;
  readonly files: readonly string[];
  /** Whether the column file has the checksum with which it was published. */
  readonly isSame: boolean;
};

/** Makes the column file in its folder. Returns whether it is the published one, byte for byte. */
async function fetchColumnFile(
  { datasetName, version }: LeasedVersion,
  {
    directory,
    config,
    clickhouse,
    folder,
    file,
    onFraction,
    signal,
  }: OpenedDirectory & {
    readonly clickhouse: OpenedClickhouse;
    readonly folder: string;
    readonly file: VersionFile;
    readonly onFraction: (fraction: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const workspace = await mkdtemp(join(directory.temporary, `repair-${process.pid}-`));
  try {
    await restoreColumns(
      { datasetName, version },
      { config, clickhouse, file, folder: workspace, onFraction, signal },
    );
    const sealed = await sealFiles(workspace, columnWriter.files, { signal });
    const isSame = columnWriter.files.every(
      (name) => sealed[name]?.sha256 === file.files[name]?.sha256,
    );
    if (!isSame) {
      // Before the file is in its place: an absent file is allowed, and one with another size is not.
      const files = { ...file.files, ...sealed };
      await replaceDurably(join(folder, VERSION_FILE), sealedText({ ...file, files }));
    }
    for (const name of columnWriter.files) {
      await rename(join(workspace, name), join(folder, name));
    }
    await syncDirectory(folder);
    return isSame;
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
