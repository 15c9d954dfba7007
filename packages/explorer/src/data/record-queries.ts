import type {
  ListRecordsRequest,
  ListRecordsResponse,
  SearchFieldValuesRequest,
  SearchFieldValuesResponse,
} from '@locmetrics/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

/** A page of records, and how long it took to get it. */
export function recordsQuery({ client }: Pick<Session, 'client'>, request: ListRecordsRequest) {
  return queryOptions({
    queryKey: ['records', request.dataReferenceName, request],
    queryFn: async ({ signal }): Promise<ListRecordsResponse & { readonly tookMs: number }> => {
      const startMs = performance.now();
      const answer = await client.listRecords(request, { signal });
      return { ...answer, tookMs: performance.now() - startMs };
    },
  });
}

/** A page of the values of a field. */
export function fieldValuesQuery(
  { client }: Pick<Session, 'client'>,
  request: SearchFieldValuesRequest,
) {
  return queryOptions({
    queryKey: ['field-values', request.dataReferenceName, request],
    queryFn: ({ signal }): Promise<SearchFieldValuesResponse> =>
      client.searchFieldValues(request, { signal }),
    placeholderData: keepPreviousData,
  });
}
