import {
  type GetDataReferenceRequest,
  GetDataReferenceRequestSchema,
  GetDataReferenceResponseSchema,
} from '@locmetrics/contract';
import { ServiceError } from '../../../domain/service-error.ts';
import { toDataReference } from '../../../encoding/data-reference.ts';
import { getDataReference } from '../../../service/get-data-reference.ts';
import type { HttpApp, RouteContext } from '../http-app.ts';
import { catalogSchema } from './catalog-route.ts';

const schema = catalogSchema({
  operationId: 'getDataReference',
  summary: 'Describe one dataset',
  description:
    'Its fields with their types, operators and examples, and the options it has. The name goes in `name` or in `dataReferenceName`.',
  body: GetDataReferenceRequestSchema,
  answer: GetDataReferenceResponseSchema,
});

export function routeGetDataReference(app: HttpApp, { service, callOf }: RouteContext): void {
  app.post('/v3/catalog/getDataReference', { schema }, async (request) => {
    const version = getDataReference(service, toRequest(request.body), callOf(request));
    return { dataReference: toDataReference(version) };
  });
}

function toRequest({ name, dataReferenceName, billingContext = '' }: GetDataReferenceRequest) {
  if (name !== undefined && dataReferenceName !== undefined && name !== dataReferenceName) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/name',
      `'name' is '${name}' and 'dataReferenceName' is '${dataReferenceName}'.`,
      'Send one of them.',
    );
  }
  return { dataReferenceName: name ?? dataReferenceName ?? '', billingContext };
}
