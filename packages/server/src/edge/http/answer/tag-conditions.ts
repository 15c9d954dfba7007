import type { IncomingHttpHeaders } from 'node:http';

/** The result of the conditions of a request on the tag of a file. */
export type TagConditions = {
  /** `held`: the caller has the file already (304). `failed`: the caller wants another file (412). */
  readonly outcome: 'send' | 'held' | 'failed';
  /** The headers without the conditions on tags, for the library that sends files: it knows weak tags only. */
  readonly headers: IncomingHttpHeaders;
};

/**
 * Evaluates the conditions on the strong tag of a file, in the order of RFC 9110 § 13.2.2. Conditions on dates remain in
 * the headers. A range is sent only if its `If-Range` has the tag, so that parts of different files are never joined.
 */
export function tagConditions(given: IncomingHttpHeaders, tag: string): TagConditions {
  const headers = { ...given };
  const ifMatch = take(headers, 'if-match');
  const ifNoneMatch = take(headers, 'if-none-match');
  const ifRange = headers['if-range'];
  if (ifMatch !== undefined) {
    if (!isListed(tag, ifMatch, STRONG_TAGS)) return { outcome: 'failed', headers };
    delete headers['if-unmodified-since'];
  }
  if (ifNoneMatch !== undefined) {
    if (isListed(tag, ifNoneMatch, TAGS)) return { outcome: 'held', headers };
    delete headers['if-modified-since'];
  }
  if (typeof ifRange === 'string' && ifRange.includes('"')) {
    delete headers['if-range'];
    if (ifRange.trim() !== tag) delete headers.range;
  }
  return { outcome: 'send', headers };
}

function take(
  headers: IncomingHttpHeaders,
  name: 'if-match' | 'if-none-match',
): string | undefined {
  const value = headers[name];
  delete headers[name];
  return value;
}

function isListed(tag: string, listed: string, pattern: RegExp): boolean {
  return listed.trim() === '*' || (listed.match(pattern)?.includes(tag) ?? false);
}

const TAGS = /"[^"]*"/g;
/** A weak tag never matches in a strong comparison. */
const STRONG_TAGS = /(?<!W\/)"[^"]*"/g;
