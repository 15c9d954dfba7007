import { type MetricValuesRequest, TooManyRowsError } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import { metricValuesQuery, type ReadValues } from './metric-queries.ts';

/** More values than this are not read: categories are counted here, because aggregates do not group by a value. */
export const CATEGORY_VALUES_MAX = 20_000;

/** All values of a request, without points and components. They are counted first, which costs no rows. */
export function categoryValuesQuery(
  session: Pick<Session, 'client'>,
  request: MetricValuesRequest,
) {
  const slim = { ...request, skipGeo: true, addressComponentWhitelist: [''] };
  return queryOptions({
    queryKey: ['category-values', request],
    queryFn: async ({ client, signal }): Promise<ReadValues> => {
      const totalSize = await countValues(session, request, signal);
      if (totalSize > CATEGORY_VALUES_MAX)
        throw new TooManyRowsError(CATEGORY_VALUES_MAX, totalSize);
      return client.fetchQuery(metricValuesQuery(session, slim));
    },
  });
}

/** How many rows the values of requests cost. To ask for it costs none, and requests for too many are not read. */
export function categoryCostQuery(
  session: Pick<Session, 'client'>,
  requests: readonly MetricValuesRequest[],
) {
  return queryOptions({
    queryKey: ['category-cost', JSON.stringify(requests)],
    queryFn: async ({ signal }): Promise<number> => {
      const counts = await Promise.all(
        requests.map((request) => countValues(session, request, signal)),
      );
      return counts
        .filter((count) => count <= CATEGORY_VALUES_MAX)
        .reduce((sum, count) => sum + count, 0);
    },
  });
}

async function countValues(
  { client }: Pick<Session, 'client'>,
  request: MetricValuesRequest,
  signal: AbortSignal,
): Promise<number> {
  return (await client.searchMetricValues({ ...request, countOnly: true }, { signal })).totalSize;
}
