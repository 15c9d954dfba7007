import {
  AdminExplainAnswerSchema,
  AdminExplainGetLayerStatsSchema,
  AdminExplainListRecordsSchema,
  AdminExplainListRecordsStatisticsSchema,
  AdminExplainSearchFieldValuesSchema,
  AdminExplainSearchMetricAggregatesSchema,
  AdminExplainSearchMetricValuesSchema,
} from '@locmetrics/contract';
import { toExplainAnswer } from '@locmetrics/core/encoding/explanation';
import { readRights } from '../../../../auth/read-rights.ts';
import {
  explainGetLayerStats,
  explainListRecords,
  explainListRecordsStatistics,
  explainSearchFieldValues,
  explainSearchMetricAggregates,
  explainSearchMetricValues,
} from '../../../../service/explain/explain-queries.ts';
import type { Call } from '../../../../service/service-context.ts';
import { readAggregatesBody } from '../../request/read-metric-aggregates.ts';
import { readMetricBody } from '../../request/read-metric-request.ts';
import {
  readGetLayerStats,
  readListRecords,
  readListRecordsStatistics,
  readSearchFieldValues,
} from '../../request/read-row-selection.ts';
import { type Route, route } from '../route.ts';
import type { RouteContext } from '../route-context.ts';

const common = {
  access: 'admin',
  description:
    'Returns the queries that the request would run, which store would answer each, and why. It reads no data and counts no rows. It refuses what the explained operation refuses.',
  answer: AdminExplainAnswerSchema,
  refusals: [404, 504],
} as const;

export const explainRoutes: readonly Route[] = [
  route(
    {
      ...common,
      operationId: 'explainListRecords',
      at: 'POST /v1/admin/explain/listRecords',
      summary: 'Explain a request for records',
      body: AdminExplainListRecordsSchema,
    },
    async (context, { body: { organisationId, ...body }, call }) => {
      const own = callFor(organisationId, call, context);
      return toExplainAnswer(await explainListRecords(context.service, readListRecords(body), own));
    },
  ),
  route(
    {
      ...common,
      operationId: 'explainSearchFieldValues',
      at: 'POST /v1/admin/explain/searchFieldValues',
      summary: 'Explain a search for the values of a field',
      body: AdminExplainSearchFieldValuesSchema,
    },
    async (context, { body: { organisationId, ...body }, call }) => {
      const own = callFor(organisationId, call, context);
      const asked = readSearchFieldValues(body);
      return toExplainAnswer(await explainSearchFieldValues(context.service, asked, own));
    },
  ),
  route(
    {
      ...common,
      operationId: 'explainListRecordsStatistics',
      at: 'POST /v1/admin/explain/listRecordsStatistics',
      summary: 'Explain a request for the counts of each date',
      body: AdminExplainListRecordsStatisticsSchema,
    },
    async (context, { body: { organisationId, ...body }, call }) => {
      const own = callFor(organisationId, call, context);
      const asked = readListRecordsStatistics(body);
      return toExplainAnswer(await explainListRecordsStatistics(context.service, asked, own));
    },
  ),
  route(
    {
      ...common,
      operationId: 'explainGetLayerStats',
      at: 'POST /v1/admin/explain/getLayerStats',
      summary: 'Explain a request for the counts of one date',
      body: AdminExplainGetLayerStatsSchema,
    },
    async (context, { body: { organisationId, ...body }, call }) => {
      const own = callFor(organisationId, call, context);
      const asked = readGetLayerStats(body);
      return toExplainAnswer(await explainGetLayerStats(context.service, asked, own));
    },
  ),
  route(
    {
      ...common,
      operationId: 'explainSearchMetricValues',
      at: 'POST /v1/admin/explain/searchMetricValues',
      summary: 'Explain a request for the values of a metric',
      body: AdminExplainSearchMetricValuesSchema,
    },
    async (context, { body: { organisationId, ...body }, call }) => {
      const own = callFor(organisationId, call, context);
      const asked = readMetricBody(body, body);
      return toExplainAnswer(await explainSearchMetricValues(context.service, asked, own));
    },
  ),
  route(
    {
      ...common,
      operationId: 'explainSearchMetricAggregates',
      at: 'POST /v1/admin/explain/searchMetricAggregates',
      summary: 'Explain a request for aggregates of a metric',
      body: AdminExplainSearchMetricAggregatesSchema,
    },
    async (context, { body: { organisationId, ...body }, call }) => {
      const own = callFor(organisationId, call, context);
      const asked = readAggregatesBody(body, body);
      return toExplainAnswer(await explainSearchMetricAggregates(context.service, asked, own));
    },
  ),
];

/** The call as a caller of the organisation would make it. */
function callFor(organisationId: string | undefined, call: Call, { store }: RouteContext): Call {
  if (organisationId === undefined) return call;
  const rights = readRights(store, organisationId);
  return { ...call, caller: { ...call.caller, organisationId, rights } };
}
