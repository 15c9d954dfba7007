import type { Metric } from '../domain/metric.ts';
import type { DatasetSource } from './manifest.ts';
import type { Report } from './manifest-report.ts';

/**
 * Reports a dimension whose values include a total that is not its default: a request that does not name the dimension
 * would get the parts and the total, and a caller who adds them up twice of everything.
 */
export function checkTotals(
  { metrics, source }: { readonly metrics: readonly Metric[]; readonly source: DatasetSource },
  report: Report,
): void {
  const labels = totalLabels(source);
  for (const { catalogId, metricId, dimensions } of metrics) {
    for (const { dimensionId, fields, defaultValue } of dimensions) {
      const label = labels.get(fields.value);
      if (label === undefined || label === defaultValue) continue;
      report(
        ['metrics', `${catalogId}/${metricId}`, 'dimensions', dimensionId, 'default'],
        `The values of '${fields.value}' have the total '${label}', which is not the default.`,
        `Without it, a request gets the total beside its parts. Write default: ${label}`,
      );
    }
  }
}

/** The text of the total in each field that is a column with totals. */
function totalLabels({ steps, fields }: DatasetSource): ReadonlyMap<string, string> {
  const columns = new Map<string, string>();
  for (const step of steps) {
    // A query may give its columns any meaning.
    if (step.kind === 'sql') columns.clear();
    if (step.kind !== 'aggregate') continue;
    for (const { name, label } of step.totals) columns.set(name, label);
  }
  return new Map(
    [...fields].flatMap(([field, source]) => {
      const [column] = source.columns;
      const label = source.columns.length === 1 ? columns.get(String(column)) : undefined;
      return label === undefined ? [] : [[field, label] as const];
    }),
  );
}
