import { memoize } from '@locmetrics/core/runtime/memoize';

/** The weight of a media type, such as `text/csv`; 0 if it is not accepted. */
export type AcceptedMedia = (mediaType: string) => number;

/** Few different headers are sent. */
const KEPT_HEADERS_MAX = 100;

/**
 * Parses the header `Accept` (RFC 9110 § 12.5.1). The most specific range of a media type decides. Parameters other than
 * the weight are ignored, and so are malformed ranges; if there is no other, everything is accepted.
 */
export const readAccept = memoize((header: string): AcceptedMedia => {
  const weights = new Map(header.toLowerCase().split(',').flatMap(readRange));
  if (weights.size === 0) return () => 1;
  return (mediaType) => {
    const [type = ''] = mediaType.split('/');
    return weights.get(mediaType) ?? weights.get(`${type}/*`) ?? weights.get('*/*') ?? 0;
  };
}, KEPT_HEADERS_MAX);

function readRange(text: string): readonly (readonly [name: string, weight: number])[] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  // Java's URLConnection sends a single star.
  const range = name === '*' ? '*/*' : name;
  if (!RANGE.test(range)) return [];
  const weight = parameters.find((one) => one.startsWith('q='))?.slice('q='.length) ?? '1';
  return [[range, Number(weight) || 0]];
}

const RANGE = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/;
