import { metricName } from '@locmetrics/core/domain/metric';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import type { Published } from '@locmetrics/ingest/publish/publish-datasets';
import { jsonLine, type Output } from '../../cli/output.ts';
import { publishReportText } from './publish-report-text.ts';

/** Prints what was published, or would be. */
export function showPublished(
  output: Output,
  { datasets, metrics }: Published,
  { isDryRun }: { readonly isDryRun: boolean },
): void {
  showNotices(output, datasets);
  for (const { version, report, durationMs } of datasets) {
    const what = `${version.dataset.name}: ${recordCount(version.rowCount)} in ${(durationMs / 1000).toFixed(1)} s`;
    output.data(
      isDryRun ? `Would publish ${what}\n` : `Published ${what}, version ${version.version}\n`,
    );
    output.data(publishReportText(report, isDryRun ? 'with --json' : 'in report.json'));
  }
  for (const { metric, layer, relatedLayer } of metrics) {
    const layers = [layer, relatedLayer].flatMap((part) => part?.layer.id ?? []);
    output.data(
      `${isDryRun ? 'Would serve' : 'Serving'} metric ${metricName(metric)} (${layers.length === 1 ? 'layer' : 'layers'} ${layers.join(', ')})\n`,
    );
  }
}

/** Prints the same as a line of JSON, which begins with the given members. */
export function printPublished(
  output: Output,
  { datasets, metrics }: Published,
  members: object,
): void {
  showNotices(output, datasets);
  const versions = datasets.map(({ version, report, durationMs }) => ({
    dataset: version.dataset.name,
    version: version.version,
    publishedTime: version.publishedTime,
    rowCount: version.rowCount,
    durationMs,
    notices: report.notices,
    report,
  }));
  output.data(jsonLine({ ...members, versions, metrics: metrics.map(metricSummary) }));
}

function showNotices(output: Output, datasets: Published['datasets']): void {
  for (const { version, report } of datasets) {
    for (const notice of report.notices) output.messages(`${version.dataset.name}: ${notice}\n`);
  }
  const accepted = datasets.flatMap(({ version, report }) =>
    (report.acceptedNotices ?? []).map(() => version.dataset.name),
  );
  if (accepted.length === 0) return;
  const notices = accepted.length === 1 ? '1 notice' : `${accepted.length} notices`;
  output.messages(`${notices} accepted by the manifest: ${[...new Set(accepted)].join(', ')}\n`);
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
