import type { DatasetVersion } from '../domain/dataset.ts';
import { type Metric, metricName } from '../domain/metric.ts';

/** What the owner should know of a metric, told with a dataset that is published now. */
export type MetricNotice = { readonly datasetName: string; readonly text: string };

export function metricNotice(
  metric: Metric,
  { dataset }: DatasetVersion,
  text: string,
): MetricNotice {
  return { datasetName: dataset.name, text: `${metricName(metric)}: ${text}` };
}
