import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { VersionReaderOptions } from '@locmetrics/column-store/publish/open-version-reader';
import { openReusedInstance, type ReusedInstance } from '@locmetrics/column-store/reused-instance';
import { periodText } from '@locmetrics/core/dates/period-text';
import type { MetricExtent } from '@locmetrics/core/domain/metric-extent';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import {
  type CurrentFile,
  readCurrentFile,
} from '@locmetrics/data-directory/versions/current-file';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { partsOf, writeExtents } from '@locmetrics/data-directory/versions/published-extents';
import { type Retention, switchTo } from '@locmetrics/data-directory/versions/switch-versions';
import type { VersionDatabase } from '@locmetrics/data-directory/versions/version-database';
import type { PublishLock, VersionStore } from '@locmetrics/data-directory/versions/version-store';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { ManifestError } from '../manifest/manifest-error.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { explainSystemError } from '../problems/explain-system-error.ts';
import { ImportError } from '../problems/import-error.ts';
import { noticeTexts } from '../problems/metric-notice.ts';
import { PublishError } from '../problems/publish-error.ts';
import { checkBoundaries } from '../rows/check-boundaries.ts';
import { acceptNotices } from './accept-notices.ts';
import type { GrantLossesOf, GrantLossOptions } from './check-grant-losses.ts';
import { type CheckedMetrics, checkDeclarations, checkMetrics } from './check-metrics.ts';
import { checkPublishable } from './check-publishable.ts';
import { type ColumnFolders, openColumnFolders } from './column-folders.ts';
import {
  type ImportingOptions,
  type PreparedVersion,
  prepareVersion,
  sealVersion,
} from './prepare-version.ts';
import { takePublishLock } from './publish-lock.ts';
import type { Published } from './published.ts';
import { isRefusal, type Refusal, RefusedCheck } from './refused-check.ts';
import { retryWhileAway } from './retry-while-away.ts';

export type { Published } from './published.ts';

export type PublishOptions = ImportingOptions & {
  readonly manifestPath: string;
  /** Empty: all datasets of the manifest. */
  readonly datasetNames: readonly string[];
  /** Decides what is current; absent: the files of the data directory. */
  readonly store?: VersionStore | undefined;
  readonly countExtents: CountExtents;
  /** Gets the records of the versions, too, before the switch; absent: there is none. */
  readonly database?: VersionDatabase | undefined;
  /** The directory of the files of the manifest; absent: that of the manifest. */
  readonly filesDirectory?: string | undefined;
  /** Whether everything is done except the switch, and goes on after what is wrong, so that all of it is reported together. */
  readonly isDryRun: boolean;
  readonly retention: Retention;
  /** How long what is current may be away at the switch, in milliseconds; default: two minutes. */
  readonly awayMaxMs?: number | undefined;
} & GrantLossOptions;

/** Counts the values of metrics before they are served; `directoryOf` returns the folder of a version. */
export type CountExtents = (
  metrics: readonly MetricVersion[],
  options: VersionReaderOptions,
) => Promise<ReadonlyMap<MetricVersion, MetricExtent>>;

/**
 * Creates a new version of each dataset of a manifest, and switches to all of them with one atomic rename. If the
 * input is wrong, it throws a `ManifestError`, an `ImportError` or a `PublishError` and changes nothing. A dry run
 * throws all of them in a `RefusedCheck`.
 */
export async function publish(options: PublishOptions): Promise<Published> {
  try {
    return await publishUnderLock(options);
  } catch (error) {
    throw explainSystemError(error);
  }
}

