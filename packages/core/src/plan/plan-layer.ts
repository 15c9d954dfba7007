import type { Field } from '../domain/field.ts';
import type { Day, ExistenceOverlap, Predicate } from '../domain/predicate.ts';
import type { LayerVersion, MetricVersion } from '../domain/version.ts';
import { planTextValues } from './plan-text-values.ts';
import { existenceFields, roleField } from './role-fields.ts';

/** The days of the period of a value. */
export type PeriodDays = { readonly start: Day; readonly end: Day };

/** Whether the records of a metric are also the features of its layer. */
export function isOwnLayer({ metric, values, layer }: MetricVersion): boolean {
  return (
    values.dataset.name === layer.features.dataset.name &&
    values.version === layer.features.version &&
    metric.featureId === layer.layer.featureId
  );
}

/**
 * Records whose field has the id of a feature of the layer. The feature must be one of `ids` if any are
 * given, match the predicates on its components, and have existed in the period if one is given.
 * `isMember` means that every record is known to have a feature.
 *
 * A metric is a plan over two versions and not a third copy of the data: a page of records of its dataset, whose
 * features are looked up in the version of its layer. The records that match its default filters are counted once for
 * each version. If all match, later plans need no lookup, and a page in key order is a range of ordinals.
 */
export function planLayer({
  field,
  layer,
  ids,
  components,
  isMember,
  isOwn,
  period,
}: {
  readonly field: Field;
  readonly layer: LayerVersion;
  readonly ids: readonly string[];
  readonly components: readonly Predicate[];
  readonly isMember: boolean;
  readonly isOwn: boolean;
  readonly period?: PeriodDays | undefined;
}): readonly Predicate[] {
  const byId = ids.length === 0 ? [] : [planTextValues(field, ids)];
  const overlap = period === undefined ? undefined : planOverlap(layer, period);
  if (isOwn) {
    const existed: readonly Predicate[] =
      overlap === undefined ? [] : [{ kind: 'existed', overlap }];
    return [...byId, ...components, ...existed];
  }
  if (isMember && components.length === 0 && overlap === undefined) return byId;
  const { dataset } = layer.features;
  const id = roleField(dataset, layer.layer.featureId);
  const feature: Predicate = {
    kind: 'feature',
    field,
    features: {
      version: layer.features,
      id,
      // The ids are repeated, so that only those features are scanned.
      predicates: [...(ids.length === 0 ? [] : [planTextValues(id, ids)]), ...components],
    },
    overlap,
  };
  return [...byId, feature];
}

/** The period overlaps the existence of the feature, if the layer declares one. */
function planOverlap(
  { layer, features }: LayerVersion,
  { start, end }: PeriodDays,
): ExistenceOverlap | undefined {
  if (!hasExistence(layer)) return undefined;
  return {
    periodStart: start,
    periodEnd: end,
    ...existenceFields(features.dataset, layer.existence ?? {}),
  };
}

/** Whether the layer has existence days. */
export function hasExistence({ existence }: LayerVersion['layer']): boolean {
  return existence?.start !== undefined || existence?.end !== undefined;
}
