import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Metric } from '@locmetrics/core/domain/metric';
import type { Report } from './manifest-report.ts';

/**
 * Reports a dimension whose values include a total that is not its default: a request that does not name the dimension
 * would get the parts and the total, and a caller who adds them up twice of everything.
 */
export function checkTotals(
  { dataset, metrics }: { readonly dataset: Dataset; readonly metrics: readonly Metric[] },
  report: Report,
): void {
  const labels = new Map(dataset.fields.map(({ name, totalLabel }) => [name, totalLabel]));
  for (const { catalogId, metricId, dimensions } of metrics) {
    for (const { dimensionId, fields, defaultValue } of dimensions) {
      const label = labels.get(fields.value);
      if (label === undefined || label === defaultValue) continue;
      report.at(
        'metrics',
        `${catalogId}/${metricId}`,
        'dimensions',
        dimensionId,
        'default',
      )(
        `The values of '${fields.value}' have the total '${label}', which is not the default.`,
        `Without this default, a request returns the total together with its parts. Write default: ${label}`,
      );
    }
  }
}
