import { checkBillingContext } from '../auth/billing-context.ts';
import type { ReadTileRequest } from '../domain/catalog-request.ts';
import { inSpan } from '../observe/request-scope.ts';
import { planTile } from '../plan/plan-tile.ts';
import type { TilePlan } from '../plan/read-plan.ts';
import type { Tile, TileCell } from '../storage/engine.ts';
import { findPageVersion } from './find-version.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

export type ReadTileResult = Pick<TilePlan, 'fields' | 'aggregates' | 'grid'> & {
  readonly tile: Tile;
  readonly version: string;
};

/** The records of a map tile: points where they are few, else cells with counts and aggregates. */
export async function readTile(
  { engine, catalogFor, queryTimeoutMs: timeoutMs, answers }: ServiceContext,
  request: ReadTileRequest,
  { caller, signal: callerSignal }: Call,
): Promise<ReadTileResult> {
  // Refused: a foreign billing context.
  checkBillingContext(caller, request.billingContext);
  // The caller's part of the catalog. Refused: an unknown dataset or version.
  const pinned = findPageVersion(catalogFor(caller), request, undefined);
  // Refused: a full queue, a missed deadline.
  return runUntilDeadline({ callerSignal, timeoutMs }, (signal) =>
    answers.use({ signal, pageSize: ROWS_MAX }, async () => {
      // Refused: a dataset without points, a tile that does not exist, a field, a filter, an aggregate.
      const plan = inSpan('plan', () => planTile(request, pinned));
      // Refused: too many queries at once.
      const tile = withoutSmallCells(await engine.run(plan, signal), plan);
      const { fields, aggregates, grid } = plan;
      return { fields, aggregates, grid, tile, version: pinned.version };
    }),
  );
}

/** The most points or cells of a tile. */
const ROWS_MAX = 4096;

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
