import { create } from '@bufbuild/protobuf';
import { mapsV1 } from '@locmetrics/contract/grpc';
import type { AddressComponent, ComponentKind } from '../domain/layer.ts';
import type { LayerVersion } from '../domain/version.ts';

/** A layer of a catalog. */
export function toLayerMessage(catalogId: string, { layer, features }: LayerVersion): mapsV1.Layer {
  return create(mapsV1.LayerSchema, {
    id: layer.id,
    catalogId,
    addressComponents: layer.addressComponents.map((component) =>
      toAddressComponentMessage(catalogId, component),
    ),
    displayName: layer.displayName,
    description: layer.description,
    layerKind: mapsV1.LayerKind.INDEXED,
    spec: {
      catalogId,
      addressComponents: layer.addressComponents.map(({ component }) => ({
        component,
        allowEmptyValues: true,
      })),
      featureDisplayName: layer.featureDisplayName,
      attribution: layer.attribution,
      version: features.version,
    },
  });
}

/** An address component of a catalog. */
export function toAddressComponentMessage(
  catalogId: string,
  { component, kind, mapLayerId, shortName, displayName, description }: AddressComponent,
): mapsV1.AddressComponent {
  return create(mapsV1.AddressComponentSchema, {
    component,
    catalogId,
    kind: COMPONENT_KIND_OF[kind],
    mapLayerId,
    shortName,
    displayName,
    description,
  });
}

const COMPONENT_KIND_OF: Readonly<Record<ComponentKind, mapsV1.ComponentKind>> = {
  free_form: mapsV1.ComponentKind.FREE_FORM_UNSPECIFIED,
  map: mapsV1.ComponentKind.MAP,
  taxonomy: mapsV1.ComponentKind.TAXONOMY,
  count: mapsV1.ComponentKind.COUNT,
};
