import { catalogIds } from './find-in-catalog.ts';
import type { ServiceContext } from './service-context.ts';

/** The ids of the catalogs, in their order. */
export function listCatalogs({ catalog }: ServiceContext): readonly string[] {
  return catalogIds(catalog.snapshot());
}
