import type {
  ListRecordsRequest,
  ListRecordsResponse,
  SearchFieldValuesRequest,
  SearchFieldValuesResponse,
} from '@locmetrics/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

export type RecordsPage = ListRecordsResponse & {
  /** From 1. The page before stays on the screen until the next one is there, with its own number. */
  readonly firstNumber: number;
  readonly tookMs: number;
};

/** A page of records, with the number of its first record, and how long it took to get it. */
export function recordsQuery(
  { client }: Pick<Session, 'client'>,
  request: ListRecordsRequest,
  firstNumber = 1,
) {
  return queryOptions({
    queryKey: ['records', request.dataReferenceName, request],
    queryFn: async ({ signal }): Promise<RecordsPage> => {
      const startMs = performance.now();
      const answer = await client.listRecords(request, { signal });
      return { ...answer, firstNumber, tookMs: performance.now() - startMs };
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
