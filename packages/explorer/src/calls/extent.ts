import type { Call } from './call.ts';

/** The service returns no more rows in one answer. */
export const PAGE_MAX_ROWS = 10_000;

/**
 * How much of the answer a call asks for: all rows, the first page, or what only a single request can ask for, such as
 * a later page.
 */
export type Extent = 'all' | 'first page' | 'one request';

export function extentOf({ request }: Call): Extent {
  const { pageSize = 0, pageToken = '', countOnly = false } = request;
  if (pageToken !== '' || countOnly) return 'one request';
  return pageSize === 0 ? 'all' : 'first page';
}
