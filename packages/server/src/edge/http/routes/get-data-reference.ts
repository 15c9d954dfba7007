import {
  type GetDataReferenceRequest,
  GetDataReferenceRequestSchema,
  GetDataReferenceResponseSchema,
} from '@locmetrics/contract';
import { ServiceError } from '../../../domain/service-error.ts';
import { encodeDataReference } from '../../../encoding/data-reference.ts';
import { getDataReference } from '../../../service/get-data-reference.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { stateOf } from '../request/request-state.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'getDataReference',
  {
    summary: 'Describe one dataset',
    description:
      'Its fields with their types, operators and examples, and the options it has. The name goes in `name` or in `dataReferenceName`.',
    tag: 'catalog',
    answer: GetDataReferenceResponseSchema,
    refusals: [404],
  },
  { body: GetDataReferenceRequestSchema },
);

export function routeGetDataReference(app: HttpApp, { service, callOf }: RouteContext): void {
  app.post(
    '/v3/catalog/getDataReference',
    { schema, config: { access: 'catalog' } },
    async (request, reply) => {
      const { body } = request;
      if (body.dataReferenceName === undefined && body.name !== undefined) {
        stateOf(request).writtenPointers = new Map([['/dataReferenceName', '/name']]);
      }
      const asked = toRequest(body);
      const version = await getDataReference(service, asked, callOf(request));
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: asked },
        encode: () => encodeDataReference(version),
      });
    },
  );
}

function toRequest({ name, dataReferenceName, billingContext = '' }: GetDataReferenceRequest) {
  if (name !== undefined && dataReferenceName !== undefined && name !== dataReferenceName) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/name',
      `'name' is '${name.slice(0, 200)}' and 'dataReferenceName' is '${dataReferenceName.slice(0, 200)}'.`,
      'Send one of them.',
    );
  }
  const given = name ?? dataReferenceName;
  if (given === undefined) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/name',
      "The field 'name' is missing.",
      'Send the name of a data reference; listDataReferences lists those you may see.',
    );
  }
  return { dataReferenceName: given, billingContext };
}
