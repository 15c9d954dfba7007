import type { ListRecordsRequest } from '@locmetrics/client';
import { useEffect, useRef } from 'react';
import type { PageAddress } from '../../data/records-address.ts';

/** The page of a request that the reader has reached. */
export type RecordPages = {
  /** From 0. */
  readonly number: number;
  /** The request for this page. */
  readonly request: ListRecordsRequest;
  readonly next: (pageToken: string) => void;
  /** The page before; the first one if the token of that page is not known, because a link led here. */
  readonly previous: () => void;
  readonly isPreviousKnown: boolean;
  readonly first: () => void;
};

const FIRST: PageAddress = { page: undefined, pageToken: undefined };

/** The pages of a request, by the address. The tokens of pages that were left are kept, to go back to them. */
export function useRecordPages(
  request: ListRecordsRequest,
  { page, pageToken }: PageAddress,
  onPage: (page: PageAddress) => void,
): RecordPages {
  const key = JSON.stringify(request);
  const tokens = useRef(new Map<string, string>());
  // Where the last press leads: the address follows a moment later, and another press may come before.
  const place = useRef<PageAddress>({ page, pageToken });
  useEffect(() => {
    place.current = { page, pageToken };
  }, [page, pageToken]);
  const go = (to: PageAddress): void => {
    place.current = to;
    onPage(to);
  };
  const before = (of: PageAddress): PageAddress | undefined => {
    const number = numberOf(of) - 1;
    if (number < 1) return FIRST;
    const known = tokens.current.get(`${number} ${key}`);
    return known === undefined ? undefined : { page: number + 1, pageToken: known };
  };
  const number = numberOf({ page, pageToken });
  return {
    number,
    request: pageToken === undefined ? request : { ...request, pageToken },
    next: (token) => {
      // The token is that of the page that is shown, which is no longer the last one.
      if (place.current.pageToken !== pageToken) return;
      if (pageToken !== undefined) tokens.current.set(`${number} ${key}`, pageToken);
      go({ page: number + 2, pageToken: token });
    },
    previous: () => go(before(place.current) ?? FIRST),
    isPreviousKnown: before({ page, pageToken }) !== undefined,
    first: () => go(FIRST),
  };
}

/** From 0. */
function numberOf({ page = 1, pageToken }: PageAddress): number {
  return pageToken === undefined ? 0 : page - 1;
}
