import type { Layer } from '../domain/layer.ts';
import type { Statement } from './find-disagreements.ts';

/** The definitions of the components of a layer, by the keys of the manifest. */
export function componentStatements(layer: Layer): readonly Statement<Layer>[] {
  return layer.addressComponents.map((part) => ({
    name: part.component,
    owner: layer,
    said: {
      kind: part.kind,
      label: part.shortName,
      title: part.displayName,
      description: part.description,
      map_layer: part.mapLayerId,
    },
  }));
}
