import type { Field } from '../domain/field.ts';
import type { RecordsPlan, TilePlan } from './read-plan.ts';

/** The records at the four ends of a tile: plans of one longitude or latitude each, of at most one record. */
export type TileBoundsPlans = Readonly<Record<'west' | 'south' | 'east' | 'north', RecordsPlan>>;

export function tileBoundsPlans(plan: TilePlan): TileBoundsPlans {
  const { longitude, latitude } = plan;
  return {
    west: outermost(plan, longitude, { descending: false }),
    south: outermost(plan, latitude, { descending: false }),
    east: outermost(plan, longitude, { descending: true }),
    north: outermost(plan, latitude, { descending: true }),
  };
}

function outermost(
  { version, predicates }: TilePlan,
  field: Field,
  { descending }: { readonly descending: boolean },
): RecordsPlan {
  return {
    kind: 'records',
    version,
    fields: [field],
    predicates,
    order: [{ kind: 'field', field, descending, absentFirst: false }],
    keyDescending: false,
    limit: 1,
  };
}
