import type { Grant } from '../domain/grant.ts';
import type { Layer } from '../domain/layer.ts';
import type { AddressComponentFilter, Measure, Metric } from '../domain/metric.ts';
import type { Narrowing, Predicate } from '../domain/predicate.ts';
import type { DatasetVersion, LayerVersion, MetricVersion } from '../domain/version.ts';
import { hasMark, markOf, WITHHELD_FLAG } from '../domain/withheld-mark.ts';
import { ServiceError } from '../errors/service-error.ts';
import { addDimensionDefaults } from './applied-filters.ts';
import { mergeComponents, mergeDimensions } from './merge-filters.ts';
import { periodDays } from './metric-template.ts';
import { type CurrentVersions, isGranted, narrow, smallCells } from './narrow-dataset.ts';
import { planComponentFilters, planFeatureIds } from './plan-feature-filters.ts';
import { planGrantFilters } from './plan-grant-filters.ts';
import { isOwnLayer } from './plan-layer.ts';
import { planDimensionFilters, planPeriodFilter } from './plan-metric-filters.ts';
import { roleField } from './role-fields.ts';

/**
 * Narrows a metric to the part that a grant makes visible: its values, and the features of its layers.
 * Throws a ServiceError if the grant does not fit the metric.
 *
 * A feature is visible if it passes the grant's filters on components and features and, if the grant
 * filters records, if a visible record has it. Filters on the period and on dimensions, and the default
 * filters of the metric, exclude values, not features. That includes a default filter on a hidden
 * component: a list of features shortened by it would reveal the hidden component of each feature that
 * the caller knows from elsewhere, even of features without values.
 */
export function narrowMetric(
  version: MetricVersion,
  grant: Grant,
  current: CurrentVersions,
): MetricVersion {
  const { values, layer, relatedLayer } = version;
  const { lens } = grant;
  const { metric, hiddenDimensions, hiddenDefaults } = seeNames(version, grant, current);
  const { featureId, related } = metric;
  const narrowTo = (part: DatasetVersion, predicates: Narrowing['predicates']): DatasetVersion =>
    narrow(part, { suppressed: smallCells(part.dataset, grant, current), predicates });
  /** Values whose feature matches the predicates. */
  const hasFeature = (of: LayerVersion, idName: string, predicates: readonly Predicate[]) =>
    hasOneOf(roleField(values.dataset, idName), {
      version: narrowTo(of.features, []),
      idName: of.layer.featureId,
      predicates,
    });
  /** The layer with the features that match the predicates and have a visible record. */
  const seeLayer = (
    of: LayerVersion,
    idName: string,
    predicates: readonly Predicate[],
  ): LayerVersion => {
    const id = roleField(of.features.dataset, of.layer.featureId);
    const records = { version: narrowTo(values, []), idName, predicates: ofRecords };
    return {
      layer: seeComponents(of.layer, grant),
      features: narrowTo(of.features, [...predicates, ...hasOneOf(id, records)]),
    };
  };
  const ofRecords = planGrantFilters(grant.filters, values.dataset);
  const ofFeatures = [
    ...planComponentFilters(mergeComponents(lens.addressComponents), layer, '/addressComponents'),
    ...planFeatureIds(lens.features, layer, '/features'),
  ];
  const ofFeaturesWithValues = [
    ...ofFeatures,
    ...planComponentFilters(mergeComponents(hiddenDefaults), layer, '/addressComponents'),
  ];
  const ofRelated = planRelated(version, grant);
  const isOwn = isOwnLayer(version);
  return {
    ...version,
    metric,
    values: narrowTo(values, [
      ...ofRecords,
      ...planPeriodFilter(lens.period, periodDays(version)),
      ...planDimensionFilters(mergeDimensions(lens.dimensions), version.metric, values.dataset),
      ...planDimensionFilters(
        addDimensionDefaults({ sent: [], merged: [] }, hiddenDimensions),
        hiddenDimensions,
        values.dataset,
      ),
      // If the values are the features themselves, a filter on one is a filter on the other.
      ...(isOwn ? ofFeaturesWithValues : hasFeature(layer, featureId, ofFeaturesWithValues)),
      ...(relatedLayer === undefined || related === undefined
        ? []
        : hasFeature(relatedLayer, related.featureId, ofRelated)),
    ]),
    layer: seeLayer(layer, featureId, ofFeatures),
    relatedLayer: relatedLayer && related && seeLayer(relatedLayer, related.featureId, ofRelated),
    grant,
  };
}

