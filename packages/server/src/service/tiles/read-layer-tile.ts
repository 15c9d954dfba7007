import type { OutlineRing, TileOutlines } from '@locmetrics/core/domain/outline';
import type { Value } from '@locmetrics/core/domain/value';
import type { TileAddress } from '@locmetrics/core/geometry/tile';
import type { TileValuesPlan } from '@locmetrics/core/plan/plan-tile-values';
import type { ReadLayerTileRequest } from '@locmetrics/core/requests/metric-request';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import { openTicks, type Ticks } from '@locmetrics/core/runtime/ticks';
import { inSpan } from '../../observe/request-scope.ts';
import { type DrawnOutlines, drawnKey, drawRings } from '../drawn-outlines.ts';
import type { KnownFeatures } from '../kept-by-feature.ts';
import { outlinesSoon } from '../outlines-soon.ts';
import { takeSlot } from '../page-steps.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { checkLayerTile, type PinnedLayerTile } from './pin-layer-tile.ts';

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
  // Refused: outlines that are not prepared.
  const found = await outlinesSoon(
    () => context.outlines.find(layer.features, request.tile),
    call.signal,
  );
  // Refused: a full queue, a missed deadline.
  const slot = await takeSlot(context, call, { token: undefined, pageSize: TILE_FEATURES_MAX });
  try {
    // Refused: too many queries at once.
    const { signal } = slot;
    const { visibleFeatures } = context;
    const ticks = openRequestTicks(signal);
    const features = await drawFeatures(drawParts(context, pinned, { found, ticks }), {
      namesOf: (ids) => visibleFeatures.names(layer, ids, signal),
      valuesOf: plan && (await openValues(context, { plan, request }, signal)),
      ticks,
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
  parts: AsyncIterable<DrawnPart>,
  {
    namesOf,
    valuesOf,
    ticks,
  }: {
    readonly namesOf: (ids: readonly string[]) => Promise<KnownFeatures<string>>;
    readonly valuesOf: ValuesOf | undefined;
    readonly ticks: Ticks;
  },
): Promise<readonly TileFeature[]> {
  const features: TileFeature[] = [];
  for await (const { ids, ringsAt } of parts) {
    const names = await namesOf(ids);
    const visible = ids.filter((id) => names.get(id) !== undefined);
    const values = await valuesOf?.(visible);
    for (const [index, id] of ids.entries()) {
      if (ticks.isOver()) await ticks.next();
      // A hidden feature takes no place of a visible one.
      const name = names.get(id);
      if (name === undefined) continue;
      const rings = ringsAt(index);
      if (rings.length === 0) continue;
      features.push({ rings, values: [id, name === '' ? null : name, values?.get(id) ?? null] });
      if (features.length === TILE_FEATURES_MAX) return features;
    }
  }
  return features;
}

type DrawnPart = {
  readonly ids: readonly string[];
  /** The rings of one of them; none if nothing of it is in the tile. */
  readonly ringsAt: (index: number) => readonly OutlineRing[];
};

/** The outlines of a tile. Of so many that some are not shown, only those that the caller sees are drawn. */
async function* drawParts(
  { drawnOutlines }: ServiceContext,
  { request: { tile }, layer }: PinnedLayerTile,
  { found, ticks }: { readonly found: TileOutlines; readonly ticks: Ticks },
): AsyncGenerator<DrawnPart> {
  if (found.count > TILE_FEATURES_MAX) {
    for (let start = 0; start < found.count; start += OUTLINES_AT_ONCE) {
      const ids: string[] = [];
      for (let at = start; at < Math.min(start + OUTLINES_AT_ONCE, found.count); at += 1) {
        if (ticks.isOver()) await ticks.next();
        ids.push(found.idAt(at));
      }
      yield { ids, ringsAt: (index) => drawRings(found, start + index, tile) };
    }
    return;
  }
  const key = drawnKey(layer.features, tile);
  let drawn = drawnOutlines.find(key);
  if (drawn === undefined) {
    drawn = await drawAll(found, tile, ticks);
    drawnOutlines.keep(key, drawn);
  }
  const { ids, rings } = drawn;
  yield { ids, ringsAt: (index) => rings[index] ?? [] };
}

async function drawAll(
  found: TileOutlines,
  tile: TileAddress,
  ticks: Ticks,
): Promise<DrawnOutlines> {
  const ids: string[] = [];
  const rings: (readonly OutlineRing[])[] = [];
  for (let index = 0; index < found.count; index += 1) {
    if (ticks.isOver()) await ticks.next();
    const drawn = drawRings(found, index, tile);
    if (drawn.length === 0) continue;
    ids.push(found.idAt(index));
    rings.push(drawn);
  }
  return { ids, rings };
}

/** Ticks of a request that may be ended between two of them. */
function openRequestTicks(signal: StopSignal): Ticks {
  const ticks = openTicks();
  return {
    isOver: ticks.isOver,
    next: async () => {
      await ticks.next();
      signal.throwIfAborted();
    },
  };
}
