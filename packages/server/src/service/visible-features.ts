import { valueText } from '@locmetrics/core/domain/value';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import { roleField } from '@locmetrics/core/plan/role-fields';
import { keepNewest, memoize } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { planByIds } from './read-features.ts';

/** The names of features that a caller sees, by id; an empty text for one without a name. */
export type VisibleNames = (
  ids: readonly string[],
  signal: StopSignal,
) => Promise<ReadonlyMap<string, string | undefined>>;

/** The names of so many layers, as callers with the same rights see them, are kept. */
const LAYERS_MAX = 32;

/** The names of so many features of a layer are kept: a few MB. */
const FEATURES_MAX = 50_000;

/**
 * Reads names of features, and keeps them: a map asks for the same features at every zoom. Which ones are visible
 * follows from the rights of the caller and from the versions, both of which the view of the layer has.
 */
export function openVisibleNames(engine: Engine): (layer: LayerVersion) => VisibleNames {
  const kept = new Map<LayerVersion['features'], Map<string, string | undefined>>();
  const read = memoize((layer: LayerVersion): VisibleNames => {
    const { features } = layer;
    return async (ids, signal) => {
      const known = kept.get(features) ?? new Map<string, string | undefined>();
      if (known.size > FEATURES_MAX) known.clear();
      keepNewest(kept, { key: features, value: known }, LAYERS_MAX);
      const missing = new Set(ids.filter((id) => !known.has(id)));
      if (missing.size === 0) return known;
      const found = await readNames(engine, layer, missing, signal);
      for (const id of missing) known.set(id, found.get(id));
      return known;
    };
  });
  return read;
}

async function readNames(
  engine: Engine,
  { layer, features }: LayerVersion,
  ids: ReadonlySet<string>,
  signal: StopSignal,
): Promise<ReadonlyMap<string, string>> {
  const id = roleField(features.dataset, layer.featureId);
  const fields = [id, roleField(features.dataset, layer.name)];
  const { rows } = await engine.run(planByIds(features, { id, fields, ids }), signal);
  return new Map(rows.map((row) => [valueText(row[0] ?? null), valueText(row[1] ?? null)]));
}
