import { cutToTile } from '@locmetrics/core/domain/cut-to-tile';
import type { ReadLayerTileRequest } from '@locmetrics/core/domain/metric-request';
import type { OutlineRing, TileOutlines } from '@locmetrics/core/domain/outline';
import type { TileAddress } from '@locmetrics/core/domain/tile';
import type { Value } from '@locmetrics/core/domain/value';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { TileValuesPlan } from '@locmetrics/core/plan/plan-tile-values';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { openTicks } from '@locmetrics/core/runtime/ticks';
import { inSpan } from '../observe/request-scope.ts';
import type { KnownFeatures } from './kept-by-feature.ts';
import { takeSlot } from './page-steps.ts';
import { checkLayerTile, type PinnedLayerTile } from './pin-layer-tile.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** A tile has at most so many features: more cannot be told apart. */
const TILE_FEATURES_MAX = 10_000;

/** The rights of so many outlines are looked up at once. */
const OUTLINES_AT_ONCE = 5000;

export type TileFeature = {
  readonly rings: readonly OutlineRing[];
  /** The id, the name and, if the request names a metric, its value. */
  readonly values: readonly Value[];
};

export type ReadLayerTileResult = {
  readonly features: readonly TileFeature[];
  readonly hasValues: boolean;
};

/** The outlines of a map tile of a layer: those of features that the caller sees, cut to the tile. */
export async function readLayerTile(
  context: ServiceContext,
  pinned: PinnedLayerTile,
  call: Call,
): Promise<ReadLayerTileResult> {
  // Refused: a layer without outlines, a tile that does not exist, a metric without single values, a dimension.
  const plan = inSpan('plan', () => checkLayerTile(pinned));
  const { request, layer } = pinned;
  const found = context.outlines.find(layer.features, request.tile);
  if (found === undefined) throw ServiceError.outlinesNotPrepared();
  // Refused: a full queue, a missed deadline.
  const slot = await takeSlot(context, call, { token: undefined, pageSize: TILE_FEATURES_MAX });
  try {
    // Refused: too many queries at once.
    const { signal } = slot;
    const { visibleFeatures } = context;
    const features = await drawFeatures(found, {
      tile: request.tile,
      namesOf: (ids) => visibleFeatures.names(layer, ids, signal),
      valuesOf: plan && (await openValues(context, { plan, request }, signal)),
      signal,
    });
    return { features, hasValues: plan !== undefined };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

type ValuesOf = (ids: readonly string[]) => Promise<KnownFeatures<Value>>;

/** Reads the values of the period that the request names, else of the last one that has values. */
async function openValues(
  { extents, visibleFeatures }: ServiceContext,
  { plan, request }: { readonly plan: TileValuesPlan; readonly request: ReadLayerTileRequest },
  signal: StopSignal,
): Promise<ValuesOf> {
  const { lastDay, isWhole } = await extents.read(plan.version, signal);
  const { start, end } = request.period;
  const isNamed = start !== undefined || end !== undefined;
  if (!isNamed && lastDay === null) return () => Promise.resolve(new Map());
  const period = isNamed || lastDay === null ? request.period : { end: lastDay };
  const selected = JSON.stringify(request.dimensionFilter);
  return (ids) => visibleFeatures.values({ plan, selected, period, isWhole }, ids, signal);
}

async function drawFeatures(
  found: TileOutlines,
  {
    tile,
    namesOf,
    valuesOf,
    signal,
  }: {
    readonly tile: TileAddress;
    readonly namesOf: (ids: readonly string[]) => Promise<KnownFeatures<string>>;
    readonly valuesOf: ValuesOf | undefined;
    readonly signal: StopSignal;
  },
): Promise<readonly TileFeature[]> {
  const features: TileFeature[] = [];
  const ticks = openTicks();
  const giveWay = async (): Promise<void> => {
    if (!ticks.isOver()) return;
    await ticks.next();
    signal.throwIfAborted();
  };
  for (let start = 0; start < found.count; start += OUTLINES_AT_ONCE) {
    const end = Math.min(start + OUTLINES_AT_ONCE, found.count);
    const ids: string[] = [];
    for (let index = start; index < end; index += 1) {
      await giveWay();
      ids.push(found.idAt(index));
    }
    const names = await namesOf(ids);
    const visible = ids.filter((id) => names.get(id) !== undefined);
    const values = await valuesOf?.(visible);
    for (let index = start; index < end; index += 1) {
      await giveWay();
      // A hidden feature takes no place of a visible one.
      const id = ids[index - start] ?? '';
      const name = names.get(id);
      if (name === undefined) continue;
      const outline = found.outlineAt(index);
      const rings = cutToTile({ outline, box: found.boxAt(index), bits: found.bits }, tile);
      if (rings.length === 0) continue;
      features.push({ rings, values: [id, name === '' ? null : name, values?.get(id) ?? null] });
      if (features.length === TILE_FEATURES_MAX) return features;
    }
  }
  return features;
}
