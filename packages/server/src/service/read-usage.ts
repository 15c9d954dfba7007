import type { UsageGroup } from '@locmetrics/core/domain/usage-group';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { planPageSize, readPageToken, requestFingerprint } from '@locmetrics/core/plan/plan-page';
import type { UsagePeriod, UsageReport } from '../metering/usage-query.ts';
import { finishPage } from './page-steps.ts';
import { runUntilDeadline } from './queries/run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type UsageRequest = UsagePeriod & {
  /** Undefined: all. The edge checks whether the caller may query it. */
  readonly organisationId: string | undefined;
  readonly groupBy: readonly UsageGroup[];
  readonly pageSize: number;
  readonly pageToken: string;
};

export type UsageResult = UsageReport & { readonly nextPageToken: string };

/** A page of the usage report. */
export async function readUsage(
  context: ServiceContext,
  call: Call,
  request: UsageRequest,
): Promise<UsageResult> {
  const { organisationId, groupBy, from, to, pageSize } = request;
  const { queryTimeoutMs: timeoutMs, pageTokenKey, wasPageTokenKeyReplaced } = context;
  const rowsMax = planPageSize(pageSize);
  // Past usage does not depend on current rights, so the page token is not bound to those of the caller.
  const bindingOf = () => ({
    request: requestFingerprint(['usage', organisationId ?? null, groupBy, from, to]),
    rights: call.caller.organisationId,
  });
  const token = readPageToken(request.pageToken, bindingOf, pageTokenKey, wasPageTokenKeyReplaced);
  const after = token?.position.map(String);
  const report = await runUntilDeadline({ callerSignal: call.signal, timeoutMs }, (signal) =>
    context.usage.read({ organisationId, groupBy, from, to, after, rowsMax }, signal),
  );
  const { rows, hasMore } = report;
  const { nextPageToken } = finishPage(
    { bindingOf, token, pageSize, pageTokenKey },
    {
      version: '',
      found: { hasMore, positionAt: (index) => rows[index]?.groups ?? [] },
      rowCount: rows.length,
      totalSize: 0,
      writePosition: (groups) => groups,
    },
  );
  return { ...report, nextPageToken: nextPageToken(rows.length) };
}

/** A table is held in memory as a whole, so its rows are limited. */
const TABLE_ROWS_MAX = 100_000;

/** The whole usage report as one table. */
export async function readUsageTable(
  context: ServiceContext,
  call: Call,
  { organisationId, groupBy, from, to }: Omit<UsageRequest, 'pageSize' | 'pageToken'>,
): Promise<UsageReport> {
  const timeoutMs = context.queryTimeoutMs;
  const query = { organisationId, groupBy, from, to, after: undefined, rowsMax: TABLE_ROWS_MAX };
  const report = await runUntilDeadline({ callerSignal: call.signal, timeoutMs }, (signal) =>
    context.usage.read(query, signal),
  );
  if (report.hasMore) {
    throw new ServiceError('INVALID_REQUEST', `The table has more than ${TABLE_ROWS_MAX} rows.`, {
      hint: 'Ask for fewer days or groups, or for JSON, which comes in pages.',
    });
  }
  return report;
}
