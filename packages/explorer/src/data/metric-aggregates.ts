import type { MetricAggregatesRequest, MetricAggregatesRow } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

type Reader = Pick<Session, 'client'>;
/** With groups and aggregates as objects. */
type GroupsRequest = Extract<MetricAggregatesRequest, { aggregates: readonly unknown[] }>;

/** The groups of one answer: a list of more places has only the first of its order. */
export const LISTED_GROUPS_MAX = 5_000;

export type Aggregates = {
  readonly rows: readonly MetricAggregatesRow[];
  /** How many groups there are, also beyond the rows. */
  readonly totalSize: number;
  /** The kind of the rows, as returned by `groupsOf`. */
  readonly of: string;
};

/** Identifies what a request has a row of, so that rows of different kinds are not mixed. */
export function groupsOf({ catalogId, metricId, groupBy = [] }: GroupsRequest): string {
  return JSON.stringify([catalogId, metricId, groupBy[0]]);
}

/** Groups of the values of a metric, up to the size of a page. */
export function aggregatesQuery({ client }: Reader, request: GroupsRequest) {
  return queryOptions({
    queryKey: ['metric-aggregates', request],
    queryFn: async ({ signal }): Promise<Aggregates> => {
      const { rowsList, totalSize } = await client.searchMetricAggregates(
        { pageSize: LISTED_GROUPS_MAX, ...request },
        { signal },
      );
      return { rows: rowsList, totalSize, of: groupsOf(request) };
    },
  });
}

/** How many rows the list of a request costs. To ask for it costs one. */
export function aggregatesCostQuery({ client }: Reader, request: GroupsRequest, times: number) {
  return queryOptions({
    queryKey: ['metric-aggregates-cost', JSON.stringify(request), String(times)],
    queryFn: async ({ signal }): Promise<number> => {
      const { totalSize } = await client.searchMetricAggregates(
        { ...request, pageSize: 1 },
        { signal },
      );
      return Math.min(totalSize, LISTED_GROUPS_MAX) * times;
    },
  });
}

/** All groups of a request; more than `maxRows` are an error. */
export function allAggregatesQuery(
  { client }: Reader,
  request: GroupsRequest,
  { maxRows }: { readonly maxRows: number },
) {
  return queryOptions({
    queryKey: ['all-metric-aggregates', request, maxRows],
    queryFn: ({ signal }): Promise<readonly MetricAggregatesRow[]> =>
      client
        .metricAggregates({ pageSize: LISTED_GROUPS_MAX, ...request }, { signal })
        .all({ maxRows }),
  });
}
