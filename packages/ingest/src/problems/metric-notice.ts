import { type Metric, metricName } from '@locmetrics/core/domain/metric';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { IncompleteMetric } from '@locmetrics/data-directory/versions/resolve-metrics';

/** A notice about a metric for the owner, shown with a dataset of the publish. */
export type MetricNotice = {
  readonly datasetName: string;
  readonly metricName: string;
  readonly text: string;
};

export function metricNotice(
  metric: Metric,
  { dataset }: DatasetVersion,
  text: string,
): MetricNotice {
  return { datasetName: dataset.name, metricName: metricName(metric), text };
}

/** The notices of a dataset. A notice for several metrics names two of them and counts the others. */
export function noticeTexts(
  datasetName: string,
  notices: readonly MetricNotice[],
): readonly string[] {
  const own = notices.filter((notice) => notice.datasetName === datasetName);
  const metrics = Map.groupBy(own, ({ text }) => text);
  return [...metrics].map(([text, same]) => {
    const names = [...new Set(same.map((notice) => notice.metricName))];
    return `${shortList(names)}: ${text}`;
  });
}

/** For example `a`, `a and b`, `a, b and 1,234 more metrics`. */
function shortList(names: readonly string[]): string {
  const hidden = names.length - SHOWN_METRICS_MAX;
  if (hidden <= 0) return names.join(' and ');
  const shown = names.slice(0, SHOWN_METRICS_MAX).join(', ');
  return `${shown} and ${hidden.toLocaleString('en-US')} more ${hidden === 1 ? 'metric' : 'metrics'}`;
}

const SHOWN_METRICS_MAX = 2;

/** Metrics that a change would end, with the reason of each. */
export function lostMetricsText(lost: readonly IncompleteMetric[]): string {
  const lines = lost.map(
    ({ metric, reason }) => `The metric ${metricName(metric)} could no longer be served. ${reason}`,
  );
  return lines.join('\n');
}
