import { jsonLine } from '../cli/print-list.ts';
import type { Action, PublishFlags } from '../cli/program.ts';
import { showPublishProgress } from '../cli/publish-progress.ts';
import { ConfigError } from '../config/config-error.ts';
import { metricName } from '../domain/metric.ts';
import { readPeriodText } from '../domain/period-text.ts';
import type { MetricVersion } from '../domain/version.ts';
import type { PublishMode } from '../importer/publish/prepare-version.ts';
import { publish } from '../importer/publish/publish.ts';
import { countExtents } from './count-extents.ts';
import { grantLossFinder } from './grant-loss-finder.ts';
import { prepareNotification } from './notify-webhook.ts';
import { findDataDirectory } from './open-data.ts';
import { publishReportText } from './publish-report-text.ts';
import { untilInterrupted } from './until-interrupted.ts';
import { VERSION_WRITERS } from './version-writers.ts';
import { notRemovedText, retentionOf } from './with-switching.ts';

export const publishAction: Action<'publish'> = async (
  output,
  manifest,
  datasets,
  { settings, json, ...flags },
) => {
  const mode = readMode(flags);
  const isDryRun = flags.dryRun === true;
  const { directory, config } = findDataDirectory({ settings, output });
  const notifyWebhook = isDryRun
    ? async () => {}
    : await prepareNotification({ config, directory, output });
  const progress = showPublishProgress(output);
  const {
    datasets: published,
    metrics,
    notRemoved,
  } = await untilInterrupted((signal) =>
    publish({
      manifestPath: manifest,
      datasetNames: datasets,
      directory,
      mode,
      writers: flags.withoutRowFiles
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
  for (const { version, notices } of published) {
    for (const notice of notices) output.messages(`${version.dataset.name}: ${notice}\n`);
  }
  if (notRemoved !== undefined) output.messages(notRemovedText(notRemoved));
  if (json) {
    const versions = published.map(({ version, report, notices, durationMs }) => ({
      dataset: version.dataset.name,
      version: version.version,
      publishedTime: version.publishedTime,
      rowCount: version.rowCount,
      durationMs,
      notices,
      report,
    }));
    output.data(jsonLine({ dryRun: isDryRun, versions, metrics: metrics.map(metricSummary) }));
  } else {
    for (const { version, report, durationMs } of published) {
      const what = `${version.dataset.name}: ${recordCount(version.rowCount)} in ${(durationMs / 1000).toFixed(1)} s`;
      output.data(
        isDryRun ? `Would publish ${what}\n` : `Published ${what}, version ${version.version}\n`,
      );
      output.data(publishReportText(report));
    }
    for (const { metric, layer, relatedLayer } of metrics) {
      const layers = [layer, relatedLayer].flatMap((part) => part?.layer.id ?? []);
      output.data(
        `${isDryRun ? 'Would serve' : 'Serving'} metric ${metricName(metric)} (${layers.length === 1 ? 'layer' : 'layers'} ${layers.join(', ')})\n`,
      );
    }
  }
  await notifyWebhook();
};

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

function metricSummary({ metric, layer, relatedLayer, version }: MetricVersion) {
  return {
    metric: metricName(metric),
    layer: layer.layer.id,
    relatedLayer: relatedLayer?.layer.id,
    version,
  };
}

function recordCount(count: number): string {
  return count === 1 ? '1 record' : `${count.toLocaleString('en-US')} records`;
}
