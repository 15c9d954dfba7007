import { ServiceError } from '../../domain/service-error.ts';

const TAGS_MAX = 100;

/** Tags are labels for people, so a request with many of them is a mistake. */
export function checkRequestTags(tags: Readonly<Record<string, string>>): void {
  const count = Object.keys(tags).length;
  if (count <= TAGS_MAX) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    '/requestTags',
    `The request has ${count} tags.`,
    `Send at most ${TAGS_MAX}.`,
  );
}
