import { catalogV3 } from '@locmetrics/contract/grpc';
import { encodeRecordsMessage } from '../../../encoding/records-protobuf.ts';
import { listRecords } from '../../../service/list-records.ts';
import { checkListLength } from '../check-list-length.ts';
import { readFieldSelection, readRowSelection } from '../read-row-selection.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

const FIELDS_MAX = 1000;

export function callListRecords({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV3.CatalogQuery.method.listRecords, async (request, call) => {
    const result = await listRecords(service, toRequest(request), call);
    return call.encode(() => encodeRecordsMessage(result));
  });
}

function toRequest(request: catalogV3.ListRecordsRequest) {
  checkListLength('/fields', request.fields, FIELDS_MAX);
  return {
    ...readRowSelection(request),
    fields: request.fields.map(readFieldSelection),
    // Every value of the message is text.
    typedValues: false,
  };
}
