import { catalogIds } from './find-in-catalog.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The ids of the catalogs that the caller sees a metric of, in their order. */
export function listCatalogs({ catalogFor }: ServiceContext, { caller }: Call): readonly string[] {
  return catalogIds(catalogFor(caller).snapshot());
}
