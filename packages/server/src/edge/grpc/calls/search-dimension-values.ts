import { catalogV1 } from '@locmetrics/contract/grpc';
import { encodeDimensionValuesMessage } from '../../../encoding/searches-protobuf.ts';
import { searchDimensionValues } from '../../../service/search-dimension-values.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callSearchDimensionValues({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.QueryService.method.searchDimensionValues, async (request, call) => {
    const result = await searchDimensionValues(service, request, call);
    return call.encode(() => encodeDimensionValuesMessage(result));
  });
}
