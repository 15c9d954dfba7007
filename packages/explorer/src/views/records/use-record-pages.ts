import type { ListRecordsRequest } from '@locmetrics/client';
import { useState } from 'react';

/** The page of a request that the reader has reached. */
export type RecordPages = {
  /** From 0. */
  readonly number: number;
  /** The request for this page. */
  readonly request: ListRecordsRequest;
  readonly next: (pageToken: string) => void;
  readonly previous: () => void;
  readonly first: () => void;
};

/** The pages of a request, by the tokens of those before. Another request starts with its first page. */
export function useRecordPages(request: ListRecordsRequest): RecordPages {
  const key = JSON.stringify(request);
  const [read, setRead] = useState<{ readonly key: string; readonly tokens: readonly string[] }>({
    key,
    tokens: [],
  });
  const tokens = read.key === key ? read.tokens : [];
  const pageToken = tokens.at(-1);
  return {
    number: tokens.length,
    request: pageToken === undefined ? request : { ...request, pageToken },
    next: (token) => setRead({ key, tokens: [...tokens, token] }),
    previous: () => setRead({ key, tokens: tokens.slice(0, -1) }),
    first: () => setRead({ key, tokens: [] }),
  };
}
