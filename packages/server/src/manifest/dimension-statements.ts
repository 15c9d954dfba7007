import type { Metric } from '../domain/metric.ts';
import type { Statement } from './find-disagreements.ts';

/** The definitions of the dimensions of a metric, by the keys of the manifest. */
export function dimensionStatements(metric: Metric): readonly Statement<Metric>[] {
  return metric.dimensions.map(({ dimensionId, displayName, description }) => ({
    name: dimensionId,
    owner: metric,
    said: { title: displayName, description },
  }));
}
