import { nameHint, nearestName } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';

/** How the filters of a request are combined. `index` is the number of a filter, from 0. */
export type FilterLogic =
  | { readonly kind: 'filter'; readonly index: number }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly FilterLogic[] }
  | { readonly kind: 'not'; readonly part: FilterLogic };

/** Each term is compared with each record that is left. */
const TERMS_MAX = 100;
/** The parser and the engines descend into each level. */
const DEPTH_MAX = 100;
const LENGTH_MAX = 10_000;

const POINTER = '/filterLogic';

/**
 * Parses `$0 AND ($1 OR NOT $2)`: NOT binds most tightly, then AND, then OR, in any case. Each filter must be used, and
 * may be used more than once. Refuses any other text with the position, counted from 1, at which it is wrong.
 */
export function parseFilterLogic(text: string, filterCount: number): FilterLogic {
  if (text.length > LENGTH_MAX) {
    throw refusal(`filterLogic has ${text.length} characters.`, `Write at most ${LENGTH_MAX}.`);
  }
  const tokens = readTokens(text);
  const end = { text: '', position: text.length + 1 };
  const used = new Set<number>();
  let next = 0;
  let terms = 0;
  let depth = 0;

  const peek = (): Token => tokens[next] ?? end;
  const take = (expected: string): boolean => {
    const isNext = peek().text === expected;
    if (isNext) next += 1;
    return isNext;
  };
  const deeper = (position: number, parse: () => FilterLogic): FilterLogic => {
    depth += 1;
    if (depth > DEPTH_MAX) {
      throw refusal(
        `filterLogic is nested deeper than ${DEPTH_MAX} levels at position ${position}.`,
        'Leave out parentheses and NOTs that change nothing.',
      );
    }
    const parsed = parse();
    depth -= 1;
    return parsed;
  };
  const parseList =
    (kind: 'all' | 'any', separator: string, parsePart: () => FilterLogic) => (): FilterLogic => {
      const parts = [parsePart()];
      while (take(separator)) parts.push(parsePart());
      const [first] = parts;
      return parts.length === 1 && first !== undefined ? first : { kind, parts };
    };
  const parseFactor = (): FilterLogic => {
    const token = peek();
    if (take('NOT')) return deeper(token.position, () => negated(parseFactor()));
    if (take('(')) {
      const inner = deeper(token.position, parseAny);
      if (take(')')) return inner;
      if (peek() !== end) throw unexpected(peek(), 'AND, OR or a closing parenthesis');
      throw refusal(
        `The parenthesis at position ${token.position} of filterLogic is not closed.`,
        'Close it.',
      );
    }
    const index = numberOf(token, filterCount);
    next += 1;
    terms += 1;
    if (terms > TERMS_MAX) {
      throw refusal(
        `filterLogic has more than ${TERMS_MAX} terms.`,
        'Use each filter only once where you can.',
      );
    }
    used.add(index);
    return { kind: 'filter', index };
  };
  const parseAny: () => FilterLogic = parseList('any', 'OR', parseList('all', 'AND', parseFactor));

  const logic = parseAny();
  if (peek().text === ')') {
    throw refusal(
      `The parenthesis at position ${peek().position} of filterLogic has no opening parenthesis.`,
      'Leave it out, or open it before.',
    );
  }
  if (peek() !== end) throw unexpected(peek(), 'AND or OR');
  const unused = Array.from({ length: filterCount }, (_, index) => index).find(
    (index) => !used.has(index),
  );
  if (unused === undefined) return logic;
  throw refusal(
    `filterLogic does not use the filter $${unused}.`,
    'Use it, or leave it out of the filters.',
  );
}

/** A word or a parenthesis; words are in capital letters. The position counts from 1. */
type Token = { readonly text: string; readonly position: number };

function readTokens(text: string): readonly Token[] {
  return [...text.matchAll(/[()]|\$?[^\s()$]+|\$/g)].map(({ 0: word, index }) => ({
    text: WORDS.includes(word.toUpperCase()) ? word.toUpperCase() : word,
    position: index + 1,
  }));
}

const WORDS = ['AND', 'OR', 'NOT'];

function negated(part: FilterLogic): FilterLogic {
  return part.kind === 'not' ? part.part : { kind: 'not', part };
}

/** The number of the filter that a token names. */
function numberOf(token: Token, filterCount: number): number {
  if (!/^\$[0-9]{1,9}$/.test(token.text)) throw unexpected(token, 'a filter such as $0, NOT or (');
  const index = Number(token.text.slice(1));
  if (index < filterCount) return index;
  throw refusal(
    `filterLogic names ${token.text} at position ${token.position}, but there is no such filter.`,
    filterCount === 0
      ? 'The request has no filters: leave filterLogic out.'
      : `The request has ${filterCount === 1 ? 'one filter: $0' : `the filters $0 to $${filterCount - 1}`}.`,
  );
}

function unexpected({ text, position }: Token, expected: string): ServiceError {
  if (text === '') {
    return refusal(
      `filterLogic ends at position ${position}, where ${expected} is expected.`,
      'For example: $0 AND ($1 OR $2).',
    );
  }
  const shown = text.slice(0, SHOWN_LENGTH_MAX);
  return refusal(
    `filterLogic has '${shown}' at position ${position}, where ${expected} is expected.`,
    WORDS.includes(shown) || nearestName(shown, WORDS) === undefined
      ? 'For example: $0 AND ($1 OR $2).'
      : nameHint(shown, WORDS),
  );
}

const SHOWN_LENGTH_MAX = 100;

function refusal(problem: string, hint: string): ServiceError {
  return ServiceError.atPointer('INVALID_FILTER_LOGIC', POINTER, problem, hint);
}
