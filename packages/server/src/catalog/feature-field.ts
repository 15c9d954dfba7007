import { type Dataset, findField } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { Layer } from '../domain/layer.ts';
import type { Metric } from '../domain/metric.ts';

/**
 * The field that says which place or area a record is about: that of a metric, else that of a layer,
 * else the first of the key that is no day of the period.
 */
export function findFeatureField({
  dataset,
  layers,
  metrics,
}: {
  readonly dataset: Dataset;
  readonly layers: readonly Layer[];
  readonly metrics: readonly Metric[];
}): Field | undefined {
  const days = [dataset.period?.start, dataset.period?.end];
  const name =
    metrics[0]?.featureId ?? layers[0]?.featureId ?? dataset.key.find((key) => !days.includes(key));
  return name === undefined ? undefined : findField(dataset, name);
}
