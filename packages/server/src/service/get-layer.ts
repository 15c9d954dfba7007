import type { GetLayerRequest } from '../domain/metric-request.ts';
import type { LayerVersion } from '../domain/version.ts';
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
