import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CurrentDataset,
  type CurrentFile,
  readCurrentFile,
  replaceCurrentFile,
  syncDirectory,
  writeDurably,
} from '../catalog/current-file.ts';
import { type DataDirectory, VERSION_FILE } from '../catalog/data-directory.ts';
import type { DeclaredDataset } from '../catalog/manifest.ts';
import { readManifest } from '../catalog/read-manifest.ts';
import { removeOldVersions } from '../catalog/remove-old-versions.ts';
import { summarizeFile, type VersionFile } from '../catalog/version-file.ts';
import type { CountedVersion, DatasetVersion } from '../domain/dataset.ts';
import type { MetricVersion } from '../domain/metric.ts';
import { nameHint } from '../domain/nearest-name.ts';
import { versionName } from '../domain/version-name.ts';
import { COLUMN_FILE } from '../storage/duckdb/record-table.ts';
import { checkDeclarations, checkMetrics } from './check-metrics.ts';
import { type ImportedDataset, importDataset } from './import-dataset.ts';
import type { ImportProgress } from './import-progress.ts';
import type { MetricNotice } from './metric-notice.ts';
import { PublishError } from './publish-error.ts';
import { takePublishLock } from './publish-lock.ts';

export type PublishOptions = {
  readonly manifestPath: string;
  /** Empty: all datasets of the manifest. */
  readonly datasetNames: readonly string[];
  readonly directory: DataDirectory;
  readonly memoryLimitBytes: number;
  readonly threads: number;
  readonly clock: () => number;
  readonly onProgress?: (datasetName: string, progress: ImportProgress) => void;
  readonly signal?: AbortSignal;
};

export type Published = {
  readonly datasets: readonly PublishedDataset[];
  /** All metrics that are served from now on, in the order of their names. */
  readonly metrics: readonly MetricVersion[];
};

export type PublishedDataset = {
  readonly version: CountedVersion;
  /** What the owner should know, for example columns that no field uses. */
  readonly notices: readonly string[];
  readonly durationMs: number;
};

/**
 * Makes a new version of the datasets of a manifest and switches to all of them by one atomic
 * rename, or throws and changes nothing: a `ManifestError`, an `ImportError` or a `PublishError`
 * when something the owner gave is wrong.
 */
