import { create } from '@bufbuild/protobuf';
import { catalogV1 } from '@locmetrics/contract/grpc';
import { listCatalogs } from '../../../service/list-catalogs.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

export function callListCatalogs({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV1.CatalogService.method.listCatalogs, (_request, call) =>
    create(catalogV1.ListCatalogsResponseSchema, {
      catalogs: listCatalogs(service, call).map((id) => ({ id })),
    }),
  );
}
