import { catalogQuery } from './calls/catalog-query.ts';
import { catalogService } from './calls/catalog-service.ts';
import { mapService } from './calls/map-service.ts';
import { queryService } from './calls/query-service.ts';

import type { CallContext, ServedService } from './unary-call.ts';

/** The services of the interface, with the calls of each. */
export function listServices(context: CallContext): readonly ServedService[] {
  return [
    queryService(context),
    catalogService(context),
    mapService(context),
    catalogQuery(context),
  ];
}
