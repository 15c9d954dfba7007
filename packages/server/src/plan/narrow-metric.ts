import type { DatasetVersion, Narrowing } from '../domain/dataset.ts';
import type { Grant } from '../domain/grant.ts';
import type { LayerVersion } from '../domain/layer.ts';
import type { AddressComponentFilter, Measure, Metric, MetricVersion } from '../domain/metric.ts';
import type { Predicate } from '../domain/predicate.ts';
import { ServiceError } from '../domain/service-error.ts';
import { isGranted, narrow, smallCells } from './narrow-dataset.ts';
import { planComponentFilters, planFeatureIds } from './plan-feature-filters.ts';
import { planFilters } from './plan-filters.ts';
import { isOwnLayer } from './plan-layer.ts';
import { planDimensionFilters, planPeriodFilter } from './plan-metric-filters.ts';
import { periodDays } from './plan-metric-values.ts';
import { roleField } from './role-fields.ts';

/**
 * A metric as it is seen through a grant: its values, and the features of its layers. Throws a
 * ServiceError for a grant that does not fit the metric.
 *
 * A feature is seen when the filters on components and features let it through and, where the grant
 * filters records, when a record that is left has it: filters on the period and on dimensions leave
 * out values, not places.
 */
export function narrowMetric(version: MetricVersion, grant: Grant): MetricVersion {
  const { values, layer, relatedLayer } = version;
  const { lens } = grant;
  const { metric, hiddenDimensions, hiddenDefaults } = seeNames(version, grant);
  const ofRecords = planFilters(grant.filters, values.dataset);
  const ofFeatures = [
    ...planComponentFilters(lens.addressComponents, layer, '/addressComponents'),
    ...planComponentFilters(hiddenDefaults, layer, '/addressComponents'),
    ...planFeatureIds(lens.features, layer, '/features'),
  ];
  const ofValues = [
    ...ofRecords,
    ...planPeriodFilter(lens.period, periodDays(version)),
    ...planDimensionFilters(lens.dimensions, withoutDefaults(version.metric), values.dataset),
    ...planDimensionFilters([], hiddenDimensions, values.dataset),
  ];
  const seen = seeLayer(layer, grant);
  if (isOwnLayer(version)) {
    return {
      ...version,
      metric,
      values: narrowVersion(values, grant, [...ofValues, ...ofFeatures]),
      layer: { ...seen, features: narrowVersion(values, grant, [...ofRecords, ...ofFeatures]) },
      grant,
    };
  }
  const ofRelated = planRelated(version, grant);
  const source = narrowVersion(values, grant, []);
  const narrowLayer = (
    { layer: declared, features }: LayerVersion,
    predicates: readonly Predicate[],
    featureId: string,
  ): DatasetVersion => {
    const id = roleField(features.dataset, declared.featureId);
    const hasRecord = hasOneOf(id, { version: source, idName: featureId, predicates: ofRecords });
    return narrowVersion(features, grant, [...predicates, ...hasRecord]);
  };
  const hasFeature = (
    { layer: declared, features }: LayerVersion,
    predicates: readonly Predicate[],
    featureId: string,
  ): readonly Predicate[] =>
    hasOneOf(roleField(values.dataset, featureId), {
      version: narrowVersion(features, grant, []),
      idName: declared.featureId,
      predicates,
    });
  const { featureId, related } = metric;
  const isRelated = relatedLayer !== undefined && related !== undefined;
  return {
    ...version,
    metric,
    values: narrowVersion(values, grant, [
      ...ofValues,
      ...hasFeature(layer, ofFeatures, featureId),
      ...(isRelated ? hasFeature(relatedLayer, ofRelated, related.featureId) : []),
    ]),
    layer: { ...seen, features: narrowLayer(layer, ofFeatures, featureId) },
    ...(isRelated
      ? {
          relatedLayer: {
            ...seeLayer(relatedLayer, grant),
            features: narrowLayer(relatedLayer, ofRelated, related.featureId),
          },
        }
      : {}),
    grant,
  };
}

/** The measures, dimensions and default filters of the grant, and what of the others holds on. */
function seeNames({ metric, values }: MetricVersion, grant: Grant) {
  const isSeen = (name: string): boolean => isGranted(grant, name);
  const [main] = metric.measures;
  if (main !== undefined && !isSeen(main.name)) {
    throw new ServiceError(
      'UNKNOWN_MEASURE',
      `The fields of the grant are without '${main.name}', the main value of the metric '${metric.metricId}'.`,
      { hint: `Grant '${main.name}' too.` },
    );
  }
  const hiddenDimensions: Metric = {
    ...metric,
    dimensions: metric.dimensions.filter(({ dimensionId }) => !isSeen(dimensionId)),
  };
  // A value that may be withheld may be absent.
  const withheld = smallCells(values.dataset, grant).map(({ name }) => name);
  const toSeen = (measure: Measure): Measure =>
    withheld.includes(measure.field) ? { ...measure, isNullable: true } : measure;
  return {
    metric: {
      ...metric,
      measures: metric.measures.filter(({ name }) => isSeen(name)).map(toSeen),
      dimensions: metric.dimensions.filter(({ dimensionId }) => isSeen(dimensionId)),
      defaultFilters: metric.defaultFilters.filter(({ component }) => isSeen(component)),
    },
    hiddenDimensions,
    hiddenDefaults: metric.defaultFilters.filter(
      ({ component }: AddressComponentFilter) => !isSeen(component),
    ),
  };
}

function seeLayer({ layer, features }: LayerVersion, grant: Grant): LayerVersion {
  const addressComponents = layer.addressComponents.filter(({ component }) =>
    isGranted(grant, component),
  );
  return { layer: { ...layer, addressComponents }, features };
}

function planRelated({ metric, relatedLayer }: MetricVersion, { lens }: Grant) {
  const { relatedAddressComponents, relatedFeatures } = lens;
  if (relatedLayer !== undefined) {
    return [
      ...planComponentFilters(relatedAddressComponents, relatedLayer, '/relatedAddressComponents'),
      ...planFeatureIds(relatedFeatures, relatedLayer, '/relatedFeatures'),
    ];
  }
  if (relatedAddressComponents.length === 0 && relatedFeatures.length === 0) return [];
  throw new ServiceError(
    'UNSUPPORTED_FILTER',
    `The metric '${metric.metricId}' has no related layer, which the grant filters by.`,
    { hint: 'Grant it without filters on related features.' },
  );
}

/** That a record of the version that matches the predicates has the value of the field as its id. */
function hasOneOf(
  field: ReturnType<typeof roleField>,
  {
    version,
    idName,
    predicates,
  }: {
    readonly version: DatasetVersion;
    readonly idName: string;
    readonly predicates: readonly Predicate[];
  },
): readonly Predicate[] {
  if (predicates.length === 0) return [];
  const id = roleField(version.dataset, idName);
  return [{ kind: 'feature', field, features: { version, id, predicates } }];
}

function narrowVersion(
  version: DatasetVersion,
  grant: Grant,
  predicates: Narrowing['predicates'],
): DatasetVersion {
  return narrow(version, { suppressed: smallCells(version.dataset, grant), predicates });
}

/** Of the dimensions that a grant does not name it leaves all values. */
function withoutDefaults(metric: Metric): Metric {
  const dimensions = metric.dimensions.map((dimension) => ({ ...dimension, defaultValue: '' }));
  return { ...metric, dimensions };
}
