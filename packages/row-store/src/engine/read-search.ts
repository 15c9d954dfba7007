import { foldText } from '@locmetrics/core/domain/text-fold';
import { compareUtf8 } from '@locmetrics/core/domain/text-order';
import type { DistinctPlan } from '@locmetrics/core/plan/read-plan';
import type { DistinctPage } from '@locmetrics/core/storage/engine';
import { gramsOfTerm } from '../grams.ts';
import type { SearchFacts } from '../row-file.ts';
import { openCandidates } from './find-candidates.ts';
import { findShortPrefixes } from './find-short-prefixes.ts';
import type { Range, RowFile } from './open-row-file.ts';
import { openValues, type ValuesReader } from './read-values.ts';

/** So many values are compared for a page; one with fewer matches is left to the column store. */
export const VALUES_COMPARED_MAX = 200;

/** A value of the page, and whether it is among those that start with the term. */
type Found = { readonly value: string; readonly startsWithTerm: boolean };

/**
 * A page of the distinct values of a field: those that start with the term, then those that contain it.
 * Undefined if the letters of the term are too common, or too few.
 */
export function readSearch(
  plan: DistinctPlan,
  search: SearchFacts,
  file: RowFile,
): DistinctPage | undefined {
  const reader = openValues(search, file);
  const found =
    plan.term === undefined
      ? findAll(plan, reader)
      : findTerm(plan, reader, chooseCandidates(plan.term, plan, { search, file, reader }));
  if (found === undefined) return undefined;
  const page = found.slice(0, plan.limit);
  return {
    values: page.map(({ value }) => value),
    positionAt: (index) => page[index] ?? { value: '', startsWithTerm: false },
    hasMore: found.length > plan.limit,
  };
}

/** Up to one value more than the page has, without a term: each starts with it. */
function findAll(plan: DistinctPlan, reader: ValuesReader): readonly Found[] {
  const { row, end } = rangeAfter(plan, reader);
  const found: Found[] = [];
  for (let step = 0; step < Math.min(end - row, plan.limit + 1); step += 1) {
    const value = reader.valueAt(plan.descending ? end - 1 - step : row + step);
    found.push({ value, startsWithTerm: true });
  }
  return found;
}

/**
 * The numbers of the values of which some start with a term or contain it, ascending. Those of a range are enough;
 * undefined if they are not known.
 */
type Candidates = {
  readonly starting: (range: Range) => Uint32Array | undefined;
  readonly containing: () => Uint32Array | undefined;
};

function chooseCandidates(
  term: string,
  { limit, descending }: DistinctPlan,
  {
    search,
    file,
    reader,
  }: { readonly search: SearchFacts; readonly file: RowFile; readonly reader: ValuesReader },
): Candidates {
  if (search.values <= VALUES_COMPARED_MAX) {
    const all = Uint32Array.from({ length: search.values }, (_, number) => number);
    return { starting: () => all, containing: () => all };
  }
  const grams = gramsOfTerm(term);
  if (grams !== undefined) return openCandidates(grams, search, file);
  return {
    starting: (range) =>
      findShortPrefixes(term, { reader, capitals: search.capitals, range, descending, limit }),
    containing: () => undefined,
  };
}

/** The same with a term. Undefined if too many values would have to be compared. */
function findTerm(
  plan: DistinctPlan,
  reader: ValuesReader,
  candidates: Candidates,
): readonly Found[] | undefined {
  const { term = '', after, limit, descending } = plan;
  const compared = new Map<number, Match>();
  const found: Found[] = [];
  for (const startsWithTerm of [true, false]) {
    if (found.length > limit) break;
    if (startsWithTerm && after?.startsWithTerm === false) continue;
    const range =
      after?.startsWithTerm === startsWithTerm
        ? rangeAfter(plan, reader)
        : { row: 0, end: reader.count };
    const numbers = startsWithTerm ? candidates.starting(range) : candidates.containing();
    if (numbers === undefined) return undefined;
    for (let step = 0; step < numbers.length && found.length <= limit; step += 1) {
      const number = numbers[descending ? numbers.length - 1 - step : step] ?? 0;
      if (number < range.row || number >= range.end) continue;
      const match = compared.get(number) ?? compare(reader.valueAt(number), term);
      compared.set(number, match);
      if (compared.size > VALUES_COMPARED_MAX) return undefined;
      if (match === (startsWithTerm ? 'starts' : 'contains')) {
        found.push({ value: reader.valueAt(number), startsWithTerm });
      }
    }
  }
  return found;
}

type Match = 'starts' | 'contains' | 'none';

function compare(value: string, term: string): Match {
  const folded = foldText(value);
  if (folded.startsWith(term)) return 'starts';
  return folded.includes(term) ? 'contains' : 'none';
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
