import { create } from '@bufbuild/protobuf';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { toDataReferenceMessage } from '../../../encoding/data-reference-protobuf.ts';
import { listDataReferences } from '../../../service/list-data-references.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callListDataReferences({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV3.CatalogQuery.method.listDataReferences, async (request, call) => {
    const { billingContext } = request;
    const versions = await listDataReferences(service, { billingContext }, call);
    return create(catalogV3.ListDataReferencesResponseSchema, {
      dataReferences: versions.map(toDataReferenceMessage),
    });
  });
}
