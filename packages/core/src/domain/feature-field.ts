import { findField } from './dataset.ts';
import type { Field } from './field.ts';
import type { DatasetVersion } from './version.ts';

const FEATURE_ID = 'feature.feature_id.value';

/**
 * The field with the place or area of a record: the feature id of a metric, else of a layer, else the field with the
 * source of a feature id, else the first key field that is neither a day of the period nor a time of day. Undefined if it is not visible.
 */
export function findFeatureField({
  dataset,
  layers,
  metrics,
}: Pick<DatasetVersion, 'dataset' | 'layers' | 'metrics'>): Field | undefined {
  const days = [dataset.period?.start, dataset.period?.end];
  const name =
    metrics[0]?.featureId ??
    layers[0]?.featureId ??
    dataset.fields.find(({ sourceColumn }) => sourceColumn === FEATURE_ID)?.name ??
    dataset.key.find((key) => !days.includes(key) && !TIME_NAME.test(key));
  return name === undefined ? undefined : findField(dataset, name);
}

const TIME_NAME = /^(hour|hours|hour_of_day|time|time_of_day|minute|weekday|day_of_week)$/;
