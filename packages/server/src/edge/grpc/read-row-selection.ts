import { catalogV3 } from '@locmetrics/contract/grpc';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import type { GeoCircle } from '@locmetrics/core/geometry/circle';
import type { GeoPolygon } from '@locmetrics/core/geometry/polygon';
import { AGGREGATIONS } from '@locmetrics/core/requests/aggregation';
import type {
  FieldSelection,
  OrderKey,
  RowOptions,
  RowSelection,
} from '@locmetrics/core/requests/catalog-request';

type WireSelection = Pick<
  catalogV3.ListRecordsRequest,
  | 'dataReferenceName'
  | 'filters'
  | 'filterLogic'
  | 'billingContext'
  | 'pageSize'
  | 'pageToken'
  | 'asOf'
  | 'countOnly'
> & { readonly options?: catalogV3.Options | undefined };

/** The common part of both row requests. A member that the message leaves out has its empty value. */
export function readRowSelection(request: WireSelection): RowSelection {
  const { dataReferenceName, filters, billingContext, pageSize, pageToken } = request;
  return {
    dataReferenceName,
    filters: filters.map(readFilter),
    filterLogic: request.filterLogic,
    options: readOptions(request.options),
    billingContext,
    pageSize,
    pageToken,
    asOf: request.asOf,
    countOnly: request.countOnly,
  };
}

export function readFilter({
  fieldName,
  operator,
  value,
  values,
}: catalogV3.ListRecordsRequest['filters'][number]): FilterClause {
  return { fieldName, operator, value, values };
}

export function readField(field: catalogV3.Field): FieldSelection {
  const { name, source, aggregation, alias, quantile } = field;
  return {
    name,
    source,
    aggregation: AGGREGATIONS.find((name) => catalogV3.Aggregation[name] === aggregation),
    alias,
    quantile,
  };
}

export function readOptions(options: catalogV3.Options | undefined): RowOptions {
  const { IGNORE } = catalogV3.TrimToPeriodOfExistence;
  const box = options?.boundingBox;
  const { polygon, circle, near } = options ?? {};
  const { orderBy, thenBy = [] } = options ?? {};
  return {
    ...(box === undefined
      ? {}
      : {
          boundingBox: {
            minLng: box.minLng,
            minLat: box.minLat,
            maxLng: box.maxLng,
            maxLat: box.maxLat,
          },
        }),
    ...(polygon === undefined
      ? {}
      : {
          polygon: readPolygon(polygon),
        }),
    ...(circle === undefined ? {} : { circle: readCircle(circle) }),
    ...(near === undefined ? {} : { near: { longitude: near.longitude, latitude: near.latitude } }),
    trimToPeriodOfExistence: options?.trimToPeriodOfExistence === IGNORE ? 'ignore' : 'trim',
    ...(orderBy === undefined ? {} : { orderBy: readOrderKey(orderBy) }),
    ...(thenBy.length === 0 ? {} : { thenBy: thenBy.map(readOrderKey) }),
  };
}

function readOrderKey({ fieldName, direction }: catalogV3.OrderBy): OrderKey {
  return { fieldName, descending: direction === catalogV3.OrderDirection.DESC };
}

export function readPolygon({ coordinates }: catalogV3.GeoPolygon): GeoPolygon {
  return {
    coordinates: coordinates.map(({ longitude, latitude }) => ({ longitude, latitude })),
    pointsAt: '/coordinates',
  };
}

export function readCircle({ longitude, latitude, radiusMetres }: catalogV3.GeoCircle): GeoCircle {
  return { longitude, latitude, radiusMetres };
}
