import type { Licence } from './licence.ts';
import type { MetricVersion } from './version.ts';

/** The licences of metric values: those of the values themselves, then other ones of the features. */
export function licencesOfMetric({
  values,
  layer,
  relatedLayer,
}: Pick<MetricVersion, 'values' | 'layer' | 'relatedLayer'>): readonly Licence[] {
  const versions = [values, layer.features, ...(relatedLayer ? [relatedLayer.features] : [])];
  const byText = new Map<string, Licence>();
  for (const { dataset } of versions) {
    if (dataset.licence !== undefined) byText.set(JSON.stringify(dataset.licence), dataset.licence);
  }
  return [...byText.values()];
}
