import { catalogIds } from './find-in-catalog.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The sorted ids of the catalogs with a metric that the caller may see. */
export function listCatalogs({ catalogFor }: ServiceContext, { caller }: Call): readonly string[] {
  return catalogIds(catalogFor(caller).snapshot());
}
