import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import { isCounted } from '@locmetrics/core/domain/version';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { findTableProblem } from '@locmetrics/data-directory/versions/version-database';
import {
  readVersionFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import { takePublishLock } from '@locmetrics/ingest/publish/publish-lock';
import type { Run, Texts } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { showPublishProgress } from '../../cli/publish-progress.ts';
import { openConfiguredClickhouse } from '../../compose/configured-clickhouse.ts';
import type { OpenedClickhouse } from '../../compose/open-clickhouse.ts';
import { type OpenedDirectory, openDirectory } from '../../compose/open-data.ts';
import { openSharing } from '../../compose/open-sharing.ts';
import { selectDatasets } from '../../compose/select-datasets.ts';
import { ConfigError } from '../../config/config-error.ts';
import { untilInterrupted } from './until-interrupted.ts';

/**
 * Loads kept versions without a table, or with a table of another number of rows, from their column files. With the settings
 * of nodes that share versions, those of the data directory are shared then.
 */
export const loadTablesAction: Run<Texts<'dataset'>> = async (
  output,
  { dataset: name, settings, json },
) => {
  const opened = openDirectory({ settings, output });
  const { directory } = opened;
  const sharing = await openSharing(opened, name);
  const { database } = await expectClickhouse(opened);
  const progress = showPublishProgress(output);
  const loaded: { readonly dataset: string; readonly version: string; readonly rows: number }[] =
    [];
  try {
    await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
    // It is held, so that no garbage collection removes a table that is being loaded.
    const lock = await takePublishLock(fileVersions(directory));
    try {
      for (const { datasetName, version, folder } of listKept(opened, name)) {
        const tables = await database.list();
        const { version: written } = readWritten(folder);
        if (!isCounted(written)) throw uncounted(datasetName, version);
        const named = { datasetName, version, rowCount: written.rowCount };
        if (findTableProblem(tables, named, database) === undefined) continue;
        expectColumnFile(folder, named);
        await database.remove({ datasetName, version, isLoading: false });
        await untilInterrupted((signal) =>
          database.load(written, {
            folder,
            signal,
            onFraction: (fraction) =>
              progress.update(datasetName, { stage: `loading ${version}`, fraction }),
          }),
        );
        await database.complete({ datasetName, version });
        loaded.push({ dataset: datasetName, version, rows: written.rowCount });
      }
    } finally {
      await lock.release();
    }
    await sharing?.share();
  } finally {
    progress.end();
    await database.close();
    await sharing?.close();
  }
  printList(output, {
    json,
    answer: { versions: loaded, ...(sharing === undefined ? {} : { isShared: true }) },
    none: `All kept versions have their tables in ${database.name}.`,
    columns: ['DATASET', 'VERSION', 'ROWS'],
    rows: loaded.map((one) => [one.dataset, one.version, one.rows.toLocaleString('en-US')]),
  });
  if (sharing !== undefined && !json) output.messages(`${sharing.doneText}\n`);
};

/** The ClickHouse of the settings, without which the command means nothing. */
export async function expectClickhouse({
  config,
  directory,
}: OpenedDirectory): Promise<OpenedClickhouse> {
  const opened = await openConfiguredClickhouse(config, directory);
  if (opened !== undefined) return opened;
  throw new ConfigError(
    'No ClickHouse is configured.',
    'Name it with --clickhouse, LOCMETRICS_CLICKHOUSE or in the configuration file: http://user@host:8123/database.',
  );
}

/** The kept versions of all datasets, or of one, and their folders; the current one of each dataset first. */
export function listKept({ directory }: OpenedDirectory, name: string | undefined) {
  return selectDatasets(readCurrentFile(directory.current), name).flatMap(
    ([datasetName, { version: current, kept }]) =>
      [...new Set([current, ...kept.toSorted().reverse()])].map((version) => ({
        datasetName,
        version,
        folder: directory.version(datasetName, version),
      })),
  );
}

export function readWritten(folder: string): VersionFile {
  const file = readVersionFile(folder);
  if (file !== undefined) return file;
  throw new ConfigError(
    `There is no ${folder}, although current.json names it.`,
    'Restore the folder from a backup, or withdraw the version: locmetrics versions withdraw VERSION',
  );
}

function uncounted(datasetName: string, version: string): ConfigError {
  return new ConfigError(
    `The version ${version} of ${datasetName} is from a release that did not count its rows, so its table could not be checked.`,
    `Publish ${datasetName} again.`,
  );
}

function expectColumnFile(
  folder: string,
  { datasetName, version }: { readonly datasetName: string; readonly version: string },
): void {
  if (columnWriter.files.every((name) => existsSync(join(folder, name)))) return;
  throw new ConfigError(
    `The version ${version} of ${datasetName} has no column file here, so its table cannot be loaded.`,
    'Run the command where the version was published, or publish the dataset again.',
  );
}