/** The measures, dimensions and default filters of the grant, and the hidden defaults that still apply. */
function seeNames({ metric, values }: MetricVersion, grant: Grant, current: CurrentVersions) {
  const isSeen = (name: string): boolean => isGranted(grant, name);
  const [main] = metric.measures;
  if (main !== undefined && !isSeen(main.name)) {
    throw new ServiceError(
      'UNKNOWN_MEASURE',
      `The fields of the grant do not include '${main.name}', the main value of the metric '${metric.metricId}'.`,
      { hint: `Grant '${main.name}' too.` },
    );
  }
  // A list of the grant without the default replaces it: both together would leave nothing.
  const dimensions = metric.dimensions.map((dimension) => {
    const { dimensionId, defaultValue } = dimension;
    const lists = grant.lens.dimensions.filter((filter) => filter.dimensionId === dimensionId);
    const isLeftOut =
      lists.length > 0 && !lists.some(({ values }) => values.includes(defaultValue));
    return isLeftOut ? { ...dimension, defaultValue: '' } : dimension;
  });
  const hiddenDimensions: Metric = {
    ...metric,
    dimensions: dimensions.filter(({ dimensionId }) => !isSeen(dimensionId)),
  };
  // A value that can be suppressed can be absent.
  const suppressed = smallCells(values.dataset, grant, current);
  const withheld = suppressed.map(({ name }) => name);
  const toSeen = (measure: Measure): Measure =>
    withheld.includes(measure.field) ? { ...measure, isNullable: true } : measure;
  const measures = metric.measures.filter(({ name }) => isSeen(name)).map(toSeen);
  const marks = measures.flatMap(({ name, field }) => {
    const marked = suppressed.find((one) => one.name === field && hasMark(one));
    if (marked === undefined) return [];
    const mark = markOf(marked).name;
    return [
      { flag: WITHHELD_FLAG, field: mark },
      // With several measures, a flag for each says of which.
      ...(measures.length === 1 ? [] : [{ flag: `${WITHHELD_FLAG}_${name}`, field: mark }]),
    ];
  });
  return {
    metric: {
      ...metric,
      measures,
      dimensions: dimensions.filter(({ dimensionId }) => isSeen(dimensionId)),
      flags: [...metric.flags.filter(({ flag }) => isSeen(flag)), ...marks],
      defaultFilters: metric.defaultFilters.filter(({ component }) => isSeen(component)),
    },
    hiddenDimensions,
    hiddenDefaults: metric.defaultFilters.filter(
      ({ component }: AddressComponentFilter) => !isSeen(component),
    ),
  };
}

function seeComponents(layer: Layer, grant: Grant): Layer {
  const addressComponents = layer.addressComponents.filter(({ component }) =>
    isGranted(grant, component),
  );
  return { ...layer, addressComponents };
}

function planRelated({ metric, relatedLayer }: MetricVersion, { lens }: Grant) {
  const { relatedAddressComponents, relatedFeatures } = lens;
  if (relatedLayer !== undefined) {
    return [
      ...planComponentFilters(
        mergeComponents(relatedAddressComponents),
        relatedLayer,
        '/relatedAddressComponents',
      ),
      ...planFeatureIds(relatedFeatures, relatedLayer, '/relatedFeatures'),
    ];
  }
  if (relatedAddressComponents.length === 0 && relatedFeatures.length === 0) return [];
  throw new ServiceError(
    'UNSUPPORTED_FILTER',
    `The grant filters by related features, but the metric '${metric.metricId}' has no related layer.`,
    { hint: 'Grant it without filters on related features.' },
  );
}

/** The value of the field is the id of a record of the version that matches the predicates. */
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
