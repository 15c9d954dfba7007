import { createHash } from 'node:crypto';
import { decodePageToken, type PageToken } from '../domain/page-token.ts';
import { ServiceError } from '../domain/service-error.ts';

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 10_000;

/** How many rows a page has at most: absent or 0 means 100, more than 10,000 means 10,000. */
export function planPageSize(pageSize: number): number {
  if (pageSize < 0 || !Number.isInteger(pageSize)) {
    throw ServiceError.atPointer(
      'INVALID_PAGE_SIZE',
      '/pageSize',
      `The page size ${pageSize} is not a whole number from 0.`,
      `Send 1 to ${PAGE_SIZE_MAX}, or leave it out for ${PAGE_SIZE_DEFAULT}.`,
    );
  }
  return pageSize === 0 ? PAGE_SIZE_DEFAULT : Math.min(pageSize, PAGE_SIZE_MAX);
}

/** The parts of a request that a page token is bound to, besides the version. */
export type PageBinding = {
  readonly request: string;
  readonly rights: string;
};

/**
 * A fingerprint of what a request asks for. The parts are given already read, so that two spellings
 * of one request are one; the page size and the page token are not among them.
 */
export function requestFingerprint(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

/** The page token of a request, checked against what it is bound to; undefined on a first page. */
export function readPageToken(
  text: string,
  binding: PageBinding,
  key: Uint8Array,
): PageToken | undefined {
  if (text === '') return undefined;
  const token = decodePageToken(text, key);
  if (token === undefined) {
    throw ServiceError.atPointer(
      'INVALID_PAGE_TOKEN',
      '/pageToken',
      'The page token was not made by this service.',
      'Send the nextPageToken of the page before unchanged, or leave it out to start again.',
    );
  }
  if (token.request !== binding.request) {
    throw ServiceError.atPointer(
      'INVALID_PAGE_TOKEN',
      '/pageToken',
      'The page token belongs to another request.',
      'Between pages only the page size may change: repeat the request that the token came from.',
    );
  }
  if (token.rights !== binding.rights) throw pageTokenExpired('the rights of the caller changed');
  return token;
}

export function pageTokenExpired(why: string): ServiceError {
  return new ServiceError('PAGE_TOKEN_EXPIRED', `The page token has expired: ${why}.`, {
    hint: 'Send the request without a page token to start again on the current data.',
  });
}
