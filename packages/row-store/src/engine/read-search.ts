import { placeOfRank, rankValue, type SearchText } from '@locmetrics/core/domain/search-text';
import type { DistinctPlan } from '@locmetrics/core/plan/read-plan';
import type { DistinctPage } from '@locmetrics/core/storage/engine';
import { compareUtf8 } from '@locmetrics/core/text/text-order';
import { gramsOfTerm } from '../grams.ts';
import { readNumberList } from '../number-list.ts';
import type { SearchFacts } from '../row-file.ts';
import { numbersInRanges } from '../short-starts.ts';
import { findWholeText } from '../whole-texts.ts';
import { openCandidates } from './find-candidates.ts';
import { findShortPrefixes } from './find-short-prefixes.ts';
import type { Range, RowFile } from './open-row-file.ts';
import { openValues, type ValuesReader } from './read-values.ts';

/** So many values are compared for a page; one with fewer matches is left to the column store. */
export const VALUES_COMPARED_MAX = 200;

/** A value of the page, and its index in `QUERY_RANKS`. */
type Found = { readonly value: string; readonly rank: number };

/**
 * A page of the distinct values of a field: those that match the term best first. Undefined if the letters of the term are
 * too common, or too few.
 */
export function readSearch(
  plan: DistinctPlan,
  search: SearchFacts,
  file: RowFile,
): DistinctPage | undefined {
  const reader = openValues(search, file);
  const { term } = plan;
  const found =
    term === undefined
      ? findAll(plan, reader)
      : findTerm({ ...plan, term }, reader, chooseCandidates(term, plan, { search, file, reader }));
  if (found === undefined) return undefined;
  const page = found.slice(0, plan.limit);
  return {
    values: page.map(({ value }) => value),
    positionAt: (index) => page[index] ?? { value: '', rank: 0 },
    hasMore: found.length > plan.limit,
  };
}

/** Up to one value more than the page has, without a term. */
function findAll(plan: DistinctPlan, reader: ValuesReader): readonly Found[] {
  const { row, end } = rangeAfter(plan, reader);
  const found: Found[] = [];
  for (let step = 0; step < Math.min(end - row, plan.limit + 1); step += 1) {
    const value = reader.valueAt(plan.descending ? end - 1 - step : row + step);
    found.push({ value, rank: 0 });
  }
  return found;
}

/**
 * The numbers of the values of which some equal a term, start with it or contain it, ascending. Those of a range are
 * enough; undefined if they are not known.
 */
type Candidates = {
  readonly equal: () => Uint32Array;
  readonly starting: (range: Range) => Uint32Array | undefined;
  readonly containing: () => Uint32Array | undefined;
};

function chooseCandidates(
  term: SearchText,
  { limit, descending }: DistinctPlan,
  {
    search,
    file,
    reader,
  }: { readonly search: SearchFacts; readonly file: RowFile; readonly reader: ValuesReader },
): Candidates {
  const { values, foldedTables } = search;
  if (values <= VALUES_COMPARED_MAX) {
    const all = Uint32Array.from({ length: values }, (_, number) => number);
    return { equal: () => all, starting: () => all, containing: () => all };
  }
  const equal = (): Uint32Array => {
    if (foldedTables === undefined) return new Uint32Array();
    const { wholes } = foldedTables;
    return findWholeText(term.folded, values, {
      bits: () => file.wholeBits(wholes),
      bucket: (bucket) => file.readWholes(wholes, bucket),
    });
  };
  const grams = gramsOfTerm(term.folded);
  if (grams !== undefined) return { equal, ...openCandidates(grams, search, file) };
  return {
    equal,
    starting: (range) => {
      if (foldedTables === undefined) {
        const { capitals } = search;
        return findShortPrefixes(term.folded, { reader, capitals, range, descending, limit });
      }
      const ranges = readNumberList(file.readStart(foldedTables.starts, term.folded));
      // More are not compared.
      const most = { fromEnd: descending, limit: VALUES_COMPARED_MAX + 1 };
      return numbersInRanges(ranges, range, most);
    },
    containing: () => undefined,
  };
}

/** The same with a term. Undefined if too many values would have to be compared. */
function findTerm(
  plan: DistinctPlan & { readonly term: SearchText },
  reader: ValuesReader,
  candidates: Candidates,
): readonly Found[] | undefined {
  const { term, after, limit, descending } = plan;
  const compared = new Map<number, number>();
  const found: Found[] = [];
  for (const rank of term.rule === 1 ? RANKS_OF_CASES : RANKS) {
    if (found.length > limit) break;
    if (after !== undefined && after.rank > rank) continue;
    const range = after?.rank === rank ? rangeAfter(plan, reader) : { row: 0, end: reader.count };
    const numbers = numbersOf(rank, range, candidates);
    if (numbers === undefined) return undefined;
    for (let step = 0; step < numbers.length && found.length <= limit; step += 1) {
      const number = numbers[descending ? numbers.length - 1 - step : step] ?? 0;
      if (number < range.row || number >= range.end) continue;
      const rankOfNumber = compared.get(number) ?? rankValue(reader.valueAt(number), term);
      compared.set(number, rankOfNumber);
      if (compared.size > VALUES_COMPARED_MAX) return undefined;
      if (rankOfNumber === rank) found.push({ value: reader.valueAt(number), rank });
    }
  }
  return found;
}

/** By rule 1, equal values are not apart from those that start with the term. */
const RANKS_OF_CASES = [placeOfRank('starts_with'), placeOfRank('contains')];
const RANKS = [placeOfRank('equals'), placeOfRank('equals_folded'), ...RANKS_OF_CASES];

function numbersOf(
  rank: number,
  range: Range,
  { equal, starting, containing }: Candidates,
): Uint32Array | undefined {
  if (rank <= placeOfRank('equals_folded')) return equal();
  return rank === placeOfRank('starts_with') ? starting(range) : containing();
}

/** The numbers of the values after the position, in the order of the plan. */
function rangeAfter(
  { after, descending }: DistinctPlan,
  { count, firstWith }: ValuesReader,
): Range {
  if (after === undefined) return { row: 0, end: count };
  const position = String(after.value);
  return descending
    ? { row: 0, end: firstWith((value) => compareUtf8(value, position) >= 0) }
    : { row: firstWith((value) => compareUtf8(value, position) > 0), end: count };
}
