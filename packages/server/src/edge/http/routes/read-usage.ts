import {
  type AdminUsageQuery,
  AdminUsageQuerySchema,
  UsageQuerySchema,
  type UsageResponse,
  UsageResponseSchema,
} from '@locmetrics/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../../domain/service-error.ts';
import { encodeCsv } from '../../../encoding/csv.ts';
import {
  readUsage,
  readUsageTable,
  type UsageRequest,
  type UsageResult,
} from '../../../service/read-usage.ts';
import { addVary } from '../answer/vary.ts';
import { type HttpApp, JSON_MEDIA_TYPE } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { prefersCsv } from '../request/accepted-format.ts';
import { readAdminUsageQuery, readUsageQuery } from '../request/read-usage-query.ts';
import type { RouteContext } from './route-context.ts';

const description =
  'Requests, rows and bytes, as JSON page by page or as CSV without pages. Every request that was answered before `completeUntil` is counted.';

const common = { tag: 'usage', answer: UsageResponseSchema, isCsvToo: true } as const;

const ownSchema = describedRoute(
  'readUsage',
  { ...common, summary: 'The usage of your organisation', description, refusals: [] },
  { querystring: UsageQuerySchema },
);

const adminSchema = describedRoute(
  'readUsageOfAll',
  {
    ...common,
    summary: 'The usage of all organisations',
    description: `For tokens of the scope \`admin\`. ${description}`,
    refusals: [404],
  },
  { querystring: AdminUsageQuerySchema },
);

/** Usage requests cost no rows, so they work even if no rows are left. */
export function routeReadUsage(app: HttpApp, context: RouteContext): void {
  const { callOf } = context;
  app.get(
    '/v1/usage',
    { schema: ownSchema, config: { access: 'usage' } },
    async (request, reply) => {
      const { organisationId } = callOf(request).caller;
      const asked = readUsageQuery(request.query, organisationId, new Date());
      return answerUsage(asked, { request, reply, query: request.query, context });
    },
  );
  app.get(
    '/v1/admin/usage',
    { schema: adminSchema, config: { access: 'admin' } },
    async (request, reply) => {
      const { organisationId } = request.query;
      if (organisationId !== undefined) context.store.checkOrganisation(organisationId);
      const asked = readAdminUsageQuery(request.query, new Date());
      return answerUsage(asked, { request, reply, query: request.query, context });
    },
  );
}

async function answerUsage(
  asked: UsageRequest,
  {
    request,
    reply,
    query,
    context: { service, callOf },
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly query: AdminUsageQuery;
    readonly context: RouteContext;
  },
): Promise<string> {
  const call = callOf(request);
  addVary(reply, 'Accept');
  const isCsv = query.format === undefined ? prefersCsv(request.headers) : query.format === 'csv';
  if (!isCsv) {
    const result = await readUsage(service, call, asked);
    reply.type(JSON_MEDIA_TYPE);
    return JSON.stringify(toResponse(asked, result));
  }
  refusePaging(query);
  const { rows } = await readUsageTable(service, call, asked);
  reply.type('text/csv; charset=utf-8; header=present');
  reply.header('content-disposition', `attachment; filename="usage-${asked.from}-${asked.to}.csv"`);
  return encodeCsv(
    [...asked.groupBy, 'requests', 'rows', 'bytes'],
    rows.map((row) => [...row.groups, row.requests, row.rows, row.bytes]),
  );
}

function toResponse(
  { from, to, groupBy }: UsageRequest,
  { rows, total, completeUntil, nextPageToken }: UsageResult,
): UsageResponse {
  return {
    from,
    to,
    completeUntil: new Date(completeUntil).toISOString(),
    usage: rows.map(({ groups, ...sums }) => ({
      ...Object.fromEntries(groupBy.map((name, index) => [name, groups[index] ?? ''])),
      ...sums,
    })),
    total,
    nextPageToken,
  };
}

function refusePaging({ pageSize, pageToken }: AdminUsageQuery): void {
  if (pageSize === undefined && pageToken === undefined) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    pageSize === undefined ? '/pageToken' : '/pageSize',
    'CSV comes whole, without pages.',
    'Leave pageSize and pageToken out, or ask for JSON.',
  );
}
