import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Report } from './manifest-report.ts';
import { type ManifestDocument, ManifestSchema } from './manifest-schema.ts';
import { PATTERN_WORDS } from './manifest-schema-parts.ts';

/** Checks the structure of a manifest; reports all problems and returns undefined if there are any. */
export function checkShape(value: unknown, report: Report): ManifestDocument | undefined {
  if (validateShape(value)) {
    // The checked schema is the source of the type.
    return value as ManifestDocument;
  }
  for (const error of mergeBranches(validateShape.errors ?? [])) reportShape(error, report);
  return undefined;
}

const validateShape = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  // Each command that reads a manifest compiles the schema, which takes half of the time so. A test checks the schema itself.
  validateSchema: false,
  code: { optimize: false },
}).compile(ManifestSchema);

/**
 * Ajv reports each branch of a union. Branches of another type than what was found say nothing if one
 * branch has the type; if none has it, the types are listed in one error.
 */
function mergeBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  return unions.reduce((left, union) => {
    const isBranch = (error: ErrorObject): boolean =>
      error !== union &&
      error.schemaPath.startsWith(`${union.schemaPath}/`) &&
      // Datasets share the schema, but not the place.
      `${error.instancePath}/`.startsWith(`${union.instancePath}/`);
    const isOtherType = (error: ErrorObject): boolean =>
      isBranch(error) && error.keyword === 'type' && error.instancePath === union.instancePath;
    const others = left.filter(isOtherType);
    const rest = left.filter((error) => error !== union && !isOtherType(error));
    if (rest.some(isBranch)) return rest;
    const types = others.map(({ params }) => String(params['type'])).join(',');
    const [first] = others;
    return first === undefined ? rest : [...rest, { ...first, params: { type: types } }];
  }, errors);
}

function reportShape(error: ErrorObject, report: Report): void {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const reportHere = report.at(...keys);
  const { parentSchema, params } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      const known = Object.keys(parentSchema?.['properties'] ?? {});
      const pattern = Object.keys(parentSchema?.['patternProperties'] ?? {})[0];
      if (pattern === undefined) {
        const hint = isRestOfText(error.data, unknown)
          ? 'Put the text before it into quotes: within braces, a comma ends an unquoted text.'
          : nameHint(unknown, known);
        reportHere.at(unknown)(`Unknown key '${unknown}'.`, hint);
      } else {
        reportHere.at(unknown)(`'${unknown}' is not a valid name.`, patternHint(unknown, pattern));
      }
      return;
    }
    case 'required':
      reportHere(`The key '${String(params['missingProperty'])}' is missing.`);
      return;
    case 'enum': {
      const allowed: readonly unknown[] = parentSchema?.['enum'] ?? [];
      reportHere(
        `Unknown value '${String(error.data)}'.`,
        nameHint(String(error.data), allowed.map(String)),
      );
      return;
    }
    case 'const':
      reportHere(
        `Expected ${JSON.stringify(params['allowedValue'])}, found ${JSON.stringify(error.data)}.`,
      );
      return;
    case 'type': {
      const expected = String(params['type']).split(',');
      const words = expected.map((type) => TYPE_WORDS.get(type) ?? type).join(' or ');
      const found = error.data === null ? 'nothing' : JSON.stringify(error.data);
      reportHere(`Expected ${words}, found ${found}.`, typeHint(expected, keys, error.data));
      return;
    }
    case 'pattern':
      reportHere(
        `${JSON.stringify(error.data)} is not valid here.`,
        patternHint(String(error.data), String(params['pattern'])),
      );
      return;
    case 'minLength':
      reportHere('The text is empty.', 'Write at least one character, or remove the key.');
      return;
    case 'maxLength':
      reportHere(
        `${JSON.stringify(error.data)} is too long.`,
        params['limit'] === 1
          ? 'Write one character.'
          : `Write at most ${params['limit']} characters.`,
      );
      return;
    case 'minItems':
      reportHere('The list is empty.', 'Write at least one entry.');
      return;
    case 'minProperties':
      reportHere('The list of declarations is empty.', 'Declare at least one.');
      return;
    case 'uniqueItems': {
      const items: readonly unknown[] = Array.isArray(error.data) ? error.data : [];
      const repeated = JSON.stringify(items[Number(params['j'])]);
      reportHere(`The list has ${repeated} twice.`, 'Write each entry once.');
      return;
    }
    default:
      reportHere(`${JSON.stringify(error.data)} ${error.message ?? 'is not valid'}.`);
  }
}

/** Whether YAML has cut a text such as `substr(a, 1)` at its comma: the rest is then a key without a value. */
function isRestOfText(mapping: unknown, key: string): boolean {
  const isNull =
    typeof mapping === 'object' && mapping !== null && Reflect.get(mapping, key) === null;
  return isNull && !/^[a-z_][\w-]*$/i.test(key);
}

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'keys with values'],
]);

/** How to write a value of the expected type, by what was found instead. */
function typeHint(
  [expected, ...others]: readonly string[],
  keys: readonly string[],
  found: unknown,
): string | undefined {
  if (others.length > 0) return undefined;
  const key = keys.at(-1) ?? '';
  const isPlain = ['string', 'number', 'boolean'].includes(typeof found);
  switch (expected) {
    case 'string':
      if (typeof found === 'number' || typeof found === 'boolean') {
        return 'Put quotes around a text that looks like a number or like true or false.';
      }
      return Array.isArray(found) ? 'Write one text, not a list.' : 'Write a text.';
    case 'array':
      return isPlain
        ? `Write it as a list: ${key}: [${String(found)}]`
        : 'Write it as a list: [a, b]';
    case 'boolean':
      return 'Write true or false without quotes.';
    case 'number':
    case 'integer':
      return 'Write a number without quotes.';
    case 'object':
      return key === ''
        ? 'Start the manifest with format: 1 and datasets:'
        : `Write its keys with their values below ${key}:`;
    default:
      return undefined;
  }
}

/** A pattern in words, with the nearest text that matches it. */
function patternHint(text: string, pattern: string): string {
  const words = PATTERN_WORDS.get(pattern);
  if (words === undefined) throw new Error(`The pattern ${pattern} has no words.`);
  const nearest = text
    .toLowerCase()
    .replace(/[^a-z0-9_./]+/g, '_')
    .replace(/^[^a-z]+/, '');
  const example = new RegExp(pattern).test(nearest) ? ` For example: ${nearest}` : '';
  return `Write ${words}.${example}`;
}
