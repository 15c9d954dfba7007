import { strict as assert } from 'node:assert';
import type { Feature } from '@locmetrics/core/domain/feature';
import type { Layer } from '@locmetrics/core/domain/layer';
import type { AddressComponentFilter, Metric, PeriodDay } from '@locmetrics/core/domain/metric';
import { compareValues, type Value, valueText } from '@locmetrics/core/domain/value';
import type { MetricQuestion } from '../metrics/ask-metrics.ts';
import type { MetricValue } from '../metrics/metric-value.ts';
import type { SourceRow, Table } from '../table.ts';

/**
 * The expected values of a question, in order. They are computed from the rows by the rules of the interface,
 * without a plan or an engine.
 */
export function readPlainly(
  tables: readonly Table[],
  question: MetricQuestion & { readonly metricId: string },
): readonly MetricValue[] {
  const { metric, rows, key } = findMetric(tables, question.metricId);
  const layer = findLayer(tables, metric.layerId);
  const relatedLayer =
    metric.related === undefined ? undefined : findLayer(tables, metric.related.layerId);
  const found = rows.flatMap((row): readonly Found[] => {
    const feature = layer.rowOf(at(row, metric.featureId));
    const related = relatedLayer?.rowOf(at(row, metric.related?.featureId));
    if (feature === undefined || (relatedLayer !== undefined && related === undefined)) return [];
    const isMeant =
      isValue(row, feature, metric, layer.layer) &&
      isAsked(question, { row, feature, metric, layer: layer.layer }) &&
      (related === undefined ||
        relatedLayer === undefined ||
        isRelatedAsked(question, related, relatedLayer.layer));
    return isMeant ? [{ row, feature, related }] : [];
  });
  const inOrder = [...found].sort((one, other) => compareRows(one.row, other.row, metric, key));
  if (question.invertSortOrder === true) inOrder.reverse();
  return inOrder.map(({ row, feature, related }) => ({
    ...toValue(row, metric),
    feature: toFeature(feature, layer.layer),
    ...(related === undefined || relatedLayer === undefined
      ? {}
      : { relatedFeature: toFeature(related, relatedLayer.layer) }),
  }));
}

type Found = {
  readonly row: SourceRow;
  readonly feature: SourceRow;
  readonly related: SourceRow | undefined;
};

function findMetric(tables: readonly Table[], metricId: string) {
  for (const { version, rows } of tables) {
    const metric = version.metrics.find((known) => known.metricId === metricId);
    if (metric !== undefined) return { metric, rows: rows.map(stored), key: version.dataset.key };
  }
  assert.fail(`There is no metric ${metricId}.`);
}

function findLayer(tables: readonly Table[], id: string) {
  for (const { version, rows } of tables) {
    const layer = version.layers.find((known) => known.id === id);
    if (layer === undefined) continue;
    const byId = new Map(rows.map(stored).map((row) => [at(row, layer.featureId), row]));
    return { layer, rowOf: (featureId: Value) => byId.get(featureId) };
  }
  assert.fail(`There is no layer ${id}.`);
}

/** A blank text is absent, and -0 is 0. */
function stored(row: SourceRow): SourceRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'string' && value.trim() === '') return [name, null];
      return [name, Object.is(value, -0) ? 0 : value];
    }),
  );
}

function at(row: SourceRow, name: string | undefined): Value {
  return name === undefined ? null : (row[name] ?? null);
}

function dayOf(day: PeriodDay, row: SourceRow): string {
  return 'day' in day ? day.day : valueText(at(row, day.field));
}

/** Whether a record is a value of the metric, independent of the question. */
function isValue(row: SourceRow, feature: SourceRow, metric: Metric, layer: Layer): boolean {
  const [start, end] = [dayOf(metric.period.start, row), dayOf(metric.period.end, row)];
  if (start === '' || end === '') return false;
  const opened = valueText(at(feature, layer.existence?.start));
  const closed = valueText(at(feature, layer.existence?.end));
  const existed = (opened === '' || end >= opened) && (closed === '' || closed >= start);
  return existed && hasComponents(feature, metric.defaultFilters, layer);
}

/** For each component, the value must equal one of the values of all filters on it. */
function hasComponents(
  feature: SourceRow,
  filters: readonly AddressComponentFilter[],
  layer: Layer,
): boolean {
  return filters.every(({ component }) => {
    const listed = filters.filter((filter) => filter.component === component);
    const found = layer.addressComponents.find((known) => known.component === component);
    const text = valueText(at(feature, found?.fields.value));
    return listed.some(({ values }) => values.includes(text));
  });
}

