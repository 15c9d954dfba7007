import type { Feature } from '../domain/feature.ts';
import type { Field } from '../domain/field.ts';
import type { Predicate } from '../domain/predicate.ts';
import { remember } from '../domain/remember.ts';
import type { StopSignal } from '../domain/stop.ts';
import { compareUtf8 } from '../domain/text-order.ts';
import type { LayerVersion } from '../domain/version.ts';
import { featureFields } from '../plan/feature-fields.ts';
import { planTextValues } from '../plan/plan-text-values.ts';
import { roleField } from '../plan/role-fields.ts';
import type { Engine } from '../storage/engine.ts';
import { featureReader } from './feature-reader.ts';

/** The features with these ids, by id. An unknown id is left out. */
export async function readFeatures(
  engine: Engine,
  layer: LayerVersion,
  ids: ReadonlySet<string>,
  signal: StopSignal,
): Promise<ReadonlyMap<string, Feature>> {
  if (ids.size === 0) return new Map();
  const { id, fields, toFeature } = readingOf(layer);
  const page = await engine.run(
    {
      kind: 'records',
      version: layer.features,
      fields,
      predicates: planIds(id, [...ids].sort(compareUtf8)),
      order: [],
      keyDescending: false,
      limit: ids.size,
    },
    signal,
  );
  return new Map(
    page.rows.map((row) => {
      const feature = toFeature(row);
      return [feature.featureId, feature];
    }),
  );
}

/** How the features of a layer are read. */
const readingOf = remember((version: LayerVersion) => {
  const { layer, features } = version;
  const fields = featureFields(version);
  const id = roleField(features.dataset, layer.featureId);
  return { id, fields, toFeature: featureReader(version, fields) };
});

/**
 * The bounds add no condition, but zone maps prune by them, because the ids of a page are close together.
 * Only ids that a stored text can hold are used: the engine may change another text when it is bound.
 */
function planIds(field: Field, sorted: readonly string[]): readonly Predicate[] {
  const isListed = planTextValues(field, sorted);
  if (isListed.kind !== 'in') return [isListed];
  const [first, last] = [isListed.values[0], isListed.values.at(-1)];
  if (first === undefined || last === undefined || first === last) return [isListed];
  return [
    isListed,
    { kind: 'compare', field, operator: '>=', value: first },
    { kind: 'compare', field, operator: '<=', value: last },
  ];
}
