import { findField } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import type { Declared } from './manifest.ts';

/**
 * The field with the place or area of a record: the feature id of a metric, else of a layer, else the
 * first key field that is not a day of the period.
 */
export function findFeatureField({ dataset, layers, metrics }: Declared): Field | undefined {
  const days = [dataset.period?.start, dataset.period?.end];
  const name =
    metrics[0]?.featureId ?? layers[0]?.featureId ?? dataset.key.find((key) => !days.includes(key));
  return name === undefined ? undefined : findField(dataset, name);
}
