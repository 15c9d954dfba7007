import type { Feature } from '@locmetrics/core/domain/feature';
import { valueText } from '@locmetrics/core/domain/value';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import { roleField } from '@locmetrics/core/plan/role-fields';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { planByIds } from '../read-features.ts';

/** The outlines of so many features are read at once. */
const FEATURES_AT_ONCE = 100;

/** A page ends once its outlines have so many characters: an outline can be as long as thousands of features. */
const PAGE_MAX_LENGTH = 16 * 2 ** 20;

/** Features of a layer with their outlines as they were published: the first ones, and at least one. */
export async function addOutlines(
  engine: Engine,
  { layer, features: version }: LayerVersion,
  features: readonly Feature[],
  signal: StopSignal,
): Promise<readonly Feature[]> {
  if (layer.outline === undefined) return features;
  const id = roleField(version.dataset, layer.featureId);
  const fields = [id, roleField(version.dataset, layer.outline)];
  const drawn: Feature[] = [];
  let length = 0;
  for (let start = 0; start < features.length; start += FEATURES_AT_ONCE) {
    const some = features.slice(start, start + FEATURES_AT_ONCE);
    const ids = new Set(some.map(({ featureId }) => featureId));
    const { rows } = await engine.run(planByIds(version, { id, fields, ids }), signal);
    const outlines = new Map(rows.map((row) => [valueText(row[0] ?? null), row[1] ?? null]));
    for (const feature of some) {
      const polygon = valueText(outlines.get(feature.featureId) ?? null);
      length += polygon.length;
      if (drawn.length > 0 && length > PAGE_MAX_LENGTH) return drawn;
      drawn.push(polygon === '' ? feature : { ...feature, polygon });
    }
  }
  return drawn;
}
