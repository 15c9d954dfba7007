import type { Dataset } from './dataset.ts';
import type { Additivity, Field } from './field.ts';
import type { DatasetVersion } from './version.ts';

/** The additivity of a field as it was declared, else by its type and name. Absent for a field that is not a measure. */
export function additivityOf(field: Field, dataset: Dataset): Additivity | undefined {
  return isMeasure(field, dataset) ? (field.additive ?? defaultAdditivity(field)) : undefined;
}

/** Whether a field has amounts: numbers that do not identify a record or its point. */
function isMeasure({ name, type }: Field, { key, point }: Dataset): boolean {
  const isNumber = type === 'integer' || type === 'float';
  return isNumber && !key.includes(name) && name !== point?.latitude && name !== point?.longitude;
}

/** Integers are counts, unless their name says something else. Floats can be anything, so they need a declaration. */
export function defaultAdditivity({ name, type }: Pick<Field, 'name' | 'type'>): Additivity {
  const isCount =
    type === 'integer' && !MEAN_NAME.test(name) && !DISTINCT_NAME.test(name) && !LABEL.test(name);
  return isCount ? 'all' : 'none';
}

/** A measure of which there is a mean, but no meaningful sum. */
export const MEAN_NAME =
  /(^|_)(temp|temps|temperatures?|tavg|tmin|tmax|rates?|ratios?|shares?|percent|percentage|pct|perc|proportion|average|avg|mean|median|rank|ranking|position|price|prices|cost_per|fare|index|indices|score|rating|stars|density|speed|velocity|humidity|pressure|level|height|depth|elevation|altitude|concentration|pm10|pm25|no2|o3|aqi|age|duration|min|max|minimum|maximum|occupancy|utili[sz]ation|yield|per|std|stddev|variance|quantile|percentiles?|p\d{1,3}|latitude|longitude|lat|lon|lng)($|_)|_per_|temperature|percent|average|median/;

/** A number of different people: the same person can be in several periods and places. */
export const DISTINCT_NAME = /(^|_)(unique|uniques|distinct|visitors?)($|_)/;

/** A number that names something: a part of a date, a code. */
const LABEL =
  /(^|_)(ids?|codes?|zip|fips|nr|no|years?)$|^(quarter|month|week|weekday|day|hour|minute|row|accuracy)$/;

/** The fields whose values tell the period and the place of a record. */
export type Axes = { readonly periods: readonly string[]; readonly places: readonly string[] };

/**
 * The fields that must each have one value for records to be of one period, and of one place. The period is the declared
 * one, as far as it is part of the key; the place is the feature of the metrics or layers, or else the rest of the key.
 */
export function axesOf({
  dataset,
  layers,
  metrics,
}: Pick<DatasetVersion, 'dataset' | 'layers' | 'metrics'>): Axes {
  const { key, fields } = dataset;
  const days = periodFields({ dataset, metrics });
  const keyDays = fields.filter(({ name, type }) => type === 'date' && key.includes(name));
  const found = days.length > 0 ? days : keyDays.map(({ name }) => name);
  const inKey = found.filter((name) => key.includes(name));
  const ids =
    metrics.length > 0
      ? metrics.flatMap(({ featureId, related }) => [featureId, related?.featureId ?? featureId])
      : layers.map(({ featureId }) => featureId);
  return {
    periods: inKey.length > 0 ? inKey : found.slice(0, 1),
    places: ids.length > 0 ? [...new Set(ids)] : key.filter((name) => !found.includes(name)),
  };
}

function periodFields({
  dataset: { period },
  metrics,
}: Pick<DatasetVersion, 'dataset' | 'metrics'>): readonly string[] {
  if (period !== undefined) return [...new Set([period.start, period.end])];
  const days = metrics.flatMap(({ period: { start, end } }) => [start, end]);
  return [...new Set(days.flatMap((day) => ('field' in day ? [day.field] : [])))];
}
