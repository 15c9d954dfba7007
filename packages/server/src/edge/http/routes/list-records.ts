import { ListRecordsRequestSchema, ListRecordsResponseSchema } from '@locmetrics/contract';
import { encodeRecordsPage } from '../../../encoding/records-json.ts';
import { listRecords } from '../../../service/list-records.ts';
import { encodeAnswer } from '../answer/encode-answer.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { readListRecords } from '../request/read-row-selection.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'listRecords',
  {
    summary: 'List the records of a dataset',
    description:
      'Chosen by filters, a bounding box and existence, ordered by one field or by the key, page by page. All pages come from one data version.',
    tag: 'catalog',
    answer: ListRecordsResponseSchema,
    refusals: [404, 504],
  },
  { body: ListRecordsRequestSchema },
);

export function routeListRecords(app: HttpApp, { service, callOf }: RouteContext): void {
  app.post(
    '/v3/catalog/listRecords',
    { schema, config: { access: 'catalog' } },
    async (request, reply) => {
      const { body } = request;
      const asked = readListRecords(body);
      const result = await listRecords(service, asked, callOf(request));
      const { size } = result;
      const { typedValues } = asked;
      const nextPageToken = result.nextPageToken(size);
      return encodeAnswer(request, reply, {
        answered: { operation: schema.operationId, request: body },
        rows: size,
        encode: () =>
          service.answers.holdRows(size, () =>
            encodeRecordsPage({ ...result, nextPageToken }, { typedValues }),
          ),
      });
    },
  );
}
