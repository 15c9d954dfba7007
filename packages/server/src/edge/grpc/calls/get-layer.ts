import { create } from '@bufbuild/protobuf';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { toLayerMessage } from '../../../encoding/layer-protobuf.ts';
import { getLayer } from '../../../service/get-layer.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callGetLayer({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.CatalogService.method.getLayer, (request, call) =>
    create(catalogV1.GetLayerResponseSchema, {
      layer: toLayerMessage(request.catalogId, getLayer(service, request, call)),
    }),
  );
}
