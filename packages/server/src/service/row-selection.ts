import type { RowSelection } from '../domain/catalog-request.ts';
import { canonicalOperator } from '../domain/filter.ts';
import type { DatasetVersion } from '../domain/version.ts';
import type { Catalog } from '../versions/open-catalog.ts';
import { findPageVersion } from './find-version.ts';
import type { PageRequest } from './read-page.ts';

/** The page request of a row selection, without the parts that the operation adds. */
export function pageOfRows(
  catalog: Catalog,
  request: RowSelection,
  operationParts: readonly unknown[],
): PageRequest<DatasetVersion> {
  return {
    billingContext: request.billingContext,
    pageSize: request.pageSize,
    pageToken: request.pageToken,
    parts: [...operationParts, ...selectionParts(request)],
    pin: (token) => findPageVersion(catalog, request, token),
  };
}

/** Everything that decides which rows a request selects. */
function selectionParts(selection: RowSelection): readonly unknown[] {
  const { dataReferenceName, filters, options, asOf, countOnly } = selection;
  const { boundingBox: box, orderBy, trimToPeriodOfExistence } = options;
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
  ];
}
