import type { Field } from '../domain/field.ts';
import type { Predicate } from '../domain/predicate.ts';
import type { LayerVersion } from '../domain/version.ts';
import { roleField } from './role-fields.ts';

/**
 * Unites the views of a layer through several metrics of the same caller: the features that any of them
 * shows, with the components that all of them show.
 */
export function uniteLayers(first: LayerVersion, others: readonly LayerVersion[]): LayerVersion {
  if (others.length === 0) return first;
  const all = [first, ...others];
  const addressComponents = first.layer.addressComponents.filter(({ component }) =>
    others.every(({ layer }) =>
      layer.addressComponents.some((other) => other.component === component),
    ),
  );
  return { layer: { ...first.layer, addressComponents }, features: uniteFeatures(all, first) };
}

function uniteFeatures(
  all: readonly LayerVersion[],
  { features }: LayerVersion,
): LayerVersion['features'] {
  const isWhole = (one: LayerVersion): boolean =>
    (one.features.narrowing?.predicates ?? []).length === 0;
  const whole = all.find(isWhole);
  if (whole !== undefined) return whole.features;
  const alternatives = all.map((one) => [isFeatureOf(one)]);
  return {
    ...features,
    narrowing: {
      suppressed: withheldInAny(all),
      predicates: [{ kind: 'any', alternatives }],
    },
  };
}

/** Each view is queried separately, because a value suppressed in one view can decide in another. */
function isFeatureOf({ layer, features }: LayerVersion): Predicate {
  const id = roleField(features.dataset, layer.featureId);
  return { kind: 'feature', field: id, features: { version: features, id, predicates: [] } };
}

/** Each suppressed field once, with its highest threshold. */
function withheldInAny(all: readonly LayerVersion[]): readonly Field[] {
  const most = new Map<string, Field>();
  for (const field of all.flatMap((one) => one.features.narrowing?.suppressed ?? [])) {
    const { suppressBelow = 0 } = most.get(field.name) ?? field;
    if ((field.suppressBelow ?? 0) >= suppressBelow) most.set(field.name, field);
  }
  return [...most.values()];
}
