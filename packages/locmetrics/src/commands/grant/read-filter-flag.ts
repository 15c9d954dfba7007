import {
  canonicalOperator,
  FILTER_OPERATOR_NAMES,
  FILTER_OPERATORS,
  type FilterClause,
  isFilterOperator,
} from '@locmetrics/core/domain/filter';
import { COMMA_LIST_HINT, readCommaList } from '@locmetrics/core/errors/comma-list';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { ConfigError } from '../../config/config-error.ts';

/**
 * The filter of a flag: `FIELD OPERATOR VALUE` (`state == CA`, `state in CA,NV`,
 * `state in "Washington, D.C.",Alabama`, `name in ["A, B","C"]`, `zip is_not_empty`), or a JSON filter as in requests.
 * See `comma-list.ts` for lists and double quotes.
 */
export function readFilterFlag(text: string): FilterClause {
  const trimmed = text.trim();
  return trimmed.startsWith('{') ? readClause(trimmed) : readWords(trimmed);
}

const WORDS = /^([^\s<>=!~]+)(?:\s*([<>=!~]+)|\s+(not in\b|\S+))\s*(.*)$/s;

function readWords(text: string): FilterClause {
  const [, fieldName = '', symbol, word, rest = ''] = WORDS.exec(text) ?? [];
  const written = symbol ?? word ?? '';
  if (fieldName === '' || written === '') {
    throw refusal(`${shown(text)} is not a field, an operator and a value.`, EXAMPLE);
  }
  const operator = canonicalOperator(written);
  if (!isFilterOperator(operator)) {
    throw refusal(`Unknown operator ${shown(written)}.`, nameHint(written, FILTER_OPERATOR_NAMES));
  }
  switch (FILTER_OPERATORS[operator].takes) {
    case 'list':
      return { fieldName, operator, value: '', values: readList(rest) };
    case 'none':
      if (rest !== '') throw refusal(`The operator ${operator} takes no value.`, 'Omit the value.');
      return { fieldName, operator, value: '', values: [] };
    case 'one':
      if (rest === '') throw refusal(`The operator ${operator} needs a value.`, EXAMPLE);
      return { fieldName, operator, value: readText(rest), values: [] };
  }
}

const EXAMPLE = "Write for example 'state == CA', 'state in CA,NV' or 'zip is_not_empty'.";

/** Texts separated by commas, or a JSON list. */
function readList(text: string): readonly string[] {
  const values = text.startsWith('[') ? readJson(text) : readTexts(text);
  if (Array.isArray(values) && values.every((one) => typeof one === 'string' && one !== '')) {
    return values;
  }
  throw refusal(`${shown(text)} is not a list of values.`, LIST_HINT);
}

const LIST_HINT =
  'Separate the values by commas, with one that has a comma in double quotes: "Washington, D.C.",Alabama. Or write a JSON list: ["A, B","C"].';

function readTexts(text: string): readonly string[] {
  const list = readCommaList(text);
  if ('values' in list) return list.values;
  throw refusal(`${shown(text)} ${list.problem}.`, COMMA_LIST_HINT);
}

/** A text, or one in double quotes. */
function readText(text: string): string {
  if (!text.startsWith('"')) return text;
  const [value, ...more] = readTexts(text);
  if (value !== undefined && more.length === 0) return value;
  throw refusal(`${shown(text)} is more than one value.`, "Use the operator 'in' for a list.");
}

function readClause(text: string): FilterClause {
  const given = readJson(text);
  const clause: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(Object(given))) {
    const member = name === 'field_name' ? 'fieldName' : name;
    if (!MEMBERS.includes(member)) {
      throw refusal(`A filter has no member ${shown(name)}.`, nameHint(name, MEMBERS));
    }
    clause[member] = value;
  }
  const { fieldName, operator, value = '', values = [] } = clause;
  const isValue = (one: unknown): one is string | number | boolean =>
    ['string', 'number', 'boolean'].includes(typeof one);
  if (
    typeof fieldName === 'string' &&
    typeof operator === 'string' &&
    isValue(value) &&
    Array.isArray(values) &&
    values.every(isValue)
  ) {
    return { fieldName, operator, value, values };
  }
  throw refusal(
    `${shown(text)} is not a filter.`,
    'Write for example {"fieldName": "state", "operator": "in", "values": ["CA", "NV"]}.',
  );
}

const MEMBERS: readonly string[] = ['fieldName', 'operator', 'value', 'values'];

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(`${shown(text)} is not JSON.`, EXAMPLE);
  }
}

function shown(text: string): string {
  return `'${text.slice(0, 100)}'`;
}

function refusal(message: string, hint: string): ConfigError {
  return new ConfigError(`--filter: ${message}`, hint);
}
