import { create } from '@bufbuild/protobuf';
import { mapsV1 } from '@locmetrics/contract/grpc';
import { toAddressComponentMessage } from '../../../encoding/layer-protobuf.ts';
import { listAddressComponents } from '../../../service/list-address-components.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callListAddressComponents({ service }: CallContext): UnaryCall {
  return unaryCall(mapsV1.MapService.method.listAddressComponents, (_request, call) =>
    create(mapsV1.ListAddressComponentsResponseSchema, {
      addressComponents: listAddressComponents(service, call).map(({ catalogId, component }) =>
        toAddressComponentMessage(catalogId, component),
      ),
    }),
  );
}
