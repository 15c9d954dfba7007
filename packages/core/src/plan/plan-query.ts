import { type SearchRule, type SearchText, toSearchText } from '../domain/search-text.ts';
import { ServiceError } from '../errors/service-error.ts';
import { isStoredText } from '../text/stored-text.ts';

const QUERY_LENGTH_MAX = 1000;

/** The text of a search; undefined without a text, which matches everything. */
export function planQuery(
  query: string,
  rule: SearchRule,
  pointer: string,
): SearchText | undefined {
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
  return toSearchText(query, rule);
}
