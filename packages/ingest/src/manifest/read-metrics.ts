import type { FieldType } from '@locmetrics/core/domain/field';
import { findAddressComponent } from '@locmetrics/core/domain/layer';
import {
  type AddressComponentFilter,
  type Dimension,
  type Measure,
  type Metric,
  metricName,
  type ValueKind,
} from '@locmetrics/core/domain/metric';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { checkColumns } from './check-columns.ts';
import {
  declaredNameHint,
  expectDataset,
  expectField,
  type FieldScope,
  findDeclared,
  findFieldType,
} from './expect-field.ts';
import { dimensionStatements, findDisagreements } from './find-disagreements.ts';
import type { Report } from './manifest-report.ts';
import type { ManifestDocument } from './manifest-schema.ts';
import type { MeasureDocument, MetricDocument } from './metric-schema.ts';
import { readDimensions } from './read-dimensions.ts';
import type { DeclaredLayer } from './read-layers.ts';
import { readMetricPeriod } from './read-metric-period.ts';
import { readPresentText } from './read-value-text.ts';

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
    const reportMetric = report.at('metrics', name);
    expectLayer(declared.layer, document, reportMetric.at('layer'));
    if (declared.related !== undefined) {
      expectLayer(declared.related.layer, document, reportMetric.at('related', 'layer'));
    }
    checkMeasureNames(declared, reportMetric);
    const layer = layers.find((known) => known.layer.id === declared.layer);
    const defaultFilters = readDefaultFilters({ declared, document, layer, report: reportMetric });
    const dataset = expectDataset(declared.dataset, document, reportMetric);
    if (dataset === undefined) continue;
    const scope: FieldScope = { fields: dataset.fields, datasetName: declared.dataset };
    checkFields(declared, scope, reportMetric);
    const period = readMetricPeriod({ declared, dataset, scope, report: reportMetric });
    const dimensions = readDimensions(declared, scope, reportMetric);
    if (period === undefined) continue;
    const metric = toMetric({ name, declared, period, dimensions, defaultFilters });
    const relatedLayer = layers.find((known) => known.layer.id === declared.related?.layer);
    checkColumns(metric, { layer: layer?.layer, relatedLayer: relatedLayer?.layer }, reportMetric);
    metrics.push({ datasetName: declared.dataset, metric });
  }
  checkAgreement(metrics, report);
  return metrics;
}

function expectLayer(id: string, document: ManifestDocument, report: Report): void {
  const known = Object.keys(document.layers ?? {});
  if (known.includes(id)) return;
  report(`The manifest declares no layer '${id}'.`, declaredNameHint(id, 'layers', known));
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

function checkMeasureNames(declared: MetricDocument, report: Report): void {
  const seen = new Set<string>();
  for (const { part, keys } of listMeasures(declared)) {
    if (seen.has(part.name)) {
      report.at(...keys, 'name')(
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

function checkFields(declared: MetricDocument, scope: FieldScope, report: Report): void {
  expectField(scope, declared.feature_id, { types: ['string'], report: report.at('feature_id') });
  if (declared.related !== undefined) {
    const reportRelated = report.at('related', 'feature_id');
    expectField(scope, declared.related.feature_id, { types: ['string'], report: reportRelated });
  }
  for (const { part, keys } of listMeasures(declared)) {
    expectField(scope, part.field, {
      types: TYPES_OF_KIND[part.kind],
      because: `the kind is ${part.kind}`,
      report: report.at(...keys, 'field'),
    });
  }
  for (const [flag, field] of Object.entries(declared.flags ?? {})) {
    expectField(scope, field, { types: ['boolean'], report: report.at('flags', flag) });
    const marked = listMeasures(declared).find(
      ({ part }) => findDeclared(scope, part.field)?.suppress?.mark === true,
    );
    if (marked === undefined || !/^withheld(?:_|$)/.test(flag)) continue;
    report.at('flags', flag)(
      `The flag '${flag}' would say that a small value is withheld, because the field '${marked.part.field}' has suppress.mark.`,
      'Give this flag another name.',
    );
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
      report.at(
        'metrics',
        metricName(second.owner),
        'dimensions',
        name,
        key,
      )(
        `The ${key} of '${name}' is '${second.value}' here, but '${first.value}' in the metric '${metricName(first.owner)}'.`,
        'A catalog shows each dimension once: write the same text in both.',
      );
    }
  }
}

/** Parses the default filters by the components of the layer; empty if there is no such layer. */
function readDefaultFilters({
  declared,
  document,
  layer,
  report,
}: {
  readonly declared: MetricDocument;
  readonly document: ManifestDocument;
  readonly layer: DeclaredLayer | undefined;
  readonly report: Report;
}): readonly AddressComponentFilter[] {
  if (layer === undefined) return [];
  const { id, addressComponents } = layer.layer;
  const fields = document.datasets[layer.datasetName]?.fields ?? {};
  return Object.entries(declared.default_filters ?? {}).flatMap(([component, given]) => {
    const reportFilter = report.at('default_filters', component);
    const found = findAddressComponent(layer.layer, component);
    if (found === undefined) {
      const known = addressComponents.map((part) => part.component);
      const reason = `The layer '${id}' has no component '${component}'.`;
      reportFilter(reason, nameHint(component, known));
      return [];
    }
    if (found.kind === 'free_form') {
      const reason = `The component '${component}' of the layer '${id}' is free_form, so it cannot be filtered on.`;
      reportFilter(reason, 'Give it another kind there.');
      return [];
    }
    const type = findFieldType(fields, found.fields.value);
    // A field that does not exist is reported with the layer.
    if (type === undefined) return [];
    const values = (Array.isArray(given) ? given : [given]).flatMap((value, index) => {
      const reportValue = Array.isArray(given) ? reportFilter.at(String(index)) : reportFilter;
      return readPresentText({ what: 'value', type, value, report: reportValue }) ?? [];
    });
    return [{ component, values }];
  });
}
