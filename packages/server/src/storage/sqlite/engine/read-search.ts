import { foldText } from '../../../domain/text-fold.ts';
import { compareUtf8 } from '../../../domain/text-order.ts';
import type { DistinctPlan } from '../../../plan/read-plan.ts';
import type { DistinctPage } from '../../engine.ts';
import { beginGram, gramsOf } from '../grams.ts';
import type { SearchFacts } from '../row-file.ts';
import type { RowFile } from './open-row-file.ts';

/** So many values are compared for a page; one with fewer matches is left to the column store. */
export const VALUES_COMPARED_MAX = 200;

/** Longer lists of grams are not read: common letters, of which nearly all values have some. */
const GRAM_BYTES_MAX = 50_000;

/** The rarest grams of a term; the others hardly leave out more values. */
const GRAMS_READ_MAX = 3;

/** The begins of so few values are compared sooner than the list of those that have them is read. */
const BEGINS_COMPARED_MAX = 20;

/** A value of the page, and whether it is among those that start with the term. */
type Found = { readonly value: string; readonly startsWithTerm: boolean };

/**
 * A page of the distinct values of a field: those that start with the term, then those that contain it.
 * Undefined if the letters of the term are too common.
 */
export function readSearch(
  plan: DistinctPlan,
  search: SearchFacts,
  file: RowFile,
): DistinctPage | undefined {
  const found =
    plan.term === undefined ? findAll(plan, search, file) : findTerm(plan, search, file);
  if (found === undefined) return undefined;
  const page = found.slice(0, plan.limit);
  return {
    values: page.map(({ value }) => value),
    positionAt: (index) => page[index] ?? { value: '', startsWithTerm: false },
    hasMore: found.length > plan.limit,
  };
}

/** Up to one value more than the page has, without a term: each starts with it. */
function findAll(plan: DistinctPlan, search: SearchFacts, file: RowFile): readonly Found[] {
  const valueAt = openValues(search, file);
  const [from, to] = boundsAfter(plan, search, valueAt);
  const found: Found[] = [];
  for (let step = 0; step < Math.min(to - from, plan.limit + 1); step += 1) {
    const value = valueAt(plan.descending ? to - 1 - step : from + step);
    found.push({ value, startsWithTerm: true });
  }
  return found;
}

function findTerm(
  plan: DistinctPlan,
  search: SearchFacts,
  file: RowFile,
): readonly Found[] | undefined {
  const { term = '', after, limit, descending } = plan;
  const containing = intersect(gramsOf(term), search, file);
  if (containing === undefined) return undefined;
  const starting = withBegin(containing, term, search, file);
  const valueAt = openValues(search, file);
  const [from, to] = boundsAfter(plan, search, valueAt);
  const found: Found[] = [];
  let compared = 0;
  for (const startsWithTerm of [true, false]) {
    if (after !== undefined && after.startsWithTerm !== startsWithTerm && startsWithTerm) continue;
    const isBounded = after?.startsWithTerm === startsWithTerm;
    const numbers = startsWithTerm ? starting : containing;
    for (let step = 0; step < numbers.length; step += 1) {
      const number = numbers[descending ? numbers.length - 1 - step : step] ?? 0;
      if (isBounded && (number < from || number >= to)) continue;
      if (found.length > limit) return found;
      compared += 1;
      if (compared > VALUES_COMPARED_MAX) return undefined;
      const value = valueAt(number);
      const folded = foldText(value);
      if (!folded.includes(term) || folded.startsWith(term) !== startsWithTerm) continue;
      found.push({ value, startsWithTerm });
    }
  }
  return found;
}

/** Those of the values that can begin with a term. */
function withBegin(
  numbers: Uint32Array,
  term: string,
  { gramsTable }: SearchFacts,
  file: RowFile,
): Uint32Array {
  if (numbers.length <= BEGINS_COMPARED_MAX) return numbers;
  // A common begin leaves out few values, so its list is not read.
  const begins = file.readGram(gramsTable, beginGram(term), GRAM_BYTES_MAX);
  return begins === undefined ? numbers : common(numbers, begins);
}

/** The numbers of the values that have all of the rarest grams, ascending. */
function intersect(
  grams: readonly string[],
  { gramsTable }: SearchFacts,
  file: RowFile,
): Uint32Array | undefined {
  const sizes = [...new Set(grams)].map((gram) => ({
    gram,
    bytes: file.sizeOfGram(gramsTable, gram),
  }));
  const rarest = sizes.sort((left, right) => left.bytes - right.bytes).slice(0, GRAMS_READ_MAX);
  let numbers: Uint32Array | undefined;
  for (const { gram, bytes } of rarest) {
    if (bytes === 0) return new Uint32Array();
    const list = file.readGram(gramsTable, gram, GRAM_BYTES_MAX);
    if (list !== undefined) numbers = numbers === undefined ? list : common(numbers, list);
  }
  return numbers;
}

/** The numbers that are in both ascending lists. */
function common(left: Uint32Array, right: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(left.length, right.length));
  let count = 0;
  let other = 0;
  for (let at = 0; at < left.length && other < right.length; at += 1) {
    const number = left[at] ?? 0;
    while (other < right.length && (right[other] ?? 0) < number) other += 1;
    if (right[other] !== number) continue;
    both[count] = number;
    count += 1;
  }
  return both.subarray(0, count);
}

/** Reads a value by its number. */
function openValues({ valuesTable }: SearchFacts, file: RowFile): (number: number) => string {
  const { values: size } = file.facts.sizes;
  const blocks = new Map<number, ReturnType<RowFile['readValues']>>();
  return (number) => {
    const at = Math.floor(number / size);
    const block = blocks.get(at) ?? file.readValues(valuesTable, at);
    blocks.set(at, block);
    return block(number % size);
  };
}

/** The numbers of the values after the position, in the order of the plan: from, to and not included. */
function boundsAfter(
  { after, descending }: DistinctPlan,
  { values }: SearchFacts,
  valueAt: (number: number) => string,
): readonly [number, number] {
  if (after === undefined) return [0, values];
  const position = String(after.value);
  let [low, high] = [0, values];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareUtf8(valueAt(middle), position);
    if (descending ? order < 0 : order <= 0) low = middle + 1;
    else high = middle;
  }
  return descending ? [0, low] : [low, values];
}
