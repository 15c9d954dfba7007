import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import {
  canonicalOperator,
  FILTER_OPERATORS,
  type FilterClause,
  type FilterOperator,
  type FilterValue,
  isFilterOperator,
  type OperatorDefinition,
  supportedOperators,
} from '../domain/filter.ts';
import type { CompareOperator, Predicate, TextMatch } from '../domain/predicate.ts';
import { EXPECTED_VALUES, type PresentValue, parseValue } from '../domain/value.ts';
import { expectAt } from '../errors/expect-at.ts';
import { nameHint } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';
import { checkStoredText } from '../text/stored-text.ts';
import { foldText } from '../text/text-fold.ts';
import { type FilterLogic, parseFilterLogic } from './parse-filter-logic.ts';
import { expectField, refuseOutline } from './plan-fields.ts';

/** Each filter is a pass over the remaining records: thousands would occupy a core for minutes. */
const FILTERS_MAX = 100;

/**
 * The predicates of the filters of a request; refuses filters that the schema does not allow. An empty `filterLogic`
 * combines them with AND.
 */
export function planFilters(
  filters: readonly FilterClause[],
  dataset: Dataset,
  filterLogic = '',
  pointer = '/filters',
): readonly Predicate[] {
  if (filters.length > FILTERS_MAX) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      pointer,
      `The request has ${filters.length} filters.`,
      `Send at most ${FILTERS_MAX}; several values of one field go into one filter with 'in'.`,
    );
  }
  const planned = filters.map((clause, index) =>
    planFilter(clause, dataset, `${pointer}/${index}`),
  );
  return filterLogic === ''
    ? planned.flat()
    : combine(parseFilterLogic(filterLogic, filters.length), planned);
}

/** Predicates that AND combines stay a list, so that an engine can find the records by one of them. */
function combine(
  logic: FilterLogic,
  planned: readonly (readonly Predicate[])[],
): readonly Predicate[] {
  switch (logic.kind) {
    case 'filter':
      return expectAt(planned, logic.index);
    case 'all':
      return logic.parts.flatMap((part) => combine(part, planned));
    case 'any':
      return [{ kind: 'any', alternatives: logic.parts.map((part) => combine(part, planned)) }];
    case 'not':
      return [{ kind: 'not', predicates: combine(logic.part, planned) }];
  }
}

function planFilter(clause: FilterClause, dataset: Dataset, pointer: string): readonly Predicate[] {
  const field = expectField(clause.fieldName, dataset, `${pointer}/fieldName`);
  refuseOutline(field, `${pointer}/fieldName`, 'filtered');
  const operator = expectOperator(clause.operator, field, `${pointer}/operator`);
  const { takes } = FILTER_OPERATORS[operator];
  if (takes !== 'one') expectNoValue(clause, takes, pointer);
  if (takes !== 'list') expectNoValues(clause, takes, pointer);
  return PLANS[operator]({ clause, field, operator, pointer });
}

/** A filter whose operator the field supports, with the values that the operator takes, unread. */
type GivenFilter = {
  readonly clause: FilterClause;
  readonly field: Field;
  readonly operator: FilterOperator;
  readonly pointer: string;
};

type Plan = (given: GivenFilter) => readonly Predicate[];

/** The predicates of each operator, which must all match. Engines know only these predicates, not the operators. */
const PLANS: Readonly<Record<FilterOperator, Plan>> = {
  '==': comparison('=='),
  '!=': comparison('!='),
  '<': comparison('<'),
  '<=': comparison('<='),
  '>': comparison('>'),
  '>=': comparison('>='),
  in: (given) => [{ kind: 'in', field: given.field, negated: false, values: readValues(given) }],
  not_in: (given) => [{ kind: 'in', field: given.field, negated: true, values: readValues(given) }],
  contains: textMatch('contains'),
  starts_with: textMatch('starts_with'),
  ends_with: textMatch('ends_with'),
  is_empty: ({ field }) => [{ kind: 'empty', field, negated: false }],
  is_not_empty: ({ field }) => [{ kind: 'empty', field, negated: true }],
};

function comparison(operator: CompareOperator): Plan {
  return (given) => [{ kind: 'compare', field: given.field, operator, value: readOneValue(given) }];
}

function textMatch(match: TextMatch): Plan {
  return ({ clause, field, operator, pointer }) => {
    const text = expectText(clause.value, field, `${pointer}/value`);
    if (text === '') throw missingText(field, operator, `${pointer}/value`);
    checkStoredText(text, `${pointer}/value`);
    return [{ kind: 'match', field, match, folded: foldText(text) }];
  };
}

