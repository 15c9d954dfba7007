import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { planTile, TILE_POINTS_MAX } from '@locmetrics/core/plan/plan-tile';
import type { TilePlan } from '@locmetrics/core/plan/read-plan';
import { tileBoundsPlan } from '@locmetrics/core/plan/tile-bounds';
import { memoize } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { inSpan } from '../../observe/request-scope.ts';
import { runUntilDeadline } from '../queries/run-until-deadline.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { findCrowdedZoom, WORLD } from './find-crowded-zoom.ts';
import type { PinnedTile } from './read-tile.ts';

/** The tiles of a dataset: the values that they have, and where the records are. */
export type DescribedTiles = Pick<TilePlan, 'fields' | 'aggregates'> &
  Places & { readonly dataset: Dataset };

type Places = {
  /** West, south, east and north, in degrees; absent: there are no records. */
  readonly bounds?: readonly number[];
  /** The last zoom at which a tile has more records than points; absent: none has. */
  readonly cellsUntilZoom?: number;
};

/** Describes the tiles of a dataset. Refuses what a tile refuses, except an address. */
export async function describeTiles(
  { engine, queryTimeoutMs: timeoutMs }: ServiceContext,
  { request, version }: PinnedTile,
  { signal: callerSignal }: Call,
): Promise<DescribedTiles> {
  // Refused: a dataset without points, a field, a filter, an aggregate.
  const plan = inSpan('plan', () => planTile({ ...request, tile: WORLD }, version));
  const isWhole =
    request.filters.length === 0 &&
    [request.polygon, request.circle].every((area) => area === undefined);
  const kept = isWhole ? keptPlaces(version) : {};
  // Refused: a missed deadline.
  kept.places ??= await runUntilDeadline({ callerSignal, timeoutMs }, (signal) =>
    readPlaces(engine, { request, version, isWhole }, signal),
  );
  const { fields, aggregates } = plan;
  return { dataset: version.dataset, fields, aggregates, ...kept.places };
}

/** Without filters, these are read once for each version and all callers with the same rights over it. */
const keptPlaces = memoize((_: DatasetVersion): { places?: Places } => ({}));

/** One query after the other, so that a request has one at a time. Refused: too many queries at once. */
async function readPlaces(
  engine: Engine,
  {
    request,
    version,
    isWhole,
  }: Pick<PinnedTile, 'request' | 'version'> & { readonly isWhole: boolean },
  signal: StopSignal,
): Promise<Places> {
  // Cells are counted, and nothing else is read of them.
  const counted = { ...request, fields: [], aggregates: [], cells: true };
  const bounds = await readBounds(engine, planTile({ ...counted, tile: WORLD }, version), signal);
  if (bounds.length === 0) return {};
  // With a filter, the answer is not kept, and each question may read all records.
  const cellsUntilZoom = await findCrowdedZoom(
    async (tile) => {
      const found = await engine.run(planTile({ ...counted, tile }, version), signal);
      return found.kind === 'cells' ? found.cells : [];
    },
    { recordsMax: TILE_POINTS_MAX, tilesMax: isWhole ? 64 : 16 },
  );
  return { bounds, ...(cellsUntilZoom === undefined ? {} : { cellsUntilZoom }) };
}

async function readBounds(
  engine: Engine,
  plan: TilePlan,
  signal: StopSignal,
): Promise<readonly number[]> {
  const { rows } = await engine.run(tileBoundsPlan(plan), signal);
  return rows.flatMap((row) => row.filter((value) => typeof value === 'number'));
}
