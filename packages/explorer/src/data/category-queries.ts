import { type MetricValuesRequest, TooManyRowsError } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';
import { metricValuesQuery, type ReadValues } from './metric-queries.ts';

/** More values than this are not read: categories are counted here, because aggregates do not group by a value. */
export const CATEGORY_VALUES_MAX = 20_000;

/** The values that are read: all of a request, or those of its last periods if all are too many. */
export type CategoriesAsked = {
  readonly request: MetricValuesRequest;
  /** The component of places that comes with the values. */
  readonly component?: string | undefined;
  /** How many periods the request has, and the same request for only the last of them. */
  readonly shorter?: {
    readonly periods: number;
    readonly lastOf: (periods: number) => MetricValuesRequest;
  };
};

export type ReadCategories = ReadValues & {
  /** If only the last periods were read: how many, and the number of all values. */
  readonly cut: { readonly periods: number; readonly totalSize: number } | undefined;
};

/** The values that are asked for, without points. They are counted first, which costs no rows. */
export function categoryValuesQuery(session: Pick<Session, 'client'>, asked: CategoriesAsked) {
  const parts = {
    skipGeo: true,
    // An empty name is that of no component.
    addressComponentWhitelist: [asked.component ?? ''],
  };
  return queryOptions({
    queryKey: ['category-values', asked.request, asked.component ?? '', asked.shorter?.periods],
    queryFn: async ({ client, signal }): Promise<ReadCategories> => {
      const { request, totalSize, cut } = await fit(session, asked, signal);
      if (totalSize > CATEGORY_VALUES_MAX)
        throw new TooManyRowsError(CATEGORY_VALUES_MAX, totalSize);
      const read = await client.fetchQuery(metricValuesQuery(session, { ...request, ...parts }));
      return { ...read, cut };
    },
  });
}

/** How many rows the values cost. To ask for it costs none, and requests for too many are not read. */
export function categoryCostQuery(
  session: Pick<Session, 'client'>,
  all: readonly CategoriesAsked[],
) {
  return queryOptions({
    queryKey: ['category-cost', JSON.stringify(all)],
    queryFn: async ({ signal }): Promise<number> => {
      const fitted = await Promise.all(all.map((asked) => fit(session, asked, signal)));
      return fitted
        .map(({ totalSize }) => totalSize)
        .filter((count) => count <= CATEGORY_VALUES_MAX)
        .reduce((sum, count) => sum + count, 0);
    },
  });
}

/** The request, or the same one for as many of its last periods as can be read. */
async function fit(
  session: Pick<Session, 'client'>,
  { request, shorter }: CategoriesAsked,
  signal: AbortSignal,
): Promise<{
  readonly request: MetricValuesRequest;
  readonly totalSize: number;
  readonly cut: ReadCategories['cut'];
}> {
  const totalSize = await countValues(session, request, signal);
  if (totalSize > CATEGORY_VALUES_MAX && shorter !== undefined) {
    let periods = Math.floor((shorter.periods * CATEGORY_VALUES_MAX) / totalSize);
    for (; periods > 0; periods = Math.floor(periods / 2)) {
      const last = shorter.lastOf(periods);
      // Later periods may have more values.
      const size = await countValues(session, last, signal);
      if (size <= CATEGORY_VALUES_MAX)
        return { request: last, totalSize: size, cut: { periods, totalSize } };
    }
  }
  return { request, totalSize, cut: undefined };
}

async function countValues(
  { client }: Pick<Session, 'client'>,
  request: MetricValuesRequest,
  signal: AbortSignal,
): Promise<number> {
  return (await client.searchMetricValues({ ...request, countOnly: true }, { signal })).totalSize;
}
