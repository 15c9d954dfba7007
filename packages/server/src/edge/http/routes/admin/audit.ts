import { AdminAuditAnswerSchema, AdminAuditQuerySchema } from '@locmetrics/contract';
import { dayMs } from '@locmetrics/core/domain/grant-days';
import { toAuditAnswer } from '@locmetrics/core/encoding/control-entries';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { route } from '../route.ts';

const PAGE_SIZE = 100;
const PAGE_SIZE_MAX = 1_000;

export const listAuditRoute = route(
  {
    operationId: 'listAudit',
    at: 'GET /v1/admin/audit',
    access: 'admin',
    summary: 'List the audit log',
    description:
      'Returns the newest entries first, in pages. Entries cannot be changed or removed.',
    answer: AdminAuditAnswerSchema,
    refusals: [404],
    querystring: AdminAuditQuerySchema,
  },
  async ({ store }, { query }) => {
    const { organisationId, since, pageSize = 0, pageToken = '' } = query;
    const limit = readPageSize(pageSize);
    const before = readPageToken(pageToken);
    const from = since === undefined ? undefined : dayMs(since, '/since');
    // One more entry shows whether there is another page.
    const found = store.listAudit({
      ...(organisationId === undefined ? {} : { organisationId }),
      ...(from === undefined ? {} : { since: from }),
      ...(before === undefined ? {} : { before }),
      limit: limit + 1,
    });
    const entries = found.slice(0, limit);
    const last = found.length > limit ? entries.at(-1) : undefined;
    return {
      entries: entries.map(toAuditAnswer),
      nextPageToken: last === undefined ? '' : String(last.entryId),
    };
  },
);

function readPageSize(pageSize: number): number {
  if (pageSize >= 0) return Math.min(pageSize === 0 ? PAGE_SIZE : pageSize, PAGE_SIZE_MAX);
  throw ServiceError.atPointer(
    'INVALID_PAGE_SIZE',
    '/pageSize',
    `The page size is ${pageSize}.`,
    `Leave it out for ${PAGE_SIZE}.`,
  );
}

/** The id of the last entry of the previous page. */
function readPageToken(text: string): number | undefined {
  if (text === '') return undefined;
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw ServiceError.atPointer(
    'INVALID_PAGE_TOKEN',
    '/pageToken',
    'The page token does not belong to this list.',
    'Send the nextPageToken of the previous page, or leave it out to start again.',
  );
}
