import { catalogV1 } from '@locmetrics/contract/grpc';
import type { SearchLayerFeaturesRequest } from '../../../domain/metric-request.ts';
import { encodeLayerFeaturesMessage } from '../../../encoding/searches-protobuf.ts';
import { searchLayerFeatures } from '../../../service/search-layer-features.ts';
import { readComponentFilter } from '../read-component-filter.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callSearchLayerFeatures({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.QueryService.method.searchLayerFeatures, async (request, call) => {
    const result = await searchLayerFeatures(service, toRequest(request), call);
    return call.encode(() => encodeLayerFeaturesMessage(result));
  });
}

/** `skip_polygon` and `track_total_hits` change nothing: features have no outline, and the total is always counted. */
function toRequest(request: catalogV1.SearchLayerFeaturesRequest): SearchLayerFeaturesRequest {
  const { boundingBoxFilter: box, existedInDateRange } = request;
  const { startDate = '', endDate = '' } = existedInDateRange ?? {};
  return {
    catalogId: request.catalogId,
    layerId: request.layerId,
    billingContext: request.billingContext,
    featureFilter: request.featureFilter,
    addressComponentFilter: request.addressComponentFilter.map(readComponentFilter),
    ...(box === undefined
      ? {}
      : {
          boundingBoxFilter: {
            minLng: box.west,
            minLat: box.south,
            maxLng: box.east,
            maxLat: box.north,
          },
        }),
    query: request.query,
    existedInDateRange: {
      ...(startDate === '' ? {} : { start: startDate }),
      ...(endDate === '' ? {} : { end: endDate }),
    },
    addressComponentWhitelist: request.addressComponentWhitelist,
    pageSize: request.pageSize,
    pageToken: request.pageToken,
  };
}
