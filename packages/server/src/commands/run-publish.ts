import { switchChanges } from '../auth/version-changes.ts';
import type { Output } from '../cli/output.ts';
import type { PublishFlags } from '../cli/program.ts';
import { showPublishProgress } from '../cli/publish-progress.ts';
import { ConfigError } from '../config/config-error.ts';
import { readPeriodText } from '../domain/period-text.ts';
import type { PublishMode } from '../importer/publish/prepare-version.ts';
import { type Published, publish } from '../importer/publish/publish.ts';
import { countExtents } from './count-extents.ts';
import { grantLossFinder } from './grant-loss-finder.ts';
import type { OpenedDirectory } from './open-data.ts';
import { recordVersionChanges } from './record-version-changes.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { VERSION_WRITERS } from './version-writers.ts';
import { retentionOf } from './with-switching.ts';

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
  const mode = readMode(flags);
  const progress = showPublishProgress(output);
  const published = await untilInterrupted((signal) =>
    publish({
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
      findGrantLosses: grantLossFinder(directory),
      retention: retentionOf(config),
      memoryLimitBytes: config.publishMemoryBytes,
      unpackedBytesMax: config.publishUnpackedBytes,
      threads: config.threads,
      environment: process.env,
      clock: Date.now,
      onProgress: progress.update,
      signal,
    }),
  ).finally(progress.end);
  const versions = published.datasets.map(({ version: { dataset, version }, report }) => ({
    dataset: dataset.name,
    version,
    before: report.before,
  }));
  if (!isDryRun) {
    recordVersionChanges(directory, switchChanges('version.publish', versions), output);
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
