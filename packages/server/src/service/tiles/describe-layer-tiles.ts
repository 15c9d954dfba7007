import type { Measure } from '@locmetrics/core/domain/metric';
import type { TileOutlines } from '@locmetrics/core/domain/outline';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import { memoize } from '@locmetrics/core/runtime/memoize';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import type { KnownFeatures } from '../kept-by-feature.ts';
import { outlinesSoon } from '../outlines-soon.ts';
import { runUntilDeadline } from '../queries/run-until-deadline.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { checkLayerTile, type PinnedLayerTile } from './pin-layer-tile.ts';

/** The tiles of a layer, and where the outlines of the features are that the caller sees. */
export type DescribedLayerTiles = {
  readonly layer: LayerVersion['layer'];
  /** The measure whose values features have; absent: none. */
  readonly measure?: Measure | undefined;
  /** West, south, east and north, in degrees; absent: there are none. */
  readonly bounds?: readonly number[];
};

/** Describes the tiles of a layer. Refuses what a tile refuses, except an address. */
export async function describeLayerTiles(
  { outlines, visibleFeatures, queryTimeoutMs: timeoutMs }: ServiceContext,
  pinned: PinnedLayerTile,
  { signal: callerSignal }: Call,
): Promise<DescribedLayerTiles> {
  // Refused: a layer without outlines.
  checkLayerTile(pinned);
  const { layer, metric } = pinned;
  // Refused: outlines that are not prepared.
  const found = await outlinesSoon(() => outlines.all(layer.features), callerSignal);
  const kept = keptBounds(layer.features);
  // Refused: a missed deadline.
  kept.bounds ??= await runUntilDeadline({ callerSignal, timeoutMs }, (signal) =>
    findBounds(
      found,
      isWhole(layer) ? undefined : (ids) => visibleFeatures.names(layer, ids, signal),
    ),
  );
  const { bounds } = kept;
  const described = { layer: layer.layer, measure: metric?.metric.measures[0] };
  return bounds.length === 0 ? described : { ...described, bounds };
}

function isWhole({ features }: LayerVersion): boolean {
  return (features.narrowing?.predicates ?? []).length === 0;
}

/** Read once for each version and all callers with the same rights over it. */
const keptBounds = memoize((_: LayerVersion['features']): { bounds?: readonly number[] } => ({}));

/** The rights of so many outlines are looked up at once. */
const OUTLINES_AT_ONCE = 5000;

async function findBounds(
  { count, bits, boxAt, idAt }: TileOutlines,
  /** Undefined if the caller sees all. */
  namesOf: ((ids: readonly string[]) => Promise<KnownFeatures<string>>) | undefined,
): Promise<readonly number[]> {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  const ticks = openTicks();
  for (let start = 0; start < count; start += OUTLINES_AT_ONCE) {
    const ids: string[] = [];
    for (let index = start; index < Math.min(start + OUTLINES_AT_ONCE, count); index += 1) {
      if (ticks.isOver()) await ticks.next();
      ids.push(namesOf === undefined ? '' : idAt(index));
    }
    const names = await namesOf?.(ids);
    for (const [index, id] of ids.entries()) {
      if (names !== undefined && names.get(id) === undefined) continue;
      const box = boxAt(start + index);
      west = Math.min(west, box[0]);
      north = Math.min(north, box[1]);
      east = Math.max(east, box[2]);
      south = Math.max(south, box[3]);
    }
  }
  if (west > east) return [];
  const world = 2 ** bits;
  const longitude = (x: number) => Math.min(Math.max((x / world) * 360 - 180, -180), 180);
  const latitude = (y: number) =>
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / world))) * 180) / Math.PI;
  return [longitude(west), latitude(south), longitude(east), latitude(north)].map(
    (degrees) => Math.round(degrees * 1e6) / 1e6,
  );
}
