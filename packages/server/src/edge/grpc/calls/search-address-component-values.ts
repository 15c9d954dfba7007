import { catalogV1 } from '@locmetrics/contract/grpc';
import { encodeComponentValuesMessage } from '../../../encoding/searches-protobuf.ts';
import { searchAddressComponentValues } from '../../../service/search-address-component-values.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callSearchAddressComponentValues({ service }: CallContext): UnaryCall {
  const { searchAddressComponentValues: method } = catalogV1.QueryService.method;
  return unaryCall(method, async (request, call) => {
    const result = await searchAddressComponentValues(service, request, call);
    return call.encode(() => encodeComponentValuesMessage(result));
  });
}
