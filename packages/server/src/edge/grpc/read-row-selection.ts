import { catalogV3 } from '@locmetrics/contract/grpc';
import type {
  FieldSelection,
  RowOptions,
  RowSelection,
} from '@locmetrics/core/domain/catalog-request';

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
    filters: filters.map(({ fieldName, operator, value, values }) => ({
      fieldName,
      operator,
      value,
      values,
    })),
    filterLogic: request.filterLogic,
    options: readOptions(request.options),
    billingContext,
    pageSize,
    pageToken,
    asOf: request.asOf,
    countOnly: request.countOnly,
  };
}

export function readFieldSelection(field: catalogV3.Field | undefined): FieldSelection {
  return { name: field?.name ?? '', source: field?.source ?? '' };
}

function readOptions(options: catalogV3.Options | undefined): RowOptions {
  const { IGNORE } = catalogV3.TrimToPeriodOfExistence;
  const box = options?.boundingBox;
  const order = options?.orderBy;
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
    trimToPeriodOfExistence: options?.trimToPeriodOfExistence === IGNORE ? 'ignore' : 'trim',
    ...(order === undefined
      ? {}
      : {
          orderBy: {
            fieldName: order.fieldName,
            descending: order.direction === catalogV3.OrderDirection.DESC,
          },
        }),
  };
}
