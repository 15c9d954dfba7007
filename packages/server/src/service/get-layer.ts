import type { LayerVersion } from '../domain/layer.ts';
import type { GetLayerRequest } from '../domain/metric-request.ts';
import { findLayer } from './find-in-catalog.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** One layer of a catalog, as it is now. */
export function getLayer(
  { catalogFor }: ServiceContext,
  request: GetLayerRequest,
  { caller }: Call,
): LayerVersion {
  return findLayer(catalogFor(caller).snapshot(), request);
}
