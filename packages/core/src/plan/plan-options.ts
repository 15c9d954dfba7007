import { type Dataset, trimsToExistence } from '../domain/dataset.ts';
import type { Predicate } from '../domain/predicate.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { BoundingBox } from '../geometry/bounding-box.ts';
import type { OrderKey, RowOptions } from '../requests/catalog-request.ts';
import { checkOneArea } from './check-one-area.ts';
import { planBox } from './plan-box.ts';
import { expectVectors, planCenter, planCircle } from './plan-circle.ts';
import { expectField, refuseOutline } from './plan-fields.ts';
import { planPolygon } from './plan-polygon.ts';
import type { OrderTerm } from './read-plan.ts';
import { existenceFields, roleField } from './role-fields.ts';

/** The predicates of the bounding box, of the polygon, of the circle and of trim_to_period_of_existence. */
export function planOptionPredicates(options: RowOptions, dataset: Dataset): readonly Predicate[] {
  const predicates: Predicate[] = [];
  if (options.boundingBox !== undefined) {
    predicates.push(planBoundingBox(options.boundingBox, dataset));
  }
  checkOneArea(
    { boundingBox: options.boundingBox, polygon: options.polygon, circle: options.circle },
    { polygon: '/options/polygon', circle: '/options/circle' },
  );
  if (options.polygon !== undefined) {
    predicates.push(...planPolygon(options.polygon, dataset, '/options/polygon'));
  }
  if (options.circle !== undefined) {
    predicates.push(...planCircle(options.circle, dataset, '/options/circle'));
  }
  if (options.trimToPeriodOfExistence === 'trim') {
    predicates.push(...planExisted(dataset));
  }
  return predicates;
}

/** Each key makes a page slower, and the key of the dataset follows them anyway. */
const THEN_BY_MAX = 10;

/** The order of a records request: absent values last in both directions, ties by the key. */
export function planOrder(options: RowOptions, dataset: Dataset): readonly OrderTerm[] {
  if (options.near !== undefined) return [planNear(options, options.near, dataset)];
  return planOrderKeys(options, ({ fieldName, descending }, pointer) => {
    const field = expectField(fieldName, dataset, pointer);
    refuseOutline(field, pointer, 'sorted');
    return { kind: 'field', field, descending, absentFirst: false };
  });
}

/** The terms of orderBy and then of each key of thenBy; `pointer` is that of the name of a key. */
export function planOrderKeys<Term>(
  { orderBy, thenBy = [] }: RowOptions,
  planKey: (key: OrderKey, pointer: string) => Term,
): readonly Term[] {
  if (orderBy === undefined) {
    if (thenBy.length === 0) return [];
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/options/thenBy',
      'The request has thenBy, but no orderBy.',
      'Send the first key as orderBy, and the others as thenBy.',
    );
  }
  if (thenBy.length > THEN_BY_MAX) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/options/thenBy',
      `The request has ${thenBy.length} keys in thenBy.`,
      `Send at most ${THEN_BY_MAX}.`,
    );
  }
  const terms = [planKey(orderBy, '/options/orderBy/fieldName')];
  const names = new Set([orderBy.fieldName]);
  for (const [index, key] of thenBy.entries()) {
    const pointer = `/options/thenBy/${index}/fieldName`;
    if (names.has(key.fieldName)) {
      throw ServiceError.atPointer(
        'INVALID_OPTION',
        pointer,
        `The order has the field '${key.fieldName}' already.`,
        'Name each field once: its values are equal where this key would decide.',
      );
    }
    names.add(key.fieldName);
    terms.push(planKey(key, pointer));
  }
  return terms;
}

/** Refuses further keys in a request whose rows have no order by several. */
export function refuseThenBy({ thenBy }: RowOptions, detail: string, hint: string): void {
  if (thenBy !== undefined) {
    throw ServiceError.atPointer('INVALID_OPTION', '/options/thenBy', detail, hint);
  }
}

/** The order by distance. Refused: another order too, and a dataset without points or their vectors. */
function planNear(
  { orderBy, thenBy }: RowOptions,
  near: NonNullable<RowOptions['near']>,
  dataset: Dataset,
): OrderTerm {
  const pointer = '/options/near';
  if (orderBy !== undefined || thenBy !== undefined) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      pointer,
      `The request has both near and ${orderBy === undefined ? 'thenBy' : 'orderBy'}.`,
      'Send one of them: near orders the records by their distance.',
    );
  }
  const point = expectVectors(dataset, pointer, 'near');
  return {
    kind: 'near',
    latitude: roleField(dataset, point.latitude),
    longitude: roleField(dataset, point.longitude),
    target: planCenter(near, pointer),
  };
}

/** Refuses the order by distance in a request for something else than records. */
export function refuseNear({ near }: RowOptions, asked: string): void {
  if (near === undefined) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/options/near',
    `The request is for ${asked}, which have no order by distance.`,
    'Leave near out. To select what is near, send a circle.',
  );
}

function planBoundingBox(box: BoundingBox, dataset: Dataset): Predicate {
  const pointer = '/options/boundingBox';
  if (dataset.point === undefined) {
    throw ServiceError.atPointer(
      'UNAVAILABLE_OPTION',
      pointer,
      `The records of ${dataset.name} have no point, so they cannot be filtered by a bounding box.`,
      'Leave boundingBox out; getDataReference lists the available options.',
    );
  }
  return planBox(box, dataset.point, dataset, {
    minLng: `${pointer}/minLng`,
    minLat: `${pointer}/minLat`,
    maxLng: `${pointer}/maxLng`,
    maxLat: `${pointer}/maxLat`,
  });
}

/** Records whose period overlaps the existence of their place; empty if the dataset lacks either. */
export function planExisted(dataset: Dataset): readonly Predicate[] {
  const { existence, period } = dataset;
  if (!trimsToExistence(dataset)) return [];
  return [
    {
      kind: 'existed',
      overlap: {
        periodStart: roleField(dataset, period?.start ?? ''),
        periodEnd: roleField(dataset, period?.end ?? ''),
        ...existenceFields(dataset, existence ?? {}),
      },
    },
  ];
}
