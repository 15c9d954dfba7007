import { catalogV3 } from '@locmetrics/contract/grpc';
import { ServiceError } from '../../../domain/service-error.ts';
import { encodeFieldValuesMessage } from '../../../encoding/records-protobuf.ts';
import { searchFieldValues } from '../../../service/search-field-values.ts';
import { readFieldSelection, readRowSelection } from '../read-row-selection.ts';
import { type CallContext, type UnaryCall, unaryCall } from '../unary-call.ts';

const TERM_LENGTH_MAX = 1000;

export function callSearchFieldValues({ service }: CallContext): UnaryCall {
  return unaryCall(catalogV3.CatalogQuery.method.searchFieldValues, async (request, call) => {
    const result = await searchFieldValues(service, toRequest(request), call);
    return call.encode(() => encodeFieldValuesMessage(result));
  });
}

function toRequest(request: catalogV3.SearchFieldValuesRequest) {
  const { field, term } = request;
  if (field === undefined) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/field',
      "The field 'field' is missing.",
      'Send the name of the field whose values are to be searched.',
    );
  }
  if ([...term].length > TERM_LENGTH_MAX) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/term',
      `'term' has more than ${TERM_LENGTH_MAX} characters.`,
      'Search for a part of it.',
    );
  }
  return { ...readRowSelection(request), field: readFieldSelection(field), term };
}
