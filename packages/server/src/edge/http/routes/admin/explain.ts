import {
  AdminExplainAnswerSchema,
  AdminExplainListRecordsSchema,
  AdminExplainSearchFieldValuesSchema,
  AdminExplainSearchMetricValuesSchema,
} from '@locmetrics/contract';
import type { FastifyRequest } from 'fastify';
import { readRights } from '../../../../auth/read-rights.ts';
import { toExplainAnswer } from '../../../../encoding/explanation.ts';
import {
  explainListRecords,
  explainSearchFieldValues,
  explainSearchMetricValues,
} from '../../../../service/explain.ts';
import type { Call } from '../../../../service/service-context.ts';
import type { HttpApp } from '../../http-app.ts';
import { describedRoute } from '../../openapi/route-description.ts';
import { readMetricBody } from '../../request/read-metric-request.ts';
import { readListRecords, readSearchFieldValues } from '../../request/read-row-selection.ts';
import type { RouteContext } from '../route-context.ts';
import { ADMIN } from './access.ts';

const common = {
  tag: 'admin',
  description:
    'The queries that the request would run, and which store answers each and why. No data is read, and no rows are counted. A request that the operation refuses is refused in the same way.',
  answer: AdminExplainAnswerSchema,
  refusals: [404, 504],
} as const;

const recordsSchema = describedRoute(
  'explainListRecords',
  { ...common, summary: 'Explain a request for records' },
  { body: AdminExplainListRecordsSchema },
);

const fieldValuesSchema = describedRoute(
  'explainSearchFieldValues',
  { ...common, summary: 'Explain a search for the values of a field' },
  { body: AdminExplainSearchFieldValuesSchema },
);

const metricValuesSchema = describedRoute(
  'explainSearchMetricValues',
  { ...common, summary: 'Explain a request for the values of a metric' },
  { body: AdminExplainSearchMetricValuesSchema },
);

const PATH = '/v1/admin/explain';

export function routeAdminExplain(app: HttpApp, { service, store, callOf }: RouteContext): void {
  /** The call as a caller of the organisation would make it. */
  const callFor = (request: FastifyRequest, organisationId: string | undefined): Call => {
    const { caller, signal } = callOf(request);
    if (organisationId === undefined) return { caller, signal };
    const rights = readRights(store, organisationId);
    return { caller: { ...caller, organisationId, rights }, signal };
  };
  app.post(`${PATH}/listRecords`, { schema: recordsSchema, ...ADMIN }, async (request) => {
    const { organisationId, ...body } = request.body;
    const call = callFor(request, organisationId);
    return toExplainAnswer(await explainListRecords(service, readListRecords(body), call));
  });
  app.post(
    `${PATH}/searchFieldValues`,
    { schema: fieldValuesSchema, ...ADMIN },
    async (request) => {
      const { organisationId, ...body } = request.body;
      const call = callFor(request, organisationId);
      const asked = readSearchFieldValues(body);
      return toExplainAnswer(await explainSearchFieldValues(service, asked, call));
    },
  );
  app.post(
    `${PATH}/searchMetricValues`,
    { schema: metricValuesSchema, ...ADMIN },
    async (request) => {
      const { organisationId, ...body } = request.body;
      const call = callFor(request, organisationId);
      const asked = readMetricBody(body, body);
      return toExplainAnswer(await explainSearchMetricValues(service, asked, call));
    },
  );
}
