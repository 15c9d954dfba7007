import type { Layer } from '../domain/layer.ts';
import type { Statement } from './find-disagreements.ts';

/** What a layer says of its components, in the keys of the manifest. */
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