export async function publish(options: PublishOptions): Promise<Published> {
  const { directory, clock } = options;
  const manifest = await readManifest(options.manifestPath);
  const selected = selectDatasets(manifest.datasets, options.datasetNames);
  await mkdir(directory.temporary, { recursive: true, mode: 0o700 });
  const lock = takePublishLock(directory.publishLock);
  try {
    checkDeclarations(selected, directory);
    // Whatever a publish left behind that was killed; this is the only one that runs now.
    await emptyDirectory(directory.temporary, 'publish-');
    const workspace = await mkdtemp(join(directory.temporary, 'publish-'));
    try {
      await mkdir(spillDirectory(workspace));
      const prepared: PreparedDataset[] = [];
      for (const declared of selected) {
        prepared.push(await prepareVersion(declared, workspace, options));
      }
      const { metrics, notices } = await checkMetrics({
        prepared,
        directory,
        temporaryDirectory: spillDirectory(workspace),
        memoryLimitBytes: options.memoryLimitBytes,
        threads: options.threads,
        signal: options.signal,
      });
      for (const { folder, version } of prepared) {
        await moveIntoPlace(folder, version, directory);
      }
      const now = new Date(clock());
      const current = switchTo(
        readCurrentFile(directory.current),
        prepared.map(({ version }) => version),
        now,
      );
      await replaceCurrentFile(directory.current, current);
      await removeOldVersions(directory, current, now);
      const datasets = prepared.map((dataset) => ({
        version: dataset.version,
        notices: [...dataset.notices, ...noticesOf(dataset.version, notices)],
        durationMs: dataset.durationMs,
      }));
      return { datasets, metrics };
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  } finally {
    lock.release();
  }
}

function noticesOf(
  { dataset }: DatasetVersion,
  notices: readonly MetricNotice[],
): readonly string[] {
  return notices.filter(({ datasetName }) => datasetName === dataset.name).map(({ text }) => text);
}

function selectDatasets(
  declared: readonly DeclaredDataset[],
  names: readonly string[],
): readonly DeclaredDataset[] {
  if (names.length === 0) return declared;
  const known = declared.map(({ dataset }) => dataset.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new PublishError(`The manifest declares no dataset '${name}'.`, nameHint(name, known));
  }
  return declared.filter(({ dataset }) => names.includes(dataset.name));
}

/** Names of datasets have a dot, so that none is this one. */
function spillDirectory(workspace: string): string {
  return join(workspace, 'spills');
}

async function emptyDirectory(directory: string, prefix: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(prefix)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

type PreparedDataset = PublishedDataset & {
  /** Where the version lies until it gets its name. */
  readonly folder: string;
};

async function prepareVersion(
  declared: DeclaredDataset,
  workspace: string,
  options: PublishOptions,
): Promise<PreparedDataset> {
  const { dataset } = declared;
  const started = performance.now();
  const folder = join(workspace, dataset.name);
  await mkdir(folder);
  const imported = await importDataset({
    declared,
    directory: folder,
    temporaryDirectory: spillDirectory(workspace),
    memoryLimitBytes: options.memoryLimitBytes,
    threads: options.threads,
    onProgress: (progress) => options.onProgress?.(dataset.name, progress),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const version = toVersion(declared, imported, new Date(options.clock()));
  const file: VersionFile = {
    format: 1,
    version,
    files: { [COLUMN_FILE]: await summarizeFile(join(folder, COLUMN_FILE)) },
    sources: imported.files,
  };
  await syncFile(join(folder, COLUMN_FILE));
  await writeDurably(join(folder, VERSION_FILE), `${JSON.stringify(file, null, 2)}\n`);
  await syncDirectory(folder);
  const durationMs = Math.round(performance.now() - started);
  return { folder, version, notices: imported.notices, durationMs };
}

/** Named by the time of publishing and by what it was made of: the schema and the source files. */
function toVersion(
  { dataset, layers, metrics, source }: DeclaredDataset,
  imported: ImportedDataset,
  now: Date,
): CountedVersion {
  const { rowCount, firstObservationDate, lastObservationDate } = imported;
  const content = createHash('sha256')
    .update(JSON.stringify([dataset, layers, metrics]))
    .update(JSON.stringify([source.format, source.delimiter, source.quote, ...source.columns]))
    .update(JSON.stringify(imported.files.map(({ sha256 }) => sha256)))
    .digest('hex');
  const publishedTime = now.toISOString();
  return {
    dataset,
    layers,
    metrics,
    version: versionName(publishedTime, content),
    publishedTime,
    rowCount,
    ...(firstObservationDate === undefined ? {} : { firstObservationDate }),
    ...(lastObservationDate === undefined ? {} : { lastObservationDate }),
  };
}

async function moveIntoPlace(
  folder: string,
  { dataset, version }: DatasetVersion,
  directory: DataDirectory,
): Promise<void> {
  const parent = directory.datasetVersions(dataset.name);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await rename(folder, directory.version(dataset.name, version));
  await syncDirectory(parent);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Longer histories would make `current.json` grow for ever. */
const HISTORY_LENGTH_MAX = 1000;

function switchTo(
  current: CurrentFile,
  versions: readonly DatasetVersion[],
  now: Date,
): CurrentFile {
  const datasets: Record<string, CurrentDataset> = { ...current.datasets };
  for (const { dataset, version } of versions) {
    const history = [
      ...(datasets[dataset.name]?.history ?? []),
      { version, since: now.toISOString() },
    ];
    datasets[dataset.name] = { version, history: history.slice(-HISTORY_LENGTH_MAX) };
  }
  return { format: 1, datasets };
}
