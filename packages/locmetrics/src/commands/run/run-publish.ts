import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sealedProcess } from '@locmetrics/column-store/publish/sealed-process';
import { readPeriodText } from '@locmetrics/core/dates/period-text';
import type { PublishMode } from '@locmetrics/ingest/publish/prepare-version';
import { type Published, publish } from '@locmetrics/ingest/publish/publish-datasets';
import { switchChanges, type VersionChange } from '@locmetrics/server/auth/version-changes';
import type { Lists, RequiredTexts, Switches, Texts } from '../../cli/define-command.ts';
import type { Output } from '../../cli/output.ts';
import { showPublishProgress } from '../../cli/publish-progress.ts';
import { countExtents } from '../../compose/count-extents.ts';
import { grantLossFinder } from '../../compose/grant-loss-finder.ts';
import { hasStore, type OpenedDirectory, withStoreOf } from '../../compose/open-data.ts';
import { VERSION_WRITERS } from '../../compose/version-writers.ts';
import { retentionOf, withVersions } from '../../compose/with-versions.ts';
import { ConfigError } from '../../config/config-error.ts';
import { limitMemory, PUBLISH_UNCOUNTED_BYTES } from '../../processes/limit-memory.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** The TypeScript source, or the built JavaScript. */
const SEALED_ENGINE = fileURLToPath(
  new URL(`../../sealed-engine${extname(import.meta.url)}`, import.meta.url),
);

/** The flags of a publish beside its settings. */
export type PublishFlags = Texts<'files' | 'replacePeriod'> &
  Switches<'append' | 'dryRun' | 'acceptChanges' | 'acceptGrantLosses' | 'withoutRowFiles'>;

/** The manifest and its datasets, with these flags. */
export type PublishGiven = RequiredTexts<'manifest'> & Lists<'datasets'> & PublishFlags;

/** Publishes by the flags of a command, or checks all that a publish does; with its progress on the terminal. */
export async function runPublish(
  output: Output,
  {
    manifest,
    datasets,
    flags,
    directory,
    config,
  }: OpenedDirectory & {
    readonly manifest: string;
    readonly datasets: readonly string[];
    readonly flags: PublishFlags;
  },
): Promise<Published> {
  const isDryRun = flags.dryRun === true;
  if (output.isOwnProcess === true) {
    await limitMemory(config.publishMemoryBytes + PUBLISH_UNCOUNTED_BYTES);
  }
  const mode = readMode(flags);
  const progress = showPublishProgress(output);
  const published = await withVersions({ config, directory }, ({ store }, database) =>
    untilInterrupted((signal) =>
      publish({
        store,
        // A check writes nothing.
        database: isDryRun ? undefined : database,
        manifestPath: manifest,
        datasetNames: datasets,
        directory,
        mode,
        writers:
          flags.withoutRowFiles === true
            ? VERSION_WRITERS.filter(({ isDerived }) => !isDerived)
            : VERSION_WRITERS,
        countExtents,
        filesDirectory: flags.files,
        isDryRun,
        acceptsChanges: flags.acceptChanges === true,
        acceptsGrantLosses: flags.acceptGrantLosses === true,
        findGrantLosses: grantLossFinder({ directory, config }),
        retention: retentionOf(config),
        memoryLimitBytes: config.publishMemoryBytes,
        unpackedBytesMax: config.publishUnpackedBytes,
        stepTimeMs: config.publishStepTimeMs,
        openSealed: sealedProcess(SEALED_ENGINE),
        threads: config.threads,
        environment: process.env,
        clock: Date.now,
        onProgress: progress.update,
        signal,
      }),
    ),
  ).finally(progress.end);
  const versions = published.datasets.map(({ version: { dataset, version }, report }) => ({
    dataset: dataset.name,
    version,
    before: report.before,
  }));
  if (!isDryRun) {
    await recordVersionChanges(
      { directory, config },
      switchChanges('version.publish', versions),
      output,
    );
  }
  return published;
}

function readMode({ append, replacePeriod }: PublishFlags): PublishMode {
  if (append === true) return { kind: 'append' };
  if (replacePeriod === undefined) return { kind: 'replace' };
  const period = readPeriodText(replacePeriod);
  if (period !== undefined) return { kind: 'replace-period', ...period };
  throw new ConfigError(
    `--replace-period: '${replacePeriod.slice(0, 100)}' is not a period.`,
    'Write a year, month or day, or two of them separated by a slash: 2024, 2024-01, 2024-01-05, 2024-01/2024-03.',
  );
}

/** Writes switches into the audit log, if the data directory has one. They are done, whether this works or not. */
export async function recordVersionChanges(
  opened: OpenedDirectory,
  changes: readonly VersionChange[],
  output: Output,
): Promise<void> {
  // A publish does not create a store.
  if (changes.length === 0 || !hasStore(opened)) return;
  try {
    await withStoreOf(opened, (store) => store.recordVersionChanges(changes));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    output.messages(
      `The audit log could not be written: ${reason}\nThe switch was made and is in the history: locmetrics versions\n`,
    );
  }
}