function isAsked(
  question: MetricQuestion,
  {
    row,
    feature,
    metric,
    layer,
  }: {
    readonly row: SourceRow;
    readonly feature: SourceRow;
    readonly metric: Metric;
    readonly layer: Layer;
  },
): boolean {
  const { featureFilter: ids = [], observationPeriodFilter: { start, end } = {} } = question;
  return (
    (ids.length === 0 || ids.includes(valueText(at(row, metric.featureId)))) &&
    (start === undefined || dayOf(metric.period.start, row) >= start) &&
    (end === undefined || dayOf(metric.period.end, row) <= end) &&
    hasComponents(feature, question.addressComponentFilter ?? [], layer) &&
    hasDimensions(row, question, metric) &&
    (question.valueFilter ?? []).every(({ valueName, numericValue }) => {
      const measure = metric.measures.find(({ name }) => name === valueName);
      const value = at(row, measure?.field);
      // JavaScript compares a bigint and a number exactly.
      return (typeof value === 'bigint' || typeof value === 'number') && value >= numericValue;
    })
  );
}

function hasDimensions(
  row: SourceRow,
  { dimensionFilter = [] }: MetricQuestion,
  { dimensions }: Metric,
): boolean {
  return dimensions.every(({ dimensionId, fields, defaultValue }) => {
    const listed = dimensionFilter.filter((filter) => filter.dimensionId === dimensionId);
    const values = listed.flatMap((filter) => filter.values);
    const text = valueText(at(row, fields.value));
    if (listed.length > 0) return values.includes(text);
    return defaultValue === '' || text === defaultValue;
  });
}

function isRelatedAsked(
  { relatedFeatureFilter: ids = [], relatedAddressComponentFilter: filters = [] }: MetricQuestion,
  related: SourceRow,
  layer: Layer,
): boolean {
  const isNamed = ids.length === 0 || ids.includes(valueText(at(related, layer.featureId)));
  return isNamed && hasComponents(related, filters, layer);
}

/** The order: feature, start of the period, related feature and dimensions, absent values last, then the key. */
function compareRows(
  one: SourceRow,
  other: SourceRow,
  metric: Metric,
  key: readonly string[],
): number {
  const { start } = metric.period;
  const names = [
    metric.featureId,
    ...('field' in start ? [start.field] : []),
    ...(metric.related === undefined ? [] : [metric.related.featureId]),
    ...metric.dimensions.map(({ fields }) => fields.value),
    ...key,
  ];
  for (const name of names) {
    const [left, right] = [at(one, name), at(other, name)];
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1;
    } else {
      const order = compareValues(left, right);
      if (order !== 0) return order;
    }
  }
  return 0;
}

function toValue(row: SourceRow, metric: Metric): Omit<MetricValue, 'feature' | 'relatedFeature'> {
  return {
    period: { start: dayOf(metric.period.start, row), end: dayOf(metric.period.end, row) },
    measures: metric.measures.map(({ field }) => at(row, field)),
    dimensions: metric.dimensions.map(({ dimensionId, fields }) => ({
      dimensionId,
      value: valueText(at(row, fields.value)),
      displayName: valueText(at(row, fields.displayName) ?? at(row, fields.value)),
    })),
    flags: metric.flags.filter(({ field }) => row[field] === true).map(({ flag }) => flag),
  };
}

function toFeature(row: SourceRow, layer: Layer): Feature {
  const text = (name: string | undefined) => valueText(at(row, name));
  const [latitude, longitude] = [at(row, layer.point?.latitude), at(row, layer.point?.longitude)];
  return {
    layerId: layer.id,
    featureId: text(layer.featureId),
    name: text(layer.name),
    ...(typeof latitude === 'number' && typeof longitude === 'number'
      ? { point: { latitude, longitude } }
      : {}),
    addressComponents: layer.addressComponents.map(({ component, fields }) => ({
      component,
      value: text(fields.value),
      // An absent value has no name.
      shortName: at(row, fields.value) === null ? '' : text(fields.shortName),
      displayName: at(row, fields.value) === null ? '' : text(fields.displayName),
    })),
    cameIntoExistence: text(layer.existence?.start),
    ceasedToExist: text(layer.existence?.end),
  };
}
