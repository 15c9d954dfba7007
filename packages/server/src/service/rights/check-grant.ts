import type { Dataset } from '@locmetrics/core/domain/dataset';
import { checkGrantTerms, type GrantTerms, matchesPattern } from '@locmetrics/core/domain/grant';
import type { DatasetVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { unknownName } from '@locmetrics/core/errors/unknown-name';
import { mergeMetricRequest } from '@locmetrics/core/plan/merge-filters';
import { expectField } from '@locmetrics/core/plan/plan-fields';
import { planFilters } from '@locmetrics/core/plan/plan-filters';
import { planMetricValues, selectMetricValues } from '@locmetrics/core/plan/plan-metric-values';
import { escapeMarks, isNfc, toNfc } from '@locmetrics/core/text/nfc';
import type { CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';

/**
 * Refuses a grant that does not fit the published data: each dataset and metric that its pattern matches
 * must have the fields, dimensions and components that the grant names. Returns the names of the matching
 * datasets and metrics. The pointers are those of the admin interface.
 */
export function checkGrant(
  grant: GrantTerms,
  { datasets, metrics }: Pick<CatalogSnapshot, 'datasets' | 'metrics'>,
): readonly string[] {
  checkGrantTerms(grant);
  const isNamed = ([name]: readonly [string, unknown]) => matchesPattern(grant.pattern, name);
  const namedDatasets = [...datasets].filter(isNamed);
  const namedMetrics = [...metrics].filter(isNamed);
  for (const [, version] of namedDatasets) {
    checkDatasetParts(grant, version);
    for (const [index, name] of (grant.fields ?? []).entries()) {
      checkDatasetField(name, version, `/fields/${index}`);
    }
  }
  for (const [, version] of namedMetrics) {
    checkMetricParts(grant, version);
    for (const [index, name] of (grant.fields ?? []).entries()) {
      checkMetricField(name, version, `/fields/${index}`);
    }
    checkMainMeasure(grant, version);
  }
  return [...namedDatasets, ...namedMetrics].map(([name]) => name);
}

/** Refuses filters that a dataset does not have the fields for. */
export function checkDatasetParts({ filters }: GrantTerms, { dataset }: DatasetVersion): void {
  planFilters(filters, dataset);
  checkForm('/filters', filterTexts(filters), dataset);
}

/** Refuses a field that a dataset does not have. */
export function checkDatasetField(
  name: string,
  { dataset }: DatasetVersion,
  pointer: string,
): void {
  expectField(name, dataset, pointer);
}

/** Refuses filters and lists that a metric does not have the fields, dimensions or components for. */
export function checkMetricParts(grant: GrantTerms, version: MetricVersion): void {
  planFilters(grant.filters, version.values.dataset);
  checkLens(grant, version);
  const { lens } = grant;
  const { values, layer, relatedLayer } = version;
  checkForm('/filters', filterTexts(grant.filters), values.dataset);
  checkForm('/lens', listedTexts(lens.dimensions), values.dataset);
  const ofFeatures = [...listedTexts(lens.addressComponents), ...lens.features];
  checkForm('/lens', ofFeatures, layer.features.dataset);
  if (relatedLayer === undefined) return;
  const ofRelated = [...listedTexts(lens.relatedAddressComponents), ...lens.relatedFeatures];
  checkForm('/lens', ofRelated, relatedLayer.features.dataset);
}

function filterTexts(filters: GrantTerms['filters']): readonly string[] {
  return filters
    .flatMap(({ value, values = [] }) => [value, ...values])
    .filter((value) => typeof value === 'string');
}

function listedTexts(lists: readonly { readonly values: readonly string[] }[]): readonly string[] {
  return lists.flatMap(({ values }) => values);
}

/** Refuses a text that no record can have, because the dataset writes all texts in NFC. */
function checkForm(pointer: string, texts: readonly string[], { name, normalise }: Dataset): void {
  const other = normalise === undefined ? undefined : texts.find((text) => !isNfc(text));
  if (other === undefined) return;
  throw ServiceError.atPointer(
    'INVALID_GRANT',
    pointer,
    `'${escapeMarks(other)}' is not in NFC, the composed form of Unicode, in which '${name}' publishes all texts.`,
    `Write '${toNfc(other)}' in NFC.`,
  );
}

/** A lens is checked as a request for the metric, because both have the same members. */
function checkLens({ lens }: GrantTerms, version: MetricVersion): void {
  const { catalogId, metricId } = version.metric;
  const request = {
    catalogId,
    metricId,
    billingContext: '',
    trackTotalHits: false,
    observationPeriodFilter: lens.period,
    dimensionFilter: lens.dimensions,
    addressComponentFilter: lens.addressComponents,
    featureFilter: lens.features,
    relatedAddressComponentFilter: lens.relatedAddressComponents,
    relatedFeatureFilter: lens.relatedFeatures,
    valueFilter: [],
    invertSortOrder: false,
    bestEffortQueryWhenNotAllowed: false,
    pageSize: 0,
    pageToken: '',
    asOf: '',
    countOnly: false,
    addressComponentWhitelist: [],
    skipGeo: false,
  };
  const selection = selectMetricValues(mergeMetricRequest(request), version);
  planMetricValues(selection, { token: undefined, isWhole: false });
}

/** Refuses a name that neither the metric nor one of its layers has. */
export function checkMetricField(name: string, version: MetricVersion, pointer: string): void {
  const known = grantableNames(version);
  if (known.includes(name)) return;
  const { catalogId, metricId } = version.metric;
  throw unknownName('UNKNOWN_FIELD', pointer, {
    noun: 'value, dimension, flag or component',
    owner: `the metric '${catalogId}/${metricId}'`,
    name,
    known,
  });
}

/** Refuses fields without the main value of a metric. */
export function checkMainMeasure({ fields, pattern }: GrantTerms, { metric }: MetricVersion): void {
  const [main] = metric.measures;
  if (fields === undefined || main === undefined || fields.includes(main.name)) return;
  throw ServiceError.atPointer(
    'INVALID_GRANT',
    '/fields',
    `The grant of '${pattern}' leaves out '${main.name}', the main value of '${metric.catalogId}/${metric.metricId}'.`,
    `Add '${main.name}'; the metric is hidden without it.`,
  );
}

/** The names that the fields of a grant may use for a metric; a component may belong to either layer. */
export function grantableNames({ metric, layer, relatedLayer }: MetricVersion): readonly string[] {
  const layers = relatedLayer === undefined ? [layer] : [layer, relatedLayer];
  return [
    ...new Set([
      ...metric.measures.map(({ name }) => name),
      ...metric.dimensions.map(({ dimensionId }) => dimensionId),
      ...metric.flags.map(({ flag }) => flag),
      ...layers.flatMap((one) => one.layer.addressComponents.map(({ component }) => component)),
    ]),
  ];
}
