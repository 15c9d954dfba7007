import type { ListRecordsRequest, MetricValuesRequest } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import type { LimitLeft } from './limits-left.ts';
import { type LimitsClient, openLimitsClient } from './open-limits-client.ts';

/** The size of a whole result, and what it costs. */
export type Cost = {
  readonly rows: number;
  /** The rows that are charged to the limits of the organisation. */
  readonly costRows: number;
  /** The limits that it has, with what is left of them. */
  readonly limits: readonly LimitLeft[];
};

export type CostQuery = ReturnType<typeof costQuery>;

type Counted = { readonly totalSize: number; readonly costRows?: number | undefined };
type Reader = Pick<Session, 'token' | 'caller'>;

/** The cost of all records of a request. To ask for it costs no rows. */
export function recordsCostQuery(session: Reader, request: ListRecordsRequest) {
  return costQuery(session, ['records', request], (client, signal) =>
    client.listRecords({ ...request, countOnly: true }, { signal }),
  );
}

/** The cost of all values of a request. To ask for it costs no rows. */
export function valuesCostQuery(session: Reader, request: MetricValuesRequest) {
  return costQuery(session, ['values', request], (client, signal) =>
    client.searchMetricValues({ ...request, countOnly: true }, { signal }),
  );
}

function costQuery(
  session: Reader,
  key: readonly unknown[],
  count: (client: LimitsClient['client'], signal: AbortSignal) => Promise<Counted>,
) {
  return queryOptions({
    queryKey: ['cost', ...key],
    queryFn: async ({ signal }): Promise<Cost> => {
      const { client, readLimits } = openLimitsClient(session);
      const { totalSize, costRows = totalSize } = await count(client, signal);
      return { rows: totalSize, costRows, limits: await readLimits(signal) };
    },
    // Each request changes the remaining limits.
    staleTime: 0,
    gcTime: 0,
  });
}
