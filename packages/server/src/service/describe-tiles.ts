import type { Dataset } from '../domain/dataset.ts';
import type { StopSignal } from '../domain/stop.ts';
import { inSpan } from '../observe/request-scope.ts';
import { planTile } from '../plan/plan-tile.ts';
import type { RecordsPlan, TilePlan } from '../plan/read-plan.ts';
import { tileBoundsPlans } from '../plan/tile-bounds.ts';
import type { PinnedTile } from './read-tile.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The tiles of a dataset: the values that they have, and where the records are. */
export type DescribedTiles = Pick<TilePlan, 'fields' | 'aggregates'> & {
  readonly dataset: Dataset;
  /** West, south, east and north, in degrees; absent: there are no records. */
  readonly bounds?: readonly number[];
};

/** Describes the tiles of a dataset. Refuses what a tile refuses, except an address. */
export async function describeTiles(
  { engine, queryTimeoutMs: timeoutMs }: ServiceContext,
  { request, version }: PinnedTile,
  { signal: callerSignal }: Call,
): Promise<DescribedTiles> {
  // Refused: a dataset without points, a field, a filter, an aggregate.
  const plan = inSpan('plan', () => planTile(request, version));
  const { west, south, east, north } = tileBoundsPlans(plan);
  const degreesOf = async (end: RecordsPlan, signal: StopSignal): Promise<readonly number[]> => {
    // Refused: too many queries at once.
    const { rows } = await engine.run(end, signal);
    return rows.flatMap((row) => row.filter((value) => typeof value === 'number'));
  };
  // Refused: a missed deadline.
  return runUntilDeadline({ callerSignal, timeoutMs }, async (signal) => {
    const bounds: number[] = [];
    // One after the other, so that a request has one query at a time.
    for (const end of [west, south, east, north]) bounds.push(...(await degreesOf(end, signal)));
    const { fields, aggregates } = plan;
    const described = { dataset: version.dataset, fields, aggregates };
    return bounds.length === 0 ? described : { ...described, bounds };
  });
}
