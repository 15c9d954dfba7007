import { toSnakeCase } from '../request/read-spelling.ts';
import { isEnumInNotations, type JsonSchema, mapSchema } from './json-schema.ts';

/**
 * The request schema for readers and client generators: each field once, in lowerCamelCase, and each enum
 * by its names.
 */
export function preferredRequest(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (node) => {
    if (!isEnumInNotations(node)) return node;
    const { anyOf = [], ...rest } = node;
    return { ...rest, ...anyOf[0] };
  });
}

/**
 * All that the service accepts as the request: each field in lowerCamelCase or in snake_case; each enum in
 * every notation; `null` for absent. A field in both spellings is refused. Only the description says this,
 * because tools that generate requests take minutes for one with rules about pairs of fields.
 *
 * Client generators ignore `then`, so they generate a type without fields from it. With ordinary
 * `properties` or `patternProperties` they would generate a type in which everything is optional, which
 * would make the type of the preferred request useless.
 */
export function anySpellingRequest(schema: JsonSchema): JsonSchema {
  return {
    title: `${schema.title}AnySpelling`,
    description: `The same as ${schema.title}, as the service accepts it: each field in lowerCamelCase or in snake_case, but not in both; each enum as its name, its prefixed name or its number; null for an absent field.`,
    type: 'object',
    if: { type: 'object' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits a schema.
    then: spellObject(schema),
  };
}

function spell(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf = [] } = schema;
  if (properties !== undefined) return spellObject(schema);
  const { description: _, examples: __, ...rules } = schema;
  if (items !== undefined) return { ...rules, items: spell(items) };
  if (anyOf.length > 0) return { anyOf: anyOf.map(spell) };
  return rules;
}

function spellObject(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], then: rule } = schema;
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const spelled = spell(member);
    const isInOneSpelling = required.includes(name) && spellings(name).length === 1;
    const value = isInOneSpelling ? spelled : { anyOf: [spelled, { type: 'null' }] };
    return spellings(name).map((spelling) => [spelling, value]);
  });
  const inOneSpelling = required.filter((name) => spellings(name).length === 1);
  const inTwoSpellings = required.filter((name) => spellings(name).length === 2);
  return {
    type: 'object',
    properties: Object.fromEntries(members),
    additionalProperties: false,
    ...(inOneSpelling.length === 0 ? {} : { required: inOneSpelling }),
    ...(inTwoSpellings.length === 0
      ? {}
      : {
          allOf: inTwoSpellings.map((name) => ({
            anyOf: spellings(name).map((spelling) => isPresent(spelling, properties[name])),
          })),
        }),
    ...(rule === undefined ? {} : spellRule(rule, properties)),
  };
}

/** The rule that at least one of some fields is present and not null. */
function spellRule(rule: unknown, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const conditions: readonly { readonly required: readonly string[] }[] = Object(rule).anyOf;
  return {
    anyOf: conditions
      .flatMap(({ required }) => required)
      .flatMap((name) => spellings(name).map((spelling) => isPresent(spelling, properties[name]))),
  };
}

/** The rule that a field is present and not null in this spelling. */
function isPresent(spelling: string, schema: JsonSchema = {}): JsonSchema {
  return { required: [spelling], properties: { [spelling]: spell(schema) } };
}

function spellings(name: string): readonly string[] {
  return [...new Set([name, toSnakeCase(name)])];
}
