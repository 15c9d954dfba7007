import type { BoundingBox } from '../domain/bounding-box.ts';
import type { RowOptions } from '../domain/catalog-request.ts';
import { type Dataset, findField, trimsToExistence } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import { ServiceError } from '../domain/service-error.ts';
import { expectField } from './plan-fields.ts';
import type { Order, Predicate } from './read-plan.ts';

/** The predicates of the bounding box and of trim_to_period_of_existence. */
export function planOptionPredicates(options: RowOptions, dataset: Dataset): readonly Predicate[] {
  const predicates: Predicate[] = [];
  if (options.boundingBox !== undefined) {
    predicates.push(planBoundingBox(options.boundingBox, dataset));
  }
  if (options.trimToPeriodOfExistence === 'trim' && trimsToExistence(dataset)) {
    predicates.push(planExisted(dataset));
  }
  return predicates;
}

/** The order of a records request; absent: the order of the key. */
export function planOrder(options: RowOptions, dataset: Dataset): Order | undefined {
  if (options.orderBy === undefined) return undefined;
  const { fieldName, descending } = options.orderBy;
  return { field: expectField(fieldName, dataset, '/options/orderBy/fieldName'), descending };
}

function planBoundingBox(box: BoundingBox, dataset: Dataset): Predicate {
  const pointer = '/options/boundingBox';
  if (dataset.point === undefined) {
    throw ServiceError.atPointer(
      'UNAVAILABLE_OPTION',
      pointer,
      `The records of ${dataset.name} have no point, so there is no bounding box to filter by.`,
      'Leave boundingBox out; getDataReference says which options are available.',
    );
  }
  checkDegree(box.minLat, 90, `${pointer}/minLat`);
  checkDegree(box.maxLat, 90, `${pointer}/maxLat`);
  checkDegree(box.minLng, 180, `${pointer}/minLng`);
  checkDegree(box.maxLng, 180, `${pointer}/maxLng`);
  if (box.minLat > box.maxLat) {
    throw ServiceError.atPointer(
      'INVALID_BOUNDING_BOX',
      `${pointer}/minLat`,
      `minLat ${box.minLat} is greater than maxLat ${box.maxLat}.`,
      'Exchange the two latitudes. Only minLng may be greater: such a box crosses the antimeridian.',
    );
  }
  return {
    kind: 'box',
    latitude: roleField(dataset, dataset.point.latitude),
    longitude: roleField(dataset, dataset.point.longitude),
    box,
  };
}

function checkDegree(degree: number, limit: number, pointer: string): void {
  if (degree >= -limit && degree <= limit) return;
  throw ServiceError.atPointer(
    'INVALID_BOUNDING_BOX',
    pointer,
    `The degree ${degree} is not between -${limit} and ${limit}.`,
    limit === 90
      ? 'Latitudes lie between -90 and 90; perhaps latitude and longitude are exchanged.'
      : 'Longitudes lie between -180 and 180; a box across the antimeridian has minLng > maxLng.',
  );
}

function planExisted(dataset: Dataset): Predicate {
  const { existence, period } = dataset;
  const optional = (name: string | undefined) =>
    name === undefined ? undefined : roleField(dataset, name);
  return {
    kind: 'existed',
    periodStart: roleField(dataset, period?.start ?? ''),
    periodEnd: roleField(dataset, period?.end ?? ''),
    existenceStart: optional(existence?.start),
    existenceEnd: optional(existence?.end),
  };
}

/** A field that the manifest gave a role; the manifest was refused if there is no such field. */
function roleField(dataset: Dataset, name: string): Field {
  const field = findField(dataset, name);
  if (field === undefined) throw new Error(`The dataset ${dataset.name} lost its field ${name}.`);
  return field;
}
