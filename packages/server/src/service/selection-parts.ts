import type { RowSelection } from '@locmetrics/core/domain/catalog-request';
import { canonicalOperator } from '@locmetrics/core/domain/filter';
import type { GeoPolygon } from '@locmetrics/core/domain/polygon';

/** Everything that decides which rows a request selects. A page token is bound to it. */
export function selectionParts(selection: RowSelection): readonly unknown[] {
  const { dataReferenceName, filters, filterLogic, options, asOf, countOnly } = selection;
  const { boundingBox: box, polygon, orderBy, trimToPeriodOfExistence } = options;
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
  ];
}

/** Nothing without a polygon, so that a token of a request without one stays valid. */
export function polygonParts(polygon: GeoPolygon | undefined): readonly unknown[] {
  return polygon === undefined
    ? []
    : [polygon.coordinates.flatMap(({ longitude, latitude }) => [longitude, latitude])];
}
