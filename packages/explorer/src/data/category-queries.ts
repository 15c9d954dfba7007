import { type MetricValuesRequest, TooManyRowsError } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import { metricValuesQuery, type ReadValues } from './metric-queries.ts';

/** More values than this are not read: categories are counted here, because aggregates do not group by a value. */
const CATEGORY_VALUES_MAX = 20_000;

/** All values of a request, without points and components. They are counted first, which costs no rows. */
export function categoryValuesQuery(
  session: Pick<Session, 'client'>,
  request: MetricValuesRequest,
) {
  const slim = { ...request, skipGeo: true, addressComponentWhitelist: [''] };
  return queryOptions({
    queryKey: ['category-values', request],
    queryFn: async ({ client, signal }): Promise<ReadValues> => {
      const { totalSize } = await session.client.searchMetricValues(
        { ...request, countOnly: true },
        { signal },
      );
      if (totalSize > CATEGORY_VALUES_MAX)
        throw new TooManyRowsError(CATEGORY_VALUES_MAX, totalSize);
      return client.fetchQuery(metricValuesQuery(session, slim));
    },
  });
}
