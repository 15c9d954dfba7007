import type { AppliedFilters, Metric, MetricValuesRequest } from '@locmetrics/client';
import { componentName } from './filter-controls.tsx';
import styles from './metric.module.css';

/** The filters that the service applied though the request has none: defaults of the metric, and those of a grant. */
export function AppliedDefaults({
  metric,
  request,
  applied,
}: {
  readonly metric: Metric;
  readonly request: MetricValuesRequest;
  readonly applied: AppliedFilters;
}) {
  const asked = new Set([
    ...(request.addressComponentFilter ?? []).map(({ component }) => component),
    ...(request.dimensionFilter ?? []).map(({ dimensionId }) => dimensionId),
  ]);
  const components = applied.addressComponentFiltersList
    .filter(({ component }) => !asked.has(component))
    .map(({ component, valuesList }) => ({
      name: componentName(metric.layer?.addressComponentsList ?? [], component),
      values: valuesList,
    }));
  const dimensions = applied.dimensionFiltersList
    .filter(({ dimensionId }) => !asked.has(dimensionId))
    .map(({ dimensionId, valuesList }) => ({
      name:
        metric.dimensionsList.find((one) => one.dimensionId === dimensionId)?.displayName ||
        dimensionId,
      values: valuesList,
    }));
  const filters = [...components, ...dimensions];
  if (filters.length === 0) return null;
  return (
    <p className={styles.hint}>
      Always applied:{' '}
      {filters
        .map(({ name, values }) => `${name} is ${values.map((one) => one || 'empty').join(' or ')}`)
        .join('; ')}
      .
    </p>
  );
}
