import {
  SearchFieldValuesRequestSchema,
  SearchFieldValuesResponseSchema,
} from '@locmetrics/contract';
import { encodeFieldValuesPage } from '../../../encoding/records-json.ts';
import { searchFieldValues } from '../../../service/search-field-values.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readSearchFieldValues } from '../request/read-row-selection.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'searchFieldValues',
  {
    summary: 'Search the distinct values of a field',
    description:
      'Values that contain the term, ignoring case: values that start with it come first, then sorted by value. Absent values are left out.',
    tag: 'catalog',
    answer: SearchFieldValuesResponseSchema,
    refusals: [404, 504],
  },
  { body: SearchFieldValuesRequestSchema },
);

export function routeSearchFieldValues(app: HttpApp, { service, callOf }: RouteContext): void {
  app.post(
    '/v3/catalog/searchFieldValues',
    { schema, config: { access: 'catalog' } },
    async (request, reply) => {
      const { body } = request;
      const result = await searchFieldValues(service, readSearchFieldValues(body), callOf(request));
      const { values } = result;
      const nextPageToken = result.nextPageToken(values.length);
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: body },
        rows: values.length,
        encode: () => encodeFieldValuesPage({ ...result, nextPageToken }),
      });
    },
  );
}
