import {
  ListDataReferencesRequestSchema,
  ListDataReferencesResponseSchema,
} from '@locmetrics/contract';
import { encodeDataReferences } from '../../../encoding/data-reference.ts';
import { listDataReferences } from '../../../service/list-data-references.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'listDataReferences',
  {
    summary: 'List the datasets you may see',
    description: 'Each with its fields and options, sorted by name.',
    tag: 'catalog',
    answer: ListDataReferencesResponseSchema,
    refusals: [],
  },
  { body: ListDataReferencesRequestSchema },
);

export function routeListDataReferences(app: HttpApp, { service, callOf }: RouteContext): void {
  app.post(
    '/v3/catalog/listDataReferences',
    { schema, config: { access: 'catalog' } },
    async (request, reply) => {
      const { billingContext = '' } = request.body;
      const versions = await listDataReferences(service, { billingContext }, callOf(request));
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: {} },
        encode: () => encodeDataReferences(versions),
      });
    },
  );
}
