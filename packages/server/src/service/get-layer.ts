import type { LayerVersion } from '../domain/layer.ts';
import type { GetLayerRequest } from '../domain/metric-request.ts';
import { findLayer } from './find-in-catalog.ts';
import type { ServiceContext } from './service-context.ts';

/** One layer of a catalog, as it is now. */
export function getLayer({ catalog }: ServiceContext, request: GetLayerRequest): LayerVersion {
  return findLayer(catalog.snapshot(), request);
}
