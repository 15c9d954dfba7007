/** The columns that usage can be grouped by; `dataset` is the resource, which may also be a metric. */
export const USAGE_GROUPS = ['organisation', 'day', 'dataset', 'operation', 'token'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
