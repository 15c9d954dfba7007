/** A type of fields, as the manifest writes it. */
type FilteredType = 'string' | 'integer' | 'float' | 'boolean' | 'date';

export type OperatorDefinition = {
  /** A filter with this operator takes no value, one `value`, or a list of `values`. */
  readonly takes: 'none' | 'one' | 'list';
  /** How many values a list has. */
  readonly least?: number;
  readonly most?: number;
  /** The types of the fields that support the operator. */
  readonly types: readonly FilteredType[];
  /** The text between a field and a value, and between two dates. */
  readonly words: string;
  readonly dateWords?: string;
  /** Set if the matching values, or the values that do not match, are exactly those that the filter lists. */
  readonly names?: 'matches' | 'exclusions';
};

const ANY = ['string', 'integer', 'float', 'boolean', 'date'] as const;
const LISTED = ['string', 'integer', 'float', 'date'] as const;
const ORDERED = ['integer', 'float', 'date'] as const;
const TEXT = ['string'] as const;

/** Limits the size of a statement; callers split longer lists. */
export const FILTER_LIST_MAX = 10_000;

const ANY_NUMBER = { takes: 'list', least: 1, most: FILTER_LIST_MAX } as const;

const OPERATORS = {
  '==': { takes: 'one', types: ANY, words: 'is', names: 'matches' },
  '!=': { takes: 'one', types: ANY, words: 'is not', names: 'exclusions' },
  '<': { takes: 'one', types: ORDERED, words: 'is less than', dateWords: 'is before' },
  '<=': { takes: 'one', types: ORDERED, words: 'is at most', dateWords: 'is on or before' },
  '>': { takes: 'one', types: ORDERED, words: 'is more than', dateWords: 'is after' },
  '>=': { takes: 'one', types: ORDERED, words: 'is at least', dateWords: 'is on or after' },
  in: { ...ANY_NUMBER, types: LISTED, words: 'is one of', names: 'matches' },
  not_in: { ...ANY_NUMBER, types: LISTED, words: 'is none of', names: 'exclusions' },
  contains: { takes: 'one', types: TEXT, words: 'contains' },
  starts_with: { takes: 'one', types: TEXT, words: 'starts with' },
  ends_with: { takes: 'one', types: TEXT, words: 'ends with' },
  is_empty: { takes: 'none', types: ANY, words: 'is empty', names: 'matches' },
  is_not_empty: { takes: 'none', types: ANY, words: 'is not empty', names: 'exclusions' },
} as const satisfies Readonly<Record<string, OperatorDefinition>>;

export type FilterOperator = keyof typeof OPERATORS;

/**
 * Every operator of a filter, in the published order: the only list of them. Checks, texts, pages and controls are made
 * from it.
 */
export const FILTER_OPERATORS: Readonly<Record<FilterOperator, OperatorDefinition>> = OPERATORS;

// Object.keys of a closed record are its keys.
export const FILTER_OPERATOR_NAMES = Object.keys(OPERATORS) as readonly FilterOperator[];

export function isFilterOperator(name: string): name is FilterOperator {
  return Object.hasOwn(OPERATORS, name);
}
