import { hasVectorsOf } from '../domain/dataset.ts';
import { type AddressComponent, findAddressComponent, type Layer } from '../domain/layer.ts';
import type { AddressComponentFilter } from '../domain/metric.ts';
import type { Predicate } from '../domain/predicate.ts';
import type { LayerVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import { unknownName } from '../errors/unknown-name.ts';
import type { GeoCircle } from '../geometry/circle.ts';
import type { GeoPolygon } from '../geometry/polygon.ts';
import { checkStoredText } from '../text/stored-text.ts';
import type { MergedFilters } from './merge-filters.ts';
import { planInCircle } from './plan-circle.ts';
import { planInside } from './plan-polygon.ts';
import { planTextValues } from './plan-text-values.ts';
import { roleField } from './role-fields.ts';

/** Each filter is a pass over the remaining records: more would occupy a core for minutes. */
const FILTERS_MAX = 100;
const FILTER_VALUES_MAX = 10_000;

/** Features with one of the ids; all features if no id is given. */
export function planFeatureIds(
  ids: readonly string[],
  layer: LayerVersion,
  pointer: string,
): readonly Predicate[] {
  checkFeatureIds(ids, pointer);
  if (ids.length === 0) return [];
  return [planTextValues(roleField(layer.features.dataset, layer.layer.featureId), ids)];
}

export function checkFeatureIds(ids: readonly string[], pointer: string): void {
  checkCount(ids, FILTER_VALUES_MAX, pointer, 'feature ids');
  for (const [index, id] of ids.entries()) checkStoredText(id, `${pointer}/${index}`);
  const blank = ids.findIndex((id) => id.trim() === '');
  if (blank === -1) return;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    `${pointer}/${blank}`,
    'A feature id is blank.',
    'Send the id of a feature, or leave the filter out for all features.',
  );
}

/** Features whose point is inside the polygon, edges included; all features without one. */
export function planFeaturePolygon(
  polygon: GeoPolygon | undefined,
  layer: LayerVersion,
  pointer: string,
): readonly Predicate[] {
  if (polygon === undefined) return [];
  return planInside(
    polygon,
    expectPoint(layer, pointer, 'polygon'),
    layer.features.dataset,
    pointer,
  );
}

/** Features whose point is in the circle; all features without one. */
export function planFeatureCircle(
  circle: GeoCircle | undefined,
  layer: LayerVersion,
  pointer: string,
): readonly Predicate[] {
  if (circle === undefined) return [];
  const point = expectPoint(layer, pointer, 'circle');
  const { dataset } = layer.features;
  if (!hasVectorsOf(point, dataset)) throw withoutVectors(layer, pointer);
  return planInCircle(circle, point, dataset, pointer);
}

function withoutVectors({ layer, features: { dataset } }: LayerVersion, pointer: string) {
  const isOther = dataset.vectors !== undefined;
  return ServiceError.atPointer(
    'UNAVAILABLE_OPTION',
    pointer,
    isOther
      ? `The layer '${layer.id}' has another point than ${dataset.name}, so its features cannot be filtered by a circle.`
      : `This version of ${dataset.name} was published before circles, so its features cannot be filtered by one.`,
    isOther
      ? 'Leave the circle out, or send a polygon.'
      : 'Leave the circle out. To make it available, the owner of the data has to publish the dataset again.',
  );
}

/** The point of the features of a layer; a layer whose features have none is refused. */
export function expectPoint(
  { layer }: LayerVersion,
  pointer: string,
  shape: 'box' | 'polygon' | 'circle',
): NonNullable<Layer['point']> {
  if (layer.point !== undefined) return layer.point;
  throw ServiceError.atPointer(
    'UNAVAILABLE_OPTION',
    pointer,
    `The features of the layer '${layer.id}' have no point, so they cannot be filtered by a ${shape}.`,
    `Leave the ${shape === 'box' ? 'bounding box' : shape} out.`,
  );
}

/** Features with one of the values of each component. */
export function planComponentFilters(
  filters: MergedFilters<AddressComponentFilter>,
  { layer, features }: LayerVersion,
  pointer: string,
): readonly Predicate[] {
  for (const [index, { component, values }] of filters.sent.entries()) {
    const found = expectComponent(component, layer, `${pointer}/${index}/component`);
    checkIsFilterable(found, `${pointer}/${index}/component`);
    checkValues(values, component, `${pointer}/${index}/values`);
  }
  checkMerged(filters, pointer);
  return filters.merged.map(({ component, values }) => {
    const { fields } = expectComponent(component, layer, pointer);
    return planTextValues(roleField(features.dataset, fields.value), values);
  });
}

/**
 * Refuses too many filters, and too many values in one. A query string repeats a component for each
 * value, so the filters are counted after merging.
 */
export function checkMerged(
  { sent, merged }: MergedFilters<{ readonly values: readonly string[] }>,
  pointer: string,
): void {
  checkCount(sent, FILTER_VALUES_MAX, pointer, 'filters');
  checkCount(merged, FILTERS_MAX, pointer, 'filters');
  for (const { values } of merged) checkCount(values, FILTER_VALUES_MAX, pointer, 'values');
}

/** The component with this id; an unknown id is refused with the nearest known one. */
export function expectComponent(
  component: string,
  layer: Layer,
  pointer: string,
): AddressComponent {
  const found = findAddressComponent(layer, component);
  if (found !== undefined) return found;
  throw unknownName('UNKNOWN_COMPONENT', pointer, {
    noun: 'component',
    owner: `the layer '${layer.id}'`,
    name: component,
    known: layer.addressComponents.map((known) => known.component),
  });
}

/** Refuses a filter without values, with too many, or with a value that cannot be stored. */
export function checkValues(values: readonly string[], name: string, pointer: string): void {
  checkCount(values, FILTER_VALUES_MAX, pointer, 'values');
  for (const [index, value] of values.entries()) checkStoredText(value, `${pointer}/${index}`);
  if (values.length > 0) return;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    `The filter on '${name}' has no values.`,
    'Send at least one value, or leave the filter out.',
  );
}

export function checkCount(
  items: readonly unknown[],
  max: number,
  pointer: string,
  what: string,
): void {
  if (items.length <= max) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    pointer,
    `The request has ${items.length} ${what} here.`,
    `Send at most ${max} in one request.`,
  );
}

function checkIsFilterable({ component, kind }: AddressComponent, pointer: string): void {
  if (kind !== 'free_form') return;
  throw ServiceError.atPointer(
    'UNSUPPORTED_FILTER',
    pointer,
    `The component '${component}' has the kind free form, which does not support filters.`,
    'Filter on a component of another kind; GetLayer returns the kind of each.',
  );
}
