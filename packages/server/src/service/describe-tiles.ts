import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { planTile } from '@locmetrics/core/plan/plan-tile';
import type { TilePlan } from '@locmetrics/core/plan/read-plan';
import { tileBoundsPlans } from '@locmetrics/core/plan/tile-bounds';
import { memoize } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { inSpan } from '../observe/request-scope.ts';
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
  const plan = inSpan('plan', () => planTile({ ...request, tile: WORLD }, version));
  const isWhole = request.filters.length === 0 && request.polygon === undefined;
  const kept = isWhole ? keptBounds(version) : {};
  // Refused: a missed deadline.
  kept.bounds ??= await runUntilDeadline({ callerSignal, timeoutMs }, (signal) =>
    readBounds(engine, plan, signal),
  );
  const { bounds } = kept;
  const { fields, aggregates } = plan;
  const described = { dataset: version.dataset, fields, aggregates };
  return bounds.length === 0 ? described : { ...described, bounds };
}

/** The bounds of all tiles are those of the one that contains them, whichever tile the request names. */
const WORLD = { z: 0, x: 0, y: 0 };

/** Bounds without filters, read once for each version and all callers with the same rights over it. */
const keptBounds = memoize((_: DatasetVersion): { bounds?: readonly number[] } => ({}));

async function readBounds(
  engine: Engine,
  plan: TilePlan,
  signal: StopSignal,
): Promise<readonly number[]> {
  const { west, south, east, north } = tileBoundsPlans(plan);
  const bounds: number[] = [];
  // One after the other, so that a request has one query at a time.
  for (const end of [west, south, east, north]) {
    // Refused: too many queries at once.
    const { rows } = await engine.run(end, signal);
    bounds.push(...rows.flatMap((row) => row.filter((value) => typeof value === 'number')));
  }
  return bounds;
}
