import { create } from '@bufbuild/protobuf';
import { mapsV1 } from '@locmetrics/contract/grpc';
import { toAddressComponentMessage } from '../../../encoding/layer-protobuf.ts';
import { listAddressComponents } from '../../../service/describe-layers.ts';
import { type CallContext, type ServedService, unaryCall } from '../unary-call.ts';

/** The address components of all catalogs. */
export function mapService({ service }: CallContext): ServedService {
  return {
    service: mapsV1.MapService,
    scope: 'metrics',
    calls: [
      unaryCall(mapsV1.MapService.method.listAddressComponents, (_request, call) =>
        create(mapsV1.ListAddressComponentsResponseSchema, {
          addressComponents: listAddressComponents(service, call).map(({ catalogId, component }) =>
            toAddressComponentMessage(catalogId, component),
          ),
        }),
      ),
    ],
  };
}
