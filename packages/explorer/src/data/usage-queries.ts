import type { UsageRow, UsageSums } from '@locmetrics/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { SERVICE_URL, type Session } from '../session/session.ts';
import type { LimitLeft } from './limits-left.ts';
import { openLimitsClient } from './open-limits-client.ts';

export type UsagePeriod = { readonly from: string; readonly to: string };
export type UsageColumn = 'dataset' | 'operation' | 'token';

/** The usage of a period, and the limits with what is left of them. */
export type UsageOfPeriod = {
  readonly byDay: readonly UsageRow[];
  /** By dataset, operation and token together: sums by one of them follow from it. */
  readonly byRest: readonly UsageRow[];
  readonly limits: readonly LimitLeft[];
};

/** One request after the other, so that the page itself does not reach a limit of requests. */
export function usageQuery(session: Pick<Session, 'token' | 'caller'>, period: UsagePeriod) {
  return queryOptions({
    queryKey: ['usage', period],
    queryFn: async ({ signal }): Promise<UsageOfPeriod> => {
      const { client, readLimits } = openLimitsClient(session);
      const byDay = await client.usage({ ...period, groupBy: ['day'] }, { signal }).all();
      const rest = { ...period, groupBy: ['dataset', 'operation', 'token'] };
      const byRest = await client.usage(rest, { signal }).all();
      return { byDay, byRest, limits: await readLimits(signal) };
    },
    placeholderData: keepPreviousData,
  });
}

/** The sums by one column, the greatest first. */
export function sumUsageBy(
  rows: readonly UsageRow[],
  column: UsageColumn,
  measure: 'requests' | 'rows' | 'bytes',
): readonly UsageRow[] {
  const groups = Map.groupBy(rows, (row) => row[column] ?? '');
  const sums = [...groups].map(([value, of]) => ({ [column]: value, ...sumUsage(of) }));
  return sums.toSorted((one, other) => other[measure] - one[measure]);
}

export function sumUsage(rows: readonly UsageRow[]): UsageSums {
  return rows.reduce(
    (sum, { requests, rows: count, bytes }) => ({
      requests: sum.requests + requests,
      rows: sum.rows + count,
      bytes: sum.bytes + bytes,
    }),
    { requests: 0, rows: 0, bytes: 0 },
  );
}

/** The usage of a period as the service writes it in CSV, by day, dataset, operation and token. */
export async function fetchUsageCsv(
  { token }: Pick<Session, 'token'>,
  { from, to }: UsagePeriod,
): Promise<string> {
  const query = new URLSearchParams({
    ...{ from, to, format: 'csv', groupBy: 'day,dataset,operation,token' },
  });
  const answer = await fetch(`${SERVICE_URL}/v1/usage?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await answer.text();
  if (answer.ok) return text;
  throw new Error(`The usage could not be read as CSV: ${text}`);
}
