/** The calls of unacatlib 0.0.101 that are not served yet, with what to do instead, by the name of their service. */
export const UNSERVED_CALLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'unacast.catalog.v1.QueryService': {
    Rank: 'Use locmetrics.v1.Aggregates/SearchMetricAggregates with rank_by.',
  },
};
