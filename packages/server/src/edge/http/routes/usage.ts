import {
  type AdminUsageQuery,
  AdminUsageQuerySchema,
  UsageQuerySchema,
  type UsageResponse,
  UsageResponseSchema,
} from '@locmetrics/contract';
import { TABLE_FORMAT_TITLES, TABLE_FORMATS } from '@locmetrics/contract/table-formats';
import { encodeTable } from '@locmetrics/core/encoding/encode-table';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import {
  readUsage,
  readUsageTable,
  type UsageRequest,
  type UsageResult,
} from '../../../service/read-usage.ts';
import { JSON_MEDIA_TYPE } from '../http-app.ts';
import { preferredFormat } from '../request/preferred-format.ts';
import { readAdminUsageQuery, readUsageQuery } from '../request/read-usage-query.ts';
import { type Received, type Route, route } from './route.ts';
import type { RouteContext } from './route-context.ts';

const description = `Returns requests, rows and bytes, as JSON in pages or as ${TABLE_FORMAT_TITLES} in one piece. Every request answered before \`completeUntil\` is counted.`;

/** Usage requests cost no rows, so they work even if no rows are left. */
const common = { tag: 'usage', answer: UsageResponseSchema, tables: 'listed' } as const;

export const usageRoutes: readonly Route[] = [
  route(
    {
      ...common,
      operationId: 'readUsage',
      at: 'GET /v1/usage',
      access: 'usage',
      summary: 'Get the usage of your organisation',
      description,
      refusals: [],
      querystring: UsageQuerySchema,
    },
    async (context, exchange) => {
      const { query, call } = exchange;
      const asked = readUsageQuery(query, call.caller.organisationId, new Date());
      return answerUsage(asked, query, context, exchange);
    },
  ),
  route(
    {
      ...common,
      operationId: 'readUsageOfAll',
      at: 'GET /v1/admin/usage',
      access: 'admin',
      summary: 'Get the usage of all organisations',
      description: `${description} Needs a token with the scope \`admin\`.`,
      refusals: [404],
      querystring: AdminUsageQuerySchema,
    },
    async (context, exchange) => {
      const { query } = exchange;
      const { organisationId } = query;
      if (organisationId !== undefined) context.store.checkOrganisation(organisationId);
      return answerUsage(readAdminUsageQuery(query, new Date()), query, context, exchange);
    },
  ),
];

async function answerUsage(
  asked: UsageRequest,
  query: AdminUsageQuery,
  { service }: RouteContext,
  { request, reply, call }: Pick<Received, 'request' | 'reply' | 'call'>,
): Promise<string> {
  const format = query.format ?? preferredFormat(request.headers);
  if (format === 'json') {
    const result = await readUsage(service, call, asked);
    reply.type(JSON_MEDIA_TYPE);
    return JSON.stringify(toResponse(asked, result));
  }
  const { title, mediaType, parameters } = TABLE_FORMATS[format];
  refusePaging(query, title);
  const { rows } = await readUsageTable(service, call, asked);
  reply.type(`${mediaType}${parameters}`);
  reply.header(
    'content-disposition',
    `attachment; filename="usage-${asked.from}-${asked.to}.${format}"`,
  );
  return encodeTable(
    format,
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

function refusePaging({ pageSize, pageToken }: AdminUsageQuery, title: string): void {
  if (pageSize === undefined && pageToken === undefined) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    pageSize === undefined ? '/pageToken' : '/pageSize',
    `${title} is sent as a whole, without pages.`,
    'Leave pageSize and pageToken out, or ask for JSON.',
  );
}
