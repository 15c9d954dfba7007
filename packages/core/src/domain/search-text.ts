import { foldForSearch } from '../text/search-fold.ts';
import { foldText } from '../text/text-fold.ts';
import type { Dataset } from './dataset.ts';

/**
 * The rules of searches, by number. A version that was published before rule 2 has no texts folded for it, and is searched
 * by rule 1, which ignores the case alone.
 */
export type SearchRule = 1 | 2;

/** The rule of versions that are published now. */
export const SEARCH_RULE = 2;

/** The text of a search, as it was sent and as it is compared. */
export type SearchText = {
  readonly rule: SearchRule;
  readonly text: string;
  readonly folded: string;
};

/** How a text matches a search, by rank from 0; the last rank means no match. By rule 1 no text is equal as it is. */
export const QUERY_RANKS = ['equals', 'equals_folded', 'starts_with', 'contains', 'none'] as const;
export type QueryRank = (typeof QUERY_RANKS)[number];

const PLACES: Readonly<Record<QueryRank, number>> = {
  equals: 0,
  equals_folded: 1,
  starts_with: 2,
  contains: 3,
  none: 4,
};

export function placeOfRank(rank: QueryRank): number {
  return PLACES[rank];
}

/** The rule of a search in all these datasets: the oldest, because each has the texts of that one. */
export function searchRuleOf(datasets: readonly Pick<Dataset, 'searchRule'>[]): SearchRule {
  return datasets.every(({ searchRule }) => searchRule === 2) ? 2 : 1;
}

/** Undefined for a text of which nothing is left: it matches everything. */
export function toSearchText(text: string, rule: SearchRule): SearchText | undefined {
  const folded = foldBy(rule, text);
  return folded === '' ? undefined : { rule, text, folded };
}

export function foldBy(rule: SearchRule, text: string): string {
  return rule === 1 ? foldText(text) : foldForSearch(text);
}

/** The index in `QUERY_RANKS` of the text that matches best. */
export function rankTexts(texts: readonly string[], search: SearchText): number {
  return Math.min(placeOfRank('none'), ...texts.map((text) => rankText(text, search)));
}

/** The same for a value of a field. By rule 1, equal values are among those that start with the text. */
export function rankValue(value: string, search: SearchText): number {
  const rank = rankText(value, search);
  return search.rule === 1 ? Math.max(rank, PLACES.starts_with) : rank;
}

function rankText(one: string, { rule, text, folded }: SearchText): number {
  if (rule > 1 && one === text) return PLACES.equals;
  const its = foldBy(rule, one);
  if (its === folded) return PLACES.equals_folded;
  if (its.startsWith(folded)) return PLACES.starts_with;
  return its.includes(folded) ? PLACES.contains : PLACES.none;
}
