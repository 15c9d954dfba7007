import type { AggregateTerm, GroupsPlan, TilePlan } from './read-plan.ts';

/** The bounds of a tile: one row with the west, south, east and north, which are absent without records. */
export function tileBoundsPlan({ version, predicates, longitude, latitude }: TilePlan): GroupsPlan {
  const ends = (aggregation: 'MIN' | 'MAX'): readonly AggregateTerm[] =>
    [longitude, latitude].map((field) => ({
      name: `${aggregation} ${field.name}`,
      aggregation,
      field,
      quantile: 0,
    }));
  return {
    kind: 'groups',
    version,
    predicates,
    groups: [],
    aggregates: [...ends('MIN'), ...ends('MAX')],
    conditions: [],
    order: [],
    after: 0,
    limit: 1,
  };
}
