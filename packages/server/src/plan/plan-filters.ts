import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import {
  canonicalOperator,
  FILTER_OPERATORS,
  type FilterClause,
  type FilterValue,
  supportedOperators,
} from '../domain/filter.ts';
import { nameHint } from '../domain/nearest-name.ts';
import type { Predicate } from '../domain/predicate.ts';
import { ServiceError } from '../domain/service-error.ts';
import { checkStoredText } from '../domain/stored-text.ts';
import { foldText } from '../domain/text-fold.ts';
import { EXPECTED_VALUES, type PresentValue, parseValue } from '../domain/value.ts';
import { expectField } from './plan-fields.ts';

/** Each filter is a pass over the remaining records: thousands would occupy a core for minutes. */
const FILTERS_MAX = 100;

/** The predicates of the filters of a request; refuses filters that the schema does not allow. */
export function planFilters(
  filters: readonly FilterClause[],
  dataset: Dataset,
): readonly Predicate[] {
  if (filters.length > FILTERS_MAX) {
    throw ServiceError.atPointer(
      'INVALID_REQUEST',
      '/filters',
      `The request has ${filters.length} filters.`,
      `Send at most ${FILTERS_MAX}; several values of one field go into one filter with 'in'.`,
    );
  }
  return filters.map((clause, index) => planFilter(clause, dataset, `/filters/${index}`));
}

function planFilter(clause: FilterClause, dataset: Dataset, pointer: string): Predicate {
  const field = expectField(clause.fieldName, dataset, `${pointer}/fieldName`);
  const operator = expectOperator(clause.operator, field, `${pointer}/operator`);
  switch (operator) {
    case 'is_empty':
    case 'is_not_empty':
      expectNoValue(clause, pointer);
      expectNoValues(clause, pointer);
      return { kind: 'empty', field, negated: operator === 'is_not_empty' };
    case 'in':
    case 'not_in':
      expectNoValue(clause, pointer);
      return planMembership({ clause, field, negated: operator === 'not_in', pointer });
    case 'contains':
    case 'starts_with':
    case 'ends_with': {
      expectNoValues(clause, pointer);
      const text = expectText(clause.value, field, `${pointer}/value`);
      if (text === '') throw missingText(field, operator, `${pointer}/value`);
      checkStoredText(text, `${pointer}/value`);
      return { kind: 'match', field, match: operator, folded: foldText(text) };
    }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      expectNoValues(clause, pointer);
      return {
        kind: 'compare',
        field,
        operator,
        value: readValue({ written: clause.value, field, operator, pointer: `${pointer}/value` }),
      };
  }
}

function expectOperator(name: string, field: Field, pointer: string) {
  const supported = supportedOperators(field.type);
  const canonical = canonicalOperator(name);
  const operator = supported.find((known) => known === canonical);
  if (operator !== undefined) return operator;
  const isKnown = FILTER_OPERATORS.some((known) => known === canonical);
  throw ServiceError.atPointer(
    'UNSUPPORTED_OPERATOR',
    pointer,
    isKnown
      ? `The operator '${name}' is not supported by the ${field.type} field '${field.name}'.`
      : name === ''
        ? `The filter on '${field.name}' has no operator.`
        : `Unknown operator '${name}' in the filter on '${field.name}'.`,
    isKnown || name === '' ? `Supported are ${supported.join(', ')}.` : nameHint(name, supported),
  );
}

function expectNoValue(clause: FilterClause, pointer: string): void {
  if (clause.value === '') return;
  const isList = clause.operator !== 'is_empty' && clause.operator !== 'is_not_empty';
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    `${pointer}/value`,
    `The operator '${clause.operator}' takes no 'value'; it got '${shown(clause.value)}'.`,
    isList ? "Send the list as 'values'." : "Leave 'value' out.",
  );
}

function expectNoValues(clause: FilterClause, pointer: string): void {
  if (clause.values.length === 0) return;
  const takesValue = clause.operator !== 'is_empty' && clause.operator !== 'is_not_empty';
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    `${pointer}/values`,
    `The operator '${clause.operator}' takes no 'values'; it got ${clause.values.length}.`,
    takesValue ? "Send one 'value', or use the operator 'in'." : "Leave 'values' out.",
  );
}

/** Limits the size of a statement; callers split longer lists. */
const FILTER_VALUES_MAX = 10_000;

function planMembership({
  clause,
  field,
  negated,
  pointer,
}: {
  readonly clause: FilterClause;
  readonly field: Field;
  readonly negated: boolean;
  readonly pointer: string;
}): Predicate {
  const operator = negated ? 'not_in' : 'in';
  if (clause.values.length === 0) {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      `${pointer}/values`,
      `The operator '${operator}' on '${field.name}' needs 'values', a list with at least one.`,
      'Send the list as "values": ["…", "…"].',
    );
  }
  if (clause.values.length > FILTER_VALUES_MAX) {
    throw ServiceError.atPointer(
      'INVALID_FILTER_VALUE',
      `${pointer}/values`,
      `The filter on '${field.name}' has ${clause.values.length} values.`,
      `Send at most ${FILTER_VALUES_MAX}; split a longer list over several requests.`,
    );
  }
  const values = clause.values.map((written, index) =>
    readValue({ written, field, operator, pointer: `${pointer}/values/${index}` }),
  );
  return { kind: 'in', field, negated, values };
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
