import type { GetDataReferenceRequest as GetDataReferenceBody } from '@locmetrics/contract';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { GetDataReferenceRequest } from '@locmetrics/core/requests/catalog-request';
import type { RequestState } from './request-state.ts';

/** Parses a request for one dataset. Its name may be in either member; errors point to the one that was sent. */
export function readGetDataReference(
  { name, dataReferenceName, billingContext = '' }: GetDataReferenceBody,
  state: Pick<RequestState, 'writtenPointers'>,
): GetDataReferenceRequest {
  if (dataReferenceName === undefined && name !== undefined) {
    state.writtenPointers = new Map([...state.writtenPointers, ['/dataReferenceName', '/name']]);
  }
  if (name !== undefined && dataReferenceName !== undefined && name !== dataReferenceName) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/name',
      `'name' is '${name.slice(0, 200)}' and 'dataReferenceName' is '${dataReferenceName.slice(0, 200)}'.`,
      'Send one of them.',
    );
  }
  const given = name ?? dataReferenceName;
  if (given === undefined) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/name',
      "The field 'name' is missing.",
      'Send the name of a data reference; listDataReferences lists those you may see.',
    );
  }
  return { dataReferenceName: given, billingContext };
}
