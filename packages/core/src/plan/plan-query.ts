import { isStoredText } from '../domain/stored-text.ts';
import { foldText } from '../domain/text-fold.ts';
import { ServiceError } from '../errors/service-error.ts';

const QUERY_LENGTH_MAX = 1000;

/** The folded text of a search; undefined without a text, which matches everything. */
export function planQuery(query: string, pointer: string): string | undefined {
  if (query === '') return undefined;
  if (!isStoredText(query)) {
    throw ServiceError.atPointer(
      'INVALID_SEARCH_TERM',
      pointer,
      'The text to search contains U+0000 or a lone surrogate, which no stored text contains.',
      'Send well-formed Unicode text.',
    );
  }
  if (query.length > QUERY_LENGTH_MAX) {
    throw ServiceError.atPointer(
      'INVALID_SEARCH_TERM',
      pointer,
      `The text to search has ${query.length} characters.`,
      `Send at most ${QUERY_LENGTH_MAX}.`,
    );
  }
  return foldText(query);
}
