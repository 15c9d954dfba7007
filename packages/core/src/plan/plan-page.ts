import { hash } from 'node:crypto';
import type { SearchRule } from '../domain/search-text.ts';
import { ServiceError } from '../errors/service-error.ts';
import { decodePageToken, isPageTokenText, type PageToken } from '../requests/page-token.ts';

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 10_000;

/** The page size: absent or 0 means 100, more than 10,000 means 10,000. */
export function planPageSize(pageSize: number): number {
  if (pageSize < 0 || !Number.isInteger(pageSize)) {
    throw ServiceError.atPointer(
      'INVALID_PAGE_SIZE',
      '/pageSize',
      `The page size ${pageSize} is not a whole number of 0 or more.`,
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
 * The fingerprint of a request. The parts are already parsed, so that different spellings of one request
 * have the same fingerprint. The page size and the page token are not included.
 */
export function requestFingerprint(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

/** The page token of a request, checked against its binding; undefined on a first page. */
export function readPageToken(
  text: string,
  bindingOf: () => PageBinding,
  key: () => Uint8Array,
  wasKeyReplaced: () => boolean = () => false,
): PageToken | undefined {
  if (text === '') return undefined;
  const token = decodePageToken(text, key());
  if (token === undefined) {
    if (isPageTokenText(text) && wasKeyReplaced()) throw pageTokenExpired('its key was replaced');
    throw ServiceError.atPointer(
      'INVALID_PAGE_TOKEN',
      '/pageToken',
      'The page token was not made by this service.',
      'Send the nextPageToken of the previous page unchanged, or leave it out to start again.',
    );
  }
  const binding = bindingOf();
  if (token.request !== binding.request) {
    throw ServiceError.atPointer(
      'INVALID_PAGE_TOKEN',
      '/pageToken',
      'The page token belongs to another request.',
      'Only the page size may change between pages: repeat the request that returned the token.',
    );
  }
  if (token.rights !== binding.rights) throw pageTokenExpired('the rights of the caller changed');
  return token;
}

/** Refuses the token of a search whose pages are ranked by another rule; undefined: nothing is searched. */
export function checkSearchRule(
  token: Pick<PageToken, 'searchRule'> | undefined,
  rule: SearchRule | undefined,
): void {
  if (token !== undefined && rule !== undefined && token.searchRule !== rule) {
    throw pageTokenExpired('its pages were ranked by another search rule');
  }
}

export function pageTokenExpired(why: string): ServiceError {
  return new ServiceError('PAGE_TOKEN_EXPIRED', `The page token has expired: ${why}.`, {
    hint: 'Send the request without a page token to start again on the current data.',
  });
}
