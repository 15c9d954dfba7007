import { create } from '@bufbuild/protobuf';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { toDataReferenceMessage } from '../../../encoding/data-reference-protobuf.ts';
import { getDataReference } from '../../../service/get-data-reference.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callGetDataReference({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV3.CatalogQuery.method.getDataReference, async (request, call) => {
    const { dataReferenceName, billingContext } = request;
    const version = await getDataReference(service, { dataReferenceName, billingContext }, call);
    return create(catalogV3.GetDataReferenceResponseSchema, {
      dataReference: toDataReferenceMessage(version),
    });
  });
}
