import { catalogV1 } from '@locmetrics/contract/grpc';
import { encodeQueryLayerMessage } from '../../../encoding/searches-protobuf.ts';
import { searchLayerFeatures } from '../../../service/search-layer-features.ts';
import { readComponentFilter } from '../read-component-filter.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

/** The deprecated form of SearchLayerFeatures. */
export function callQueryLayer({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.CatalogService.method.queryLayer, async (request, call) => {
    const { catalogId, layerId, addressComponentFilter, pageSize, pageToken } = request;
    const result = await searchLayerFeatures(
      service,
      {
        catalogId,
        layerId,
        billingContext: '',
        featureFilter: [],
        addressComponentFilter: addressComponentFilter.map(readComponentFilter),
        query: '',
        existedInDateRange: {},
        addressComponentWhitelist: [],
        pageSize,
        pageToken,
      },
      call,
    );
    return call.encode(() => encodeQueryLayerMessage(result));
  });
}
