import type { AddressComponent } from '@locmetrics/core/domain/layer';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import type { GetLayerRequest } from '@locmetrics/core/requests/metric-request';
import { catalogIds, findLayer, layersOf } from '../find-in-catalog.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** The current version of one layer of a catalog. */
export function getLayer(
  { catalogFor }: ServiceContext,
  request: GetLayerRequest,
  { caller }: Call,
): LayerVersion {
  return findLayer(catalogFor(caller).snapshot(), request);
}

/** An address component of a catalog; one or more of its layers have it. */
type CatalogComponent = {
  readonly catalogId: string;
  readonly component: AddressComponent;
};

/** The address components of all catalogs, each once in a catalog. */
export function listAddressComponents(
  { catalogFor }: ServiceContext,
  { caller }: Call,
): readonly CatalogComponent[] {
  const snapshot = catalogFor(caller).snapshot();
  return catalogIds(snapshot).flatMap((catalogId) => {
    const components = new Map<string, AddressComponent>();
    for (const { layer } of layersOf(snapshot, catalogId)) {
      for (const component of layer.addressComponents) {
        if (!components.has(component.component)) components.set(component.component, component);
      }
    }
    return [...components.values()].map((component) => ({ catalogId, component }));
  });
}