function expectOperator(name: string, field: Field, pointer: string): FilterOperator {
  const canonical = canonicalOperator(name);
  if (isFilterOperator(canonical) && FILTER_OPERATORS[canonical].types.includes(field.type)) {
    return canonical;
  }
  const supported = supportedOperators(field);
  const isKnown = isFilterOperator(canonical);
  throw ServiceError.atPointer(
    'UNSUPPORTED_OPERATOR',
    pointer,
    isKnown
      ? `The operator '${name}' is not supported by the ${field.type} field '${field.name}'.`
      : name === ''
        ? `The filter on '${field.name}' has no operator.`
        : `Unknown operator '${name}' in the filter on '${field.name}'.`,
    isKnown || name === '' ? `Supported: ${supported.join(', ')}.` : nameHint(name, supported),
  );
}

function expectNoValue(
  clause: FilterClause,
  takes: OperatorDefinition['takes'],
  pointer: string,
): void {
  if (clause.value === '') return;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    `${pointer}/value`,
    `The operator '${clause.operator}' takes no 'value'; it got '${shown(clause.value)}'.`,
    takes === 'list' ? "Send the list as 'values'." : "Leave 'value' out.",
  );
}

function expectNoValues(
  clause: FilterClause,
  takes: OperatorDefinition['takes'],
  pointer: string,
): void {
  if (clause.values.length === 0) return;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    `${pointer}/values`,
    `The operator '${clause.operator}' takes no 'values'; it got ${clause.values.length}.`,
    takes === 'one' ? "Send one 'value', or use the operator 'in'." : "Leave 'values' out.",
  );
}

function readValues({ clause, field, operator, pointer }: GivenFilter): readonly PresentValue[] {
  const { least = 1, most = 1 } = FILTER_OPERATORS[operator];
  if (clause.values.length < least) {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      `${pointer}/values`,
      `The operator '${operator}' on '${field.name}' needs 'values', a list with at least ${least === 1 ? 'one' : least}.`,
      'Send the list as "values": ["…", "…"].',
    );
  }
  if (clause.values.length > most) {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      `${pointer}/values`,
      `The filter on '${field.name}' has ${clause.values.length} values.`,
      `Send at most ${most}; split a longer list over several requests.`,
    );
  }
  return clause.values.map((written, index) =>
    readValue({ written, field, operator, pointer: `${pointer}/values/${index}` }),
  );
}

function readOneValue({ clause, field, operator, pointer }: GivenFilter): PresentValue {
  return readValue({ written: clause.value, field, operator, pointer: `${pointer}/value` });
}

function readValue({
  written,
  field,
  operator,
  pointer,
}: {
  readonly written: FilterValue;
  readonly field: Field;
  readonly operator: string;
  readonly pointer: string;
}): PresentValue {
  const text = expectText(written, field, pointer);
  if (text === '' || (field.type === 'string' && text.trim() === '')) {
    throw missingValue(field, operator, pointer);
  }
  checkStoredText(text, pointer);
  const parsed = parseValue(field.type, text);
  if ('value' in parsed) return parsed.value;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    `The value '${shown(text)}' does not fit the ${field.type} field '${field.name}'.`,
    `Send ${parsed.expected}.`,
  );
}

function missingText(field: Field, operator: string, pointer: string): ServiceError {
  return ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    `The operator '${operator}' on '${field.name}' needs a value.`,
    'Send the text to look for; is_not_empty finds every present text.',
  );
}

/**
 * The text of a value; a JSON number or boolean is only accepted if the field has that type.
 *
 * Text is the form of the wire and always works. A number for a text field is refused and not converted.
 */
function expectText(written: FilterValue, field: Field, pointer: string): string {
  if (typeof written === 'string') return written;
  const fits =
    typeof written === 'boolean'
      ? field.type === 'boolean'
      : field.type === 'integer' || field.type === 'float';
  if (!fits) {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      pointer,
      `The ${typeof written} ${written} does not fit the ${field.type} field '${field.name}'.`,
      field.type === 'string'
        ? `Send the value as text: "${written}".`
        : `Send ${EXPECTED_VALUES[field.type]}.`,
    );
  }
  if (field.type === 'integer' && Number.isInteger(written) && !Number.isSafeInteger(written)) {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      pointer,
      `The JSON number ${written} is beyond 2^53, where JSON numbers are not exact.`,
      'Send the value as text.',
    );
  }
  return String(written);
}

function missingValue(field: Field, operator: string, pointer: string): ServiceError {
  return ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    `The operator '${operator}' on '${field.name}' needs a value that is not blank.`,
    'A blank value is absent: ask for it with is_empty or is_not_empty.',
  );
}

/** Shortens a long value for a message, with a mark that it was shortened. */
function shown(written: FilterValue): string {
  const text = String(written);
  return text.length <= SHOWN_LENGTH_MAX
    ? text
    : `${text.slice(0, SHOWN_LENGTH_MAX)}… (${text.length} characters)`;
}

const SHOWN_LENGTH_MAX = 100;
