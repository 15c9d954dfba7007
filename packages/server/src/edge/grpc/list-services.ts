import { catalogV3 } from '@locmetrics/contract/grpc';
import { callListDataReferences } from './calls/list-data-references.ts';
import type { ServedService } from './serve-calls.ts';
import type { CallContext } from './unary-call.ts';

/** The services of the interface, with the calls of each. */
export function listServices(context: CallContext): readonly ServedService[] {
  return [
    {
      service: catalogV3.CatalogQuery,
      calls: [callListDataReferences(context)],
    },
  ];
}
