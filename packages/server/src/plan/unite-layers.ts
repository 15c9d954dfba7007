import type { LayerVersion } from '../domain/layer.ts';

/**
 * A layer as it is seen through several metrics of the same caller: the features that one of them
 * shows, with the components that all of them show.
 */
export function uniteLayers(first: LayerVersion, others: readonly LayerVersion[]): LayerVersion {
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
  const alternatives = all.map((one) => one.features.narrowing?.predicates ?? []);
  const whole = alternatives.findIndex((predicates) => predicates.length === 0);
  if (whole !== -1) return all[whole]?.features ?? features;
  const suppressed = all.flatMap((one) => one.features.narrowing?.suppressed ?? []);
  return {
    ...features,
    narrowing: {
      suppressed: [...new Set(suppressed)],
      predicates: [{ kind: 'any', alternatives }],
    },
  };
}
