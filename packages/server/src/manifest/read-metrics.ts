import type { FieldType } from '../domain/field.ts';
import {
  type AddressComponentFilter,
  type Dimension,
  type Measure,
  type Metric,
  metricName,
  type ValueKind,
} from '../domain/metric.ts';
import { checkColumns } from './check-columns.ts';
import { declaredNameHint } from './declared-name-hint.ts';
import { dimensionStatements } from './dimension-statements.ts';
import { expectDataset } from './expect-dataset.ts';
import { expectField, type FieldScope } from './expect-field.ts';
import { findDisagreements } from './find-disagreements.ts';
import type { Report } from './manifest-report.ts';
import type { ManifestDocument } from './manifest-schema.ts';
import type { MeasureDocument, MetricDocument } from './metric-schema.ts';
import { readDefaultFilters } from './read-default-filters.ts';
import { readDimensions } from './read-dimensions.ts';
import type { DeclaredLayer } from './read-layers.ts';
import { readMetricPeriod } from './read-metric-period.ts';

/** A metric and the dataset of its values. */
type DeclaredMetric = { readonly datasetName: string; readonly metric: Metric };

/** The metrics of a manifest; those whose dataset does not exist are left out and reported. */
export function readMetrics(
  document: ManifestDocument,
  layers: readonly DeclaredLayer[],
  report: Report,
): readonly DeclaredMetric[] {
  const metrics: DeclaredMetric[] = [];
  for (const [name, declared] of Object.entries(document.metrics ?? {})) {
    const at = ['metrics', name];
    expectLayer(declared.layer, document, [...at, 'layer'], report);
    if (declared.related !== undefined) {
      expectLayer(declared.related.layer, document, [...at, 'related', 'layer'], report);
    }
    checkMeasureNames(declared, at, report);
    const layer = layers.find((known) => known.layer.id === declared.layer);
    const defaultFilters = readDefaultFilters({ declared, document, layer, at, report });
    const dataset = expectDataset(declared.dataset, document, at, report);
    if (dataset === undefined) continue;
    const scope: FieldScope = { fields: dataset.fields, datasetName: declared.dataset, report };
    checkFields(declared, scope, at);
    const period = readMetricPeriod({ declared, dataset, scope, at });
    const dimensions = readDimensions(declared, scope, at);
    if (period === undefined) continue;
    const metric = toMetric({ name, declared, period, dimensions, defaultFilters });
    const relatedLayer = layers.find((known) => known.layer.id === declared.related?.layer);
    checkColumns(metric, { layer: layer?.layer, relatedLayer: relatedLayer?.layer }, at, report);
    metrics.push({ datasetName: declared.dataset, metric });
  }
  checkAgreement(metrics, report);
  return metrics;
}

function expectLayer(
  id: string,
  document: ManifestDocument,
  at: readonly string[],
  report: Report,
): void {
  const known = Object.keys(document.layers ?? {});
  if (known.includes(id)) return;
  report(at, `The manifest declares no layer '${id}'.`, declaredNameHint(id, 'layers', known));
}

/** The measures with the keys of their paths, the main one first. */
function listMeasures({ measure, supporting_values = [] }: MetricDocument): readonly {
  readonly part: MeasureDocument;
  readonly keys: readonly string[];
}[] {
  return [
    { part: measure, keys: ['measure'] },
    ...supporting_values.map((part, index) => ({
      part,
      keys: ['supporting_values', String(index)],
    })),
  ];
}

function checkMeasureNames(declared: MetricDocument, at: readonly string[], report: Report): void {
  const seen = new Set<string>();
  for (const { part, keys } of listMeasures(declared)) {
    if (seen.has(part.name)) {
      report(
        [...at, ...keys, 'name'],
        `Another measure of the metric has the name '${part.name}'.`,
        'Callers distinguish measures by their names.',
      );
    }
    seen.add(part.name);
  }
}

const TYPES_OF_KIND: Readonly<Record<ValueKind, readonly FieldType[]>> = {
  number: ['float', 'integer'],
  count: ['integer'],
  category: ['string'],
};

function checkFields(declared: MetricDocument, scope: FieldScope, at: readonly string[]): void {
  expectField(scope, declared.feature_id, { types: ['string'], at: [...at, 'feature_id'] });
  if (declared.related !== undefined) {
    const keys = [...at, 'related', 'feature_id'];
    expectField(scope, declared.related.feature_id, { types: ['string'], at: keys });
  }
  for (const { part, keys } of listMeasures(declared)) {
    expectField(scope, part.field, {
      types: TYPES_OF_KIND[part.kind],
      because: `the kind is ${part.kind}`,
      at: [...at, ...keys, 'field'],
    });
  }
  for (const [flag, field] of Object.entries(declared.flags ?? {})) {
    expectField(scope, field, { types: ['boolean'], at: [...at, 'flags', flag] });
  }
}

function toMetric({
  name,
  declared,
  period,
  dimensions,
  defaultFilters,
}: {
  /** `catalog_id/metric_id`. */
  readonly name: string;
  readonly declared: MetricDocument;
  readonly period: Metric['period'];
  readonly dimensions: readonly Dimension[];
  readonly defaultFilters: readonly AddressComponentFilter[];
}): Metric {
  const slash = name.indexOf('/');
  const [catalogId, metricId] = [name.slice(0, slash), name.slice(slash + 1)];
  const { related } = declared;
  return {
    catalogId,
    metricId,
    displayName: declared.display_name ?? metricId,
    description: declared.description ?? '',
    layerId: declared.layer,
    featureId: declared.feature_id,
    ...(related === undefined
      ? {}
      : {
          related: {
            layerId: related.layer,
            featureId: related.feature_id,
            relationType: related.relation_type ?? 'origin-destination',
          },
        }),
    cadence: declared.cadence,
    period,
    measures: listMeasures(declared).map(({ part }) => toMeasure(part)),
    dimensions,
    defaultFilters,
    flags: Object.entries(declared.flags ?? {}).map(([flag, field]) => ({ flag, field })),
    lifecycleStage: declared.lifecycle_stage ?? 'stable',
    releaseNotes: declared.release_notes ?? '',
  };
}

function toMeasure(declared: MeasureDocument): Measure {
  return {
    name: declared.name,
    field: declared.field,
    kind: declared.kind,
    unit: declared.unit ?? '',
    displayName: declared.display_name ?? declared.name,
    description: declared.description ?? '',
    isNullable: declared.nullable ?? true,
  };
}

/** A catalog lists a dimension once, so its metrics must define it alike. */
function checkAgreement(metrics: readonly DeclaredMetric[], report: Report): void {
  const byCatalog = Map.groupBy(metrics, ({ metric }) => metric.catalogId);
  for (const declared of byCatalog.values()) {
    const statements = declared.flatMap(({ metric }) => dimensionStatements(metric));
    for (const { name, key, first, second } of findDisagreements(statements)) {
      report(
        ['metrics', metricName(second.owner), 'dimensions', name, key],
        `The ${key} of '${name}' is '${second.value}' here, but '${first.value}' in the metric '${metricName(first.owner)}'.`,
        'A catalog shows a dimension once: say the same in both.',
      );
    }
  }
}
