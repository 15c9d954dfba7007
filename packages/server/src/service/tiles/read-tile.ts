import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { planTile, TILE_POINTS_MAX } from '@locmetrics/core/plan/plan-tile';
import type { TilePlan } from '@locmetrics/core/plan/read-plan';
import type { ReadTileRequest } from '@locmetrics/core/requests/catalog-request';
import type { Tile, TileCell } from '@locmetrics/core/storage/engine';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { inSpan } from '../../observe/request-scope.ts';
import { findPageVersion } from '../find-version.ts';
import { takeSlot } from '../page-steps.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** A tile before its query. An edge may find that the caller already has it. */
export type PinnedTile = {
  readonly request: ReadTileRequest;
  readonly version: DatasetVersion;
  /** Values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
};

export type ReadTileResult = {
  readonly request: ReadTileRequest;
  readonly plan: TilePlan;
  readonly tile: Tile;
};

/** The version of a tile. Refused: a foreign billing context, an unknown dataset or version. */
export function pinTile(
  { catalogFor }: ServiceContext,
  request: ReadTileRequest,
  { caller }: Call,
): PinnedTile {
  checkBillingContext(caller, request.billingContext);
  // The caller's part of the catalog.
  const version = findPageVersion(catalogFor(caller), request, undefined);
  // A threshold that is raised now applies to earlier versions too.
  const thresholds = version.narrowing?.suppressed.map(({ suppressBelow }) => suppressBelow);
  return {
    request,
    version,
    answerParts: [version.version, thresholds, caller.rights.fingerprint, request],
  };
}

/** Refuses an invalid request as `readTile` does, without its query. */
export function checkTile({ request, version }: PinnedTile): void {
  planTile(request, version);
}

/** The records of a map tile: points where they are few, else cells with counts and aggregates. */
export async function readTile(
  context: ServiceContext,
  { request, version }: PinnedTile,
  call: Call,
): Promise<ReadTileResult> {
  // Refused: a dataset without points, a tile that does not exist, a field, a filter, an aggregate.
  const plan = inSpan('plan', () => planTile(request, version));
  // Refused: a full queue, a missed deadline.
  const rows = Math.max(plan.limit, TILE_POINTS_MAX);
  const slot = await takeSlot(context, call, { token: undefined, pageSize: rows });
  try {
    // Refused: too many queries at once.
    const tile = await context.engine.run(plan, slot.signal);
    return { request, plan, tile: withoutSmallCells(tile, plan) };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

/**
 * An aggregate of fewer records than the smallest value that the caller sees of its field would tell about few, so it is
 * withheld.
 */
function withoutSmallCells(tile: Tile, { aggregates, version }: TilePlan): Tile {
  const suppressed = version.narrowing?.suppressed ?? [];
  const least = aggregates.map(
    ({ field }) => suppressed.find(({ name }) => name === field.name)?.suppressBelow ?? 0,
  );
  if (tile.kind === 'points' || least.every((count) => count <= 1)) return tile;
  const withhold = (cell: TileCell): TileCell => ({
    ...cell,
    values: cell.values.map((value, index) => (cell.count < (least[index] ?? 0) ? null : value)),
  });
  return { kind: 'cells', cells: tile.cells.map(withhold) };
}
