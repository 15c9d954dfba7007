import type { Feature } from '@locmetrics/core/domain/feature';
import type { Field } from '@locmetrics/core/domain/field';
import { findAddressComponent } from '@locmetrics/core/domain/layer';
import type { Predicate, ReadableVersion } from '@locmetrics/core/domain/predicate';
import { type Value, valueText } from '@locmetrics/core/domain/value';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import { planTextValues } from '@locmetrics/core/plan/plan-text-values';
import type { NamedValuesSource, RecordsPlan } from '@locmetrics/core/plan/read-plan';
import { featureFields, roleField } from '@locmetrics/core/plan/role-fields';
import { memoize } from '@locmetrics/core/runtime/memoize';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { compareUtf8 } from '@locmetrics/core/text/text-order';

/** The features with these ids, by id. An unknown id is left out. */
export async function readFeatures(
  engine: Engine,
  layer: LayerVersion,
  ids: ReadonlySet<string>,
  signal: StopSignal,
): Promise<ReadonlyMap<string, Feature>> {
  if (ids.size === 0) return new Map();
  const { id, fields, toFeature } = readingOf(layer);
  const page = await engine.run(planByIds(layer.features, { id, fields, ids }), signal);
  return new Map(
    page.rows.map((row) => {
      const feature = toFeature(row);
      return [feature.featureId, feature];
    }),
  );
}

/** The names of the features with these ids, by id. One that is unknown or has no name is left out. */
export async function readFeatureNames(
  engine: Engine,
  { version, value, displayName }: NamedValuesSource,
  ids: ReadonlySet<string>,
  signal: StopSignal,
): Promise<ReadonlyMap<string, string>> {
  if (ids.size === 0 || displayName === undefined) return new Map();
  const plan = planByIds(version, { id: value, fields: [value, displayName], ids });
  const page = await engine.run(plan, signal);
  return new Map(
    page.rows.flatMap(([id = null, name = null]) =>
      name === null ? [] : [[valueText(id), valueText(name)] as const],
    ),
  );
}

/** How the features of a layer are read. */
const readingOf = memoize((version: LayerVersion) => {
  const { layer, features } = version;
  const fields = featureFields(version);
  const id = roleField(features.dataset, layer.featureId);
  return { id, fields, toFeature: featureReader(version, fields) };
});

/** The records with these ids; an id has at most one. */
export function planByIds(
  version: ReadableVersion,
  {
    id,
    fields,
    ids,
  }: {
    readonly id: Field;
    readonly fields: readonly Field[];
    readonly ids: ReadonlySet<string>;
  },
): RecordsPlan {
  return {
    kind: 'records',
    version,
    fields,
    predicates: planIds(id, [...ids].sort(compareUtf8)),
    order: [],
    keyDescending: false,
    limit: ids.size,
  };
}

/**
 * The bounds add no condition, but zone maps prune by them, because the ids of a page are close together.
 * Only ids that a stored text can hold are used: the engine may change another text when it is bound.
 */
export function planIds(field: Field, sorted: readonly string[]): readonly Predicate[] {
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

/**
 * Converts rows with the values of `fields` to features. `components` names the address components of
 * the result; default: all.
 */
export function featureReader(
  { layer }: LayerVersion,
  fields: readonly Field[],
  components: readonly string[] = layer.addressComponents.map(({ component }) => component),
): (row: readonly Value[]) => Feature {
  const textOf = (name: string | undefined) => textReader(fields, name);
  const featureId = textOf(layer.featureId);
  const name = textOf(layer.name);
  const latitude = columnReader(fields, layer.point?.latitude);
  const longitude = columnReader(fields, layer.point?.longitude);
  const cameIntoExistence = textOf(layer.existence?.start);
  const ceasedToExist = textOf(layer.existence?.end);
  const readers = components.map((component) => {
    const names = findAddressComponent(layer, component)?.fields;
    return {
      component,
      value: textOf(names?.value),
      shortName: textOf(names?.shortName),
      displayName: textOf(names?.displayName),
    };
  });
  return (row) => ({
    layerId: layer.id,
    featureId: featureId(row),
    name: name(row),
    ...pointOf(latitude(row), longitude(row)),
    addressComponents: readers.map(({ component, value, shortName, displayName }) => {
      const text = value(row);
      // A component without a value has no name either.
      return text === ''
        ? { component, value: '', shortName: '', displayName: '' }
        : { component, value: text, shortName: shortName(row), displayName: displayName(row) };
    }),
    cameIntoExistence: cameIntoExistence(row),
    ceasedToExist: ceasedToExist(row),
  });
}

/** Returns a reader of one field of a row; for an undefined field the reader returns `null`. */
function columnReader(
  fields: readonly Field[],
  name: string | undefined,
): (row: readonly Value[]) => Value {
  if (name === undefined) return () => null;
  const index = fields.findIndex((field) => field.name === name);
  if (index === -1) throw new Error(`The plan does not read the field ${name}.`);
  return (row) => row[index] ?? null;
}

/** Returns a reader of the text form of one field of a row; empty for an absent value. */
function textReader(
  fields: readonly Field[],
  name: string | undefined,
): (row: readonly Value[]) => string {
  const read = columnReader(fields, name);
  return (row) => valueText(read(row));
}

function pointOf(latitude: Value, longitude: Value): Pick<Feature, 'point'> {
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { point: { latitude, longitude } }
    : {};
}
