import { mapsV1 } from '@locmetrics/contract/grpc';
import { toAddressComponentMessage } from '@locmetrics/core/encoding/layer-protobuf';
import { encodeFramed } from '@locmetrics/core/encoding/message-frame';
import { listAddressComponents } from '../../../service/features/describe-layers.ts';
import { type ServedService, unaryCall } from '../unary-call.ts';

/** The address components of all catalogs. */
export const MAP_SERVICE: ServedService = {
  service: mapsV1.MapService,
  scope: 'metrics',
  calls: [
    unaryCall(mapsV1.MapService.method.listAddressComponents, {
      read: (request) => request,
      run: (context, _asked, call) => listAddressComponents(context, call),
      encode: (found) =>
        encodeFramed(mapsV1.ListAddressComponentsResponseSchema, {
          addressComponents: found.map(({ catalogId, component }) =>
            toAddressComponentMessage(catalogId, component),
          ),
        }),
    }),
  ],
};
