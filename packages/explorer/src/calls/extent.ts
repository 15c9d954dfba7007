import type { Call } from './call.ts';

/** The service returns no more rows in one answer. */
export const PAGE_MAX_ROWS = 10_000;

/**
 * How much of the answer a call asks for: all rows, the first page, or what only a single request can ask for, such as
 * a later page.
 */
export type Extent = 'all' | 'first page' | 'one request';

export function extentOf(call: Call): Extent {
  const { pageSize = 0, pageToken = '', countOnly = false } = pagingOf(call);
  if (pageToken !== '' || countOnly || !isPaged(call)) return 'one request';
  return pageSize === 0 ? 'all' : 'first page';
}

type Paging = {
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
  readonly countOnly?: boolean | undefined;
};

/** The part of a request that decides which rows of the answer it asks for. */
export function pagingOf({ operation, request }: Call): Paging {
  return operation === 'listRecordsStatistics' || operation === 'getLayerStats' ? {} : request;
}

/** Statistics come in one answer. */
export function isPaged({ operation }: Call): boolean {
  return operation !== 'listRecordsStatistics' && operation !== 'getLayerStats';
}
