import { canonicalOperator } from '@locmetrics/core/domain/filter';
import type { GeoCircle } from '@locmetrics/core/geometry/circle';
import type { GeoCoordinate, GeoPolygon } from '@locmetrics/core/geometry/polygon';
import type { RowSelection } from '@locmetrics/core/requests/catalog-request';

/** Everything that decides which rows a request selects. A page token is bound to it. */
export function selectionParts(selection: RowSelection): readonly unknown[] {
  const { dataReferenceName, filters, filterLogic, options, asOf, countOnly } = selection;
  const { boundingBox: box, polygon, circle, near, trimToPeriodOfExistence } = options;
  const { orderBy, thenBy } = options;
  return [
    dataReferenceName,
    filters.map(({ fieldName, operator, value, values }) => [
      fieldName,
      canonicalOperator(operator),
      String(value),
      values.map(String),
    ]),
    box === undefined ? [] : [box.minLng, box.minLat, box.maxLng, box.maxLat],
    orderBy === undefined ? [] : [orderBy.fieldName, orderBy.descending],
    trimToPeriodOfExistence,
    asOf,
    countOnly,
    // Left out if empty, so that a token of a request without them stays valid.
    ...(filterLogic === '' ? [] : [filterLogic]),
    ...polygonParts(polygon),
    ...circleParts(circle),
    ...(near === undefined ? [] : [{ near: pointParts(near) }]),
    ...(thenBy === undefined
      ? []
      : [{ thenBy: thenBy.map(({ fieldName, descending }) => [fieldName, descending]) }]),
  ];
}

/** Nothing without a polygon, so that a token of a request without one stays valid. */
export function polygonParts(polygon: GeoPolygon | undefined): readonly unknown[] {
  return polygon === undefined
    ? []
    : [polygon.coordinates.flatMap(({ longitude, latitude }) => [longitude, latitude])];
}

/** The same of a circle. */
export function circleParts(circle: GeoCircle | undefined): readonly unknown[] {
  return circle === undefined ? [] : [{ circle: pointParts(circle), metres: circle.radiusMetres }];
}

function pointParts({ longitude, latitude }: GeoCoordinate): readonly unknown[] {
  return [longitude, latitude];
}
