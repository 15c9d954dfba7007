import type { Layer } from '@locmetrics/core/domain/layer';
import type { Metric } from '@locmetrics/core/domain/metric';
import type { Report } from './manifest-report.ts';

/** A column, its content, and its place in the metric. */
type Column = { readonly name: string; readonly holds: string; readonly keys: readonly string[] };

/**
 * Refuses names that would become the same column in the published Python client. The client builds a table
 * of the values of a metric with these names as columns, and fails if two are equal.
 */
export function checkColumns(
  metric: Metric,
  layers: { readonly layer: Layer | undefined; readonly relatedLayer: Layer | undefined },
  report: Report,
): void {
  const seen = new Map<string, Column>();
  for (const column of listColumns(metric, layers)) {
    const other = seen.get(column.name);
    if (other === undefined) {
      seen.set(column.name, column);
    } else if (column.holds !== other.holds) {
      report.at(...column.keys)(
        `In the tables that clients make from the values, the column '${column.name}' would hold ${other.holds} and ${column.holds}.`,
        'Choose another name.',
      );
    }
  }
}

function listColumns(
  { measures, dimensions }: Metric,
  {
    layer,
    relatedLayer,
  }: { readonly layer: Layer | undefined; readonly relatedLayer: Layer | undefined },
): readonly Column[] {
  return [
    ...OF_EACH_VALUE.map((name) => ({ name, holds: `the ${name} of each value`, keys: [] })),
    ...componentColumns(layer, '', ['layer']),
    ...componentColumns(relatedLayer, 'related_', ['related', 'layer']),
    ...dimensions.map(({ dimensionId }) => ({
      name: dimensionId,
      holds: `the dimension '${dimensionId}'`,
      keys: ['dimensions', dimensionId],
    })),
    ...measures.map(({ name }, index) => ({
      name,
      holds: `the measure '${name}'`,
      keys: index === 0 ? ['measure', 'name'] : ['supporting_values', String(index - 1), 'name'],
    })),
  ];
}

const OF_EACH_VALUE = ['feature_id', 'observation_start', 'observation_end', 'geo'] as const;

function componentColumns(
  layer: Layer | undefined,
  prefix: string,
  keys: readonly string[],
): readonly Column[] {
  return (layer?.addressComponents ?? []).flatMap(({ component }) =>
    ['id', 'name', 'short_name'].map((part) => ({
      name: `${prefix}${component}_${part}`,
      holds: `the ${part} of the ${prefix === '' ? '' : 'related '}component '${component}'`,
      keys,
    })),
  );
}
