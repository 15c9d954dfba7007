import { TABLE_MEDIA_TYPES } from '@locmetrics/contract/table-formats';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { readAccept } from './read-accept-header.ts';

/** Refuses a request that accepts none of the media types that its answer can have. */
export function checkAccept(accept: string | undefined, mediaTypes: readonly string[]): void {
  if (accept === undefined) return;
  const weightOf = readAccept(accept);
  if (mediaTypes.some((mediaType) => weightOf(mediaType) > 0)) return;
  throw new ServiceError(
    'NOT_ACCEPTABLE',
    `Accept '${accept.slice(0, 200)}' does not accept the answer, which is ${mediaTypes.join(' or ')}.`,
    { hint: `Leave Accept out, or send Accept: ${mediaTypes[0]}.` },
  );
}

/** The media types that an answer can have, the usual one first. */
export function answerMediaTypes({
  mediaType = 'application/json',
  tables,
}: {
  readonly mediaType?: string;
  readonly tables?: 'listed' | 'unlisted';
}): readonly [string, ...string[]] {
  return tables === undefined ? [mediaType] : [mediaType, ...TABLE_MEDIA_TYPES];
}
