import { editsForgiven, isSimilar } from '../text/find-similar.ts';
import { typedWords, wordsOf } from '../text/words-of.ts';
import { foldBy, placeOfRank, rankTexts, type SearchText } from './search-text.ts';

/**
 * The rank of a feature, from 0: its name or id equals the query, or is equal once both are folded; otherwise, how well the
 * words of its texts match the words of the query. The ranks of words are added up.
 */
export const WORD_RANKS = ['equals', 'starts_with', 'contains', 'similar', 'none'] as const;
export type WordRank = (typeof WORD_RANKS)[number];

export function placeOfWordRank(rank: WordRank): number {
  return WORD_RANKS.indexOf(rank);
}

/** More words of a query are ignored: each is compared with all texts. */
const QUERY_WORDS_MAX = 6;

/** The words of a query that count. */
export function queryWords({ folded }: SearchText): readonly string[] {
  return [...new Set(typedWords(folded))].slice(0, QUERY_WORDS_MAX);
}

/** The best rank by words, of which each adds one of `WORD_RANKS`. */
export const WORDS_RANK = placeOfRank('equals_folded') + 1;

/** The rank of a feature that matches no word. */
export function worstFeatureRank(words: readonly string[]): number {
  return WORDS_RANK + words.length * placeOfWordRank('none');
}

/** `named` are the name and the id, `texts` all that are searched by their words. */
export function rankFeature(
  { named, texts }: { readonly named: readonly string[]; readonly texts: readonly string[] },
  search: SearchText,
  words: readonly string[],
): number {
  const whole = rankTexts(named, search);
  if (whole < WORDS_RANK) return whole;
  const found = texts.flatMap((text) => wordsOf(foldBy(search.rule, text)));
  return words.reduce((sum, word) => sum + placeOfWordRank(rankWord(word, found)), WORDS_RANK);
}

function rankWord(word: string, found: readonly string[]): WordRank {
  if (found.includes(word)) return 'equals';
  if (found.some((one) => one.startsWith(word))) return 'starts_with';
  if (found.some((one) => one.includes(word))) return 'contains';
  const edits = editsForgiven(word);
  return edits > 0 && found.some((one) => isSimilar(word, one, edits)) ? 'similar' : 'none';
}
