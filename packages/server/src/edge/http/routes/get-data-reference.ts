import {
  GetDataReferenceRequestSchema,
  GetDataReferenceResponseSchema,
} from '@locmetrics/contract';
import { encodeDataReference } from '../../../encoding/data-reference.ts';
import { getDataReference } from '../../../service/get-data-reference.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readGetDataReference } from '../request/read-get-data-reference.ts';
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
      const asked = readGetDataReference(request.body, stateOf(request));
      const version = await getDataReference(service, asked, callOf(request));
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: asked },
        encode: () => encodeDataReference(version),
      });
    },
  );
}
