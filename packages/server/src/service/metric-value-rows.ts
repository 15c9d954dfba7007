import type { Feature } from '../domain/feature.ts';
import type { Field } from '../domain/field.ts';
import type { Metric } from '../domain/metric.ts';
import type { MetricValue } from '../domain/metric-value.ts';
import { remember } from '../domain/remember.ts';
import { openTurns } from '../domain/turns.ts';
import { type Value, valueText } from '../domain/value.ts';
import type { MetricVersion } from '../domain/version.ts';
import { metricTemplate } from '../plan/metric-template.ts';
import type { Engine } from '../storage/engine.ts';
import { columnReader, featureReader, textReader } from './feature-reader.ts';
import { readFeatures } from './read-features.ts';

type Row = readonly Value[];

/** Converts the rows of a plan to metric values, with their features. */
export async function toMetricValues(
  engine: Engine,
  page: {
    readonly version: MetricVersion;
    readonly rows: readonly Row[];
    /** Features that were queried together with the rows. */
    readonly named: ReadonlyMap<string, Feature> | undefined;
  },
  signal: AbortSignal,
): Promise<readonly MetricValue[]> {
  const { version, rows, named } = page;
  const { layer, relatedLayer } = version;
  const { idOf, relatedIdOf, ownFeature, toValue } = readersOf(version);
  const [features, relatedFeatures] = await Promise.all([
    named ?? readFeatures(engine, layer, ownFeature ? NO_IDS : new Set(rows.map(idOf)), signal),
    relatedLayer && readFeatures(engine, relatedLayer, new Set(rows.map(relatedIdOf)), signal),
  ]);
  const values: MetricValue[] = [];
  const turns = openTurns();
  for (const row of rows) {
    if (turns.isOver()) await turns.next();
    values.push({
      ...toValue(row),
      feature: ownFeature?.(row) ?? expectFeature(features, idOf(row)),
      ...(relatedFeatures && { relatedFeature: expectFeature(relatedFeatures, relatedIdOf(row)) }),
    });
  }
  return values;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** The readers of the rows of a metric. */
const readersOf = remember((version: MetricVersion) => {
  const { metric, layer } = version;
  const { fields, isOwn } = metricTemplate(version);
  return {
    idOf: textReader(fields, metric.featureId),
    relatedIdOf: textReader(fields, metric.related?.featureId),
    /** If the feature is in the same row. */
    ownFeature: isOwn ? featureReader(layer, fields) : undefined,
    toValue: valueReader(metric, fields),
  };
});

/** The plan leaves out values without a feature, so each value has one. */
function expectFeature(features: ReadonlyMap<string, Feature>, id: string): Feature {
  const feature = features.get(id);
  if (feature === undefined) throw new Error('A value was read that has no feature.');
  return feature;
}

/** Converts rows with the values of `fields` to metric values without their features. */
function valueReader(
  metric: Metric,
  fields: readonly Field[],
): (row: Row) => Omit<MetricValue, 'feature' | 'relatedFeature'> {
  const { period, measures, dimensions, flags } = metric;
  const [start, end] = [period.start, period.end].map((day) => {
    if ('day' in day) return () => day.day;
    return textReader(fields, day.field);
  });
  const measureReaders = measures.map(({ field }) => columnReader(fields, field));
  const dimensionReaders = dimensions.map(({ dimensionId, fields: names }) => ({
    dimensionId,
    value: columnReader(fields, names.value),
    displayName: columnReader(fields, names.displayName ?? names.value),
  }));
  const flagReaders = flags.map(({ flag, field }) => ({
    flag,
    isSet: columnReader(fields, field),
  }));
  return (row) => ({
    period: { start: start?.(row) ?? '', end: end?.(row) ?? '' },
    measures: measureReaders.map((read) => read(row)),
    dimensions: dimensionReaders.map(({ dimensionId, value, displayName }) => ({
      dimensionId,
      value: valueText(value(row)),
      // Clients show only the name, so a value without a name is used as its own name.
      displayName: valueText(displayName(row) ?? value(row)),
    })),
    flags: flagReaders.filter(({ isSet }) => isSet(row) === true).map(({ flag }) => flag),
  });
}