async function publishUnderLock(given: PublishOptions): Promise<Published> {
  const options = { ...given, store: given.store ?? fileVersions(given.directory, given) };
  const { directory, store } = options;
  const refusals: Refusal[] = [];
  const refuse = (error: unknown): void => {
    if (!options.isDryRun || !isRefusal(error)) throw error;
    refusals.push(error);
  };
  const declared = await readDatasets(options, refuse);
  // Of a wrong manifest only some datasets are known, without their layers and metrics.
  const isManifestRight = refusals.length === 0;
  const selected = selectDatasets(
    declared,
    options.datasetNames,
    isManifestRight ? refuse : () => {},
  );
  if (!isManifestRight && selected.length === 0) throw new RefusedCheck(refusals, NOTHING);
  checkPublishable(selected, options);
  // A check of a data directory that does not exist creates none, so checks can run at once.
  const isNowhere = options.isDryRun && !store.isShared && !existsSync(directory.root);
  const temporary = isNowhere ? await makeBeside(directory.root) : directory.temporary;
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const lock = isNowhere ? undefined : await takeLock(options);
  try {
    await store.bringUpToDate();
    const grantLossesOf = isManifestRight
      ? await compareDeclarations(selected, options, refuse)
      : () => [];
    const areDeclarationsRight = refusals.length === 0;
    // Removes the files of killed processes; no other publish runs now, but checks may.
    if (lock !== undefined) await removeLeftFolders(temporary);
    const workspace = await mkdtemp(
      join(temporary, options.isDryRun ? `${CHECK_FOLDER}${process.pid}-` : PUBLISH_FOLDER),
    );
    try {
      const running = { ...options, grantLossesOf, workspace, refuse, areDeclarationsRight };
      const published = await publishSelected(selected, running);
      if (refusals.length > 0) throw new RefusedCheck(refusals, published);
      return published;
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  } finally {
    await lock?.release();
    if (isNowhere) await rm(temporary, { recursive: true, force: true });
  }
}

/** A check needs no lock: its folder is its own, and it changes nothing. */
async function takeLock({ store, isDryRun }: StoredPublish): Promise<PublishLock | undefined> {
  if (isDryRun && !store.isShared) return store.takePublishLock();
  return takePublishLock(store);
}

/** A folder beside a data directory that does not exist, in the nearest folder that does. */
async function makeBeside(root: string): Promise<string> {
  let parent = dirname(resolve(root));
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  return mkdtemp(join(parent, '.locmetrics-check-'));
}

const PUBLISH_FOLDER = 'publish-';
const CHECK_FOLDER = 'check-';

async function removeLeftFolders(temporary: string): Promise<void> {
  for (const name of await readdir(temporary)) {
    const [, checking] = /^check-([0-9]+)-/.exec(name) ?? [];
    const isLeft =
      checking === undefined ? name.startsWith(PUBLISH_FOLDER) : !isRunning(Number(checking));
    if (isLeft) await rm(join(temporary, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

type StoredPublish = PublishOptions & { readonly store: VersionStore };

type PreparedPublish = StoredPublish & {
  readonly temporaryDirectory: string;
  readonly reused: ReusedInstance;
  readonly columns: ColumnFolders;
  readonly isInDatabase: boolean;
};

/** Throws what is wrong, or keeps it and goes on in a dry run. */
type Refuse = (error: unknown) => void;

/** The datasets of the manifest; in a dry run of a wrong one those that are right in themselves. */
async function readDatasets(
  { manifestPath, filesDirectory }: PublishOptions,
  refuse: Refuse,
): Promise<readonly DeclaredDataset[]> {
  try {
    return (await readManifest(manifestPath, filesDirectory)).datasets;
  } catch (error) {
    refuse(error);
    return error instanceof ManifestError ? error.sound : [];
  }
}

async function compareDeclarations(
  selected: readonly DeclaredDataset[],
  options: StoredPublish,
  refuse: Refuse,
): Promise<GrantLossesOf> {
  try {
    return await checkDeclarations(selected, options.directory, {
      ...options,
      isInDatabase: options.store.isInDatabase,
    });
  } catch (error) {
    refuse(error);
    return () => [];
  }
}

type SelectedPublish = StoredPublish & {
  readonly grantLossesOf: GrantLossesOf;
  readonly workspace: string;
  readonly refuse: Refuse;
  /** Whether layers and metrics can be checked. */
  readonly areDeclarationsRight: boolean;
};

async function publishSelected(
  selected: readonly DeclaredDataset[],
  options: SelectedPublish,
): Promise<Published> {
  // The names of datasets contain a dot, so none equals this one.
  const temporaryDirectory = join(options.workspace, 'spills');
  await mkdir(temporaryDirectory);
  const reused = openReusedInstance({
    ...options,
    temporaryDirectory: join(temporaryDirectory, 'reused'),
  });
  try {
    return await publishWith(selected, { ...options, temporaryDirectory, reused });
  } finally {
    reused.close();
  }
}

async function publishWith(
  selected: readonly DeclaredDataset[],
  options: SelectedPublish & Pick<PreparedPublish, 'temporaryDirectory' | 'reused'>,
): Promise<Published> {
  const prepared: PreparedVersion[] = [];
  const preparing = {
    ...options,
    publishId: randomUUID(),
    columns: openColumnFolders(options.store, options),
    isInDatabase: options.store.isInDatabase,
  };
  const checked = options.isDryRun
    ? await checkBoundaries(selected, options.refuse)
    : selected.map((declared) => ({ declared, isSound: true }));
  for (const { declared, isSound } of checked) {
    try {
      const version = await prepareVersion(declared, preparing);
      if (isSound) prepared.push(version);
    } catch (error) {
      options.refuse(explainAllDatasets(error, selected, options));
    }
  }
  const found = options.areDeclarationsRight
    ? await checkAndSwitch(prepared, preparing)
    : NO_METRICS;
  const datasets = withFound(prepared, found).map(({ version, report, durationMs }) => ({
    version,
    report,
    durationMs,
  }));
  return {
    datasets,
    metrics: found.metrics,
    ...(options.isDryRun ? {} : await removeOutdated(options)),
  };
}

async function checkAndSwitch(
  prepared: readonly PreparedVersion[],
  options: PreparedPublish & { readonly refuse: Refuse },
): Promise<CheckedMetrics> {
  try {
    return await switchToPrepared(prepared, options);
  } catch (error) {
    options.refuse(error);
    return NO_METRICS;
  }
}

/** The versions with what the check of the metrics found in their reports: records without a feature, and notices. */
function withFound(
  prepared: readonly PreparedVersion[],
  { unmatchedOf, notices }: CheckedMetrics,
): readonly PreparedVersion[] {
  return prepared.map((one) => ({
    ...one,
    report: {
      ...one.report,
      unmatchedRecords: unmatchedOf.get(one.version) ?? [],
      ...acceptNotices([...one.report.notices, ...noticeTexts(one.version.dataset.name, notices)], {
        accepted: one.acceptance.notices ?? [],
        isWhole: one.report.mode === 'replace',
      }),
    },
  }));
}

const NO_METRICS: CheckedMetrics = { metrics: [], notices: [], unmatchedOf: new Map() };
const NOTHING: Published = { datasets: [], metrics: [] };

async function removeOutdated({
  store,
  retention,
  clock,
}: StoredPublish): Promise<Pick<Published, 'notRemoved'>> {
  try {
    await collectGarbage(store, { retention, now: clock(), isPublishing: true });
    return {};
  } catch (notRemoved) {
    return { notRemoved };
  }
}

/**
 * Checks the prepared versions against the current ones, and switches to them. If another switch happened
 * meanwhile, they are checked again.
 */
async function switchToPrepared(
  prepared: readonly PreparedVersion[],
  options: PreparedPublish,
): Promise<CheckedMetrics> {
  const { directory, store } = options;
  const versions = new Map(prepared.map(({ version }) => [version.dataset.name, version.version]));
  const waiting = <Result>(work: () => Promise<Result>): Promise<Result> =>
    retryWhileAway(work, {
      ...options,
      isAway: store.isAway,
      onWait: () => showWait(prepared, options),
    });
  for (let isLoaded = false; ; isLoaded = true) {
    const checked = readCurrentFile(directory.current);
    const found = await checkMetrics({ ...options, prepared, signal: options.signal });
    expectBefore(prepared, checked);
    if (options.isDryRun) return found;
    for (const one of withFound(prepared, found)) await sealVersion(one, options);
    await keepExtents(found.metrics, prepared, options);
    if (!isLoaded) await waiting(() => store.announce(prepared.map(toAdded)));
    if (!isLoaded) await loadTables(prepared, options);
    const isSwitched = await waiting(() =>
      store.whileNoneSwitches(async ({ current, replaceCurrent }) => {
        const before = current();
        if (wasSwitched(before, versions)) return true;
        if (before.lastSwitch !== checked.lastSwitch) return false;
        const changed = switchTo(before, versions, { by: 'publish', now: options.clock() });
        await replaceCurrent(changed, { added: prepared.map(toAdded) });
        return true;
      }),
    );
    if (isSwitched) return found;
  }
}

/** Whether an earlier attempt made the switch, and only its answer was lost. */
function wasSwitched({ datasets }: CurrentFile, versions: ReadonlyMap<string, string>): boolean {
  return [...versions].every(([name, version]) =>
    datasets[name]?.history.some((entry) => entry.version === version),
  );
}

function showWait([first]: readonly PreparedVersion[], { onProgress }: PublishOptions): void {
  if (first === undefined) return;
  const { dataset, rowCount: rows } = first.version;
  onProgress?.(dataset.name, { stage: 'waiting for PostgreSQL', rows });
}

function toAdded({ version: { dataset, version }, folder }: PreparedVersion) {
  return { datasetName: dataset.name, version, folder };
}

/** Copies the records of the versions to their tables. If that fails, a publish that runs again goes on with it. */
async function loadTables(
  prepared: readonly PreparedVersion[],
  { database, onProgress, signal }: PublishOptions,
): Promise<void> {
  for (const { version, folder } of database === undefined ? [] : prepared) {
    const { rowCount: rows } = version;
    const show = (fraction: number) =>
      onProgress?.(version.dataset.name, { stage: 'loading', rows, fraction });
    show(0);
    await database?.load(version, { folder, onFraction: show, signal });
  }
}

/** Writes the extent of each metric into the folder of one of its new versions. */
async function keepExtents(
  metrics: readonly MetricVersion[],
  prepared: readonly PreparedVersion[],
  options: PreparedPublish,
): Promise<void> {
  const { signal } = options;
  const folders = new Map<ReadableVersion, string>(
    prepared.map(({ version, folder }) => [version, folder]),
  );
  const extents = await options.countExtents(metrics, {
    ...options,
    signal,
    directoryOf: (version) => folders.get(version) ?? options.columns.of(version),
  });
  for (const [version, folder] of folders) {
    const ofFolder = [...extents].filter(
      ([metric]) => partsOf(metric).find((part) => folders.has(part)) === version,
    );
    if (ofFolder.length > 0) await writeExtents(folder, new Map(ofFolder));
  }
}

/** Refuses versions that were built upon, or compared with, a version that is no longer current. */
function expectBefore(prepared: readonly PreparedVersion[], { datasets }: CurrentFile): void {
  for (const { version, before } of prepared) {
    const { name } = version.dataset;
    const now = datasets[name]?.version;
    if (now === before) continue;
    throw new PublishError(
      `While ${name} was being published, its current version was switched from ${before ?? 'nothing'} to ${now ?? 'nothing'}. The new version was not compared with it.`,
      'Nothing was published. Check the current versions, then publish again: locmetrics versions',
    );
  }
}

/**
 * Months are usually published for one dataset at a time. If no dataset is named and one of several is refused,
 * it was probably not meant.
 */
function explainAllDatasets(
  error: unknown,
  selected: readonly DeclaredDataset[],
  { mode, datasetNames, manifestPath }: PublishOptions,
): unknown {
  if (!(error instanceof ImportError) || mode.kind === 'replace') return error;
  if (datasetNames.length > 0 || selected.length < 2) return error;
  const names = selected.map(({ dataset }) => dataset.name);
  const flag = mode.kind === 'append' ? '--append' : '--replace-period';
  return new ImportError({
    ...error,
    hint: `${flag} was used for all ${names.length} datasets of the manifest: ${names.join(', ')}. To publish one, name it: locmetrics publish ${manifestPath} DATASET ${flag}${mode.kind === 'append' ? '' : ` ${periodText(mode)}`}`,
  });
}

function selectDatasets(
  declared: readonly DeclaredDataset[],
  names: readonly string[],
  refuse: Refuse,
): readonly DeclaredDataset[] {
  if (names.length === 0) return declared;
  const known = declared.map(({ dataset }) => dataset.name);
  for (const name of names) {
    if (known.includes(name)) continue;
    refuse(new PublishError(`The manifest declares no dataset '${name}'.`, nameHint(name, known)));
  }
  return declared.filter(({ dataset }) => names.includes(dataset.name));
}
