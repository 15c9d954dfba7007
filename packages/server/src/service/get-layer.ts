import type { LayerVersion } from '../domain/layer.ts';
import type { GetLayerRequest } from '../domain/metric-request.ts';
import { findLayer } from './find-in-catalog.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The current version of one layer of a catalog. */
export function getLayer(
  { catalogFor }: ServiceContext,
  request: GetLayerRequest,
  { caller }: Call,
): LayerVersion {
  return findLayer(catalogFor(caller).snapshot(), request);
}
