import type { RecordsPlan, TilePlan } from './read-plan.ts';

/** The page of the records of a tile, each with its longitude and latitude before its fields. */
export function pointsOf(plan: TilePlan): RecordsPlan {
  const { version, longitude, latitude, fields, predicates, limit } = plan;
  return {
    kind: 'records',
    version,
    fields: [longitude, latitude, ...fields],
    predicates,
    order: [],
    keyDescending: false,
    limit,
  };
}
