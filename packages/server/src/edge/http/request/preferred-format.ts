import type { IncomingHttpHeaders } from 'node:http';
import {
  TABLE_FORMAT_NAMES,
  TABLE_FORMATS,
  TABLE_MEDIA_TYPES,
  type TableFormat,
} from '@locmetrics/contract/table-formats';
import { memoize } from '@locmetrics/core/runtime/memoize';
import { readAccept } from './read-accept-header.ts';

/**
 * The format that a caller prefers by the header `Accept` (RFC 9110 § 12.5.1): JSON unless a range of another type is in the
 * header, and has no less weight.
 */
export function preferredFormat({ accept = '*/*' }: IncomingHttpHeaders): 'json' | TableFormat {
  return formatFor(accept);
}

/** Few different headers are sent. */
const KEPT_HEADERS_MAX = 100;

const formatFor = memoize((accept: string): 'json' | TableFormat => {
  const weightOf = readAccept(accept);
  const least = weightOf('application/json');
  const [best = 'json'] = TABLE_FORMAT_NAMES.filter((name) => {
    const { mediaType } = TABLE_FORMATS[name];
    const weight = weightOf(mediaType);
    return weight > 0 && weight >= least && isNamed(mediaType, accept);
  }).toSorted(
    (left, right) =>
      weightOf(TABLE_FORMATS[right].mediaType) - weightOf(TABLE_FORMATS[left].mediaType),
  );
  return best;
}, KEPT_HEADERS_MAX);

/** Whether the header has a range of this type, such as `text/*` of `text/csv`, that is not another format. */
function isNamed(mediaType: string, accept: string): boolean {
  const [type = ''] = mediaType.split('/');
  return accept.split(',').some((written) => {
    const range = written.replace(/;.*/s, '').trim().toLowerCase();
    return (
      range.startsWith(`${type}/`) && (range === mediaType || !TABLE_MEDIA_TYPES.includes(range))
    );
  });
}
