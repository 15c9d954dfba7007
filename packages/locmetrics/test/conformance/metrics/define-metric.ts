import type { Dimension, Measure, Metric, ValueKind } from '@locmetrics/core/domain/metric';

export const CATALOG_ID = 'conformance';

/**
 * A metric whose values have the id of their feature in the field `place` and their period in `day`.
 * A measure and a dimension have their value in the field of their own name. By default, the only measure
 * is `visits`, a count.
 */
export function defineMetric(
  declared: Partial<Omit<Metric, 'measures' | 'dimensions'>> & {
    readonly metricId: string;
    readonly layerId: string;
    /** The measures by their names, the main one first. */
    readonly measures?: Readonly<Record<string, ValueKind | Partial<Measure>>>;
    /** The dimensions by their ids, in the order of publication. */
    readonly dimensions?: Readonly<Record<string, Partial<Dimension>>>;
  },
): Metric {
  const { measures = { visits: 'count' }, dimensions = {}, ...given } = declared;
  return {
    catalogId: CATALOG_ID,
    displayName: declared.metricId,
    description: '',
    featureId: 'place',
    cadence: 'unspecified',
    period: { start: { field: 'day' }, end: { field: 'day' } },
    defaultFilters: [],
    flags: [],
    lifecycleStage: 'stable',
    releaseNotes: '',
    ...given,
    measures: Object.entries(measures).map(([name, measure]) => defineMeasure(name, measure)),
    dimensions: Object.entries(dimensions).map(([id, dimension]) => defineDimension(id, dimension)),
  };
}

function defineMeasure(name: string, declared: ValueKind | Partial<Measure>): Measure {
  return {
    name,
    field: name,
    kind: 'count',
    unit: '',
    displayName: name,
    description: '',
    isNullable: true,
    ...(typeof declared === 'string' ? { kind: declared } : declared),
  };
}

function defineDimension(dimensionId: string, declared: Partial<Dimension>): Dimension {
  return {
    dimensionId,
    displayName: dimensionId,
    description: '',
    fields: { value: dimensionId },
    defaultValue: '',
    completeness: 'relaxed',
    ...declared,
  };
}
