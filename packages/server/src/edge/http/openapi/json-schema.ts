import { CHECKED_LATER } from '@locmetrics/contract';

/** A JSON Schema of the contract, as plain JSON. */
export type JsonSchema = {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
};

/** An object of an OpenAPI document that is not a schema. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

/** The schema as plain JSON, with the rules that the service checks in its own code. */
export function toJsonSchema(schema: object): JsonSchema {
  return merge(JSON.parse(JSON.stringify(schema)));
}

/** Replaces every nested schema, innermost first. */
export function mapSchema(
  schema: JsonSchema,
  replace: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return replace({
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, member]) => [name, mapSchema(member, replace)]),
          ),
        }),
    ...(items === undefined ? {} : { items: mapSchema(items, replace) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((branch) => mapSchema(branch, replace)) }),
    ...(typeof additionalProperties === 'object' && additionalProperties !== null
      ? { additionalProperties: mapSchema({ ...additionalProperties }, replace) }
      : {}),
  });
}

/** Whether the alternatives of the schema are the notations of one enum. */
export function isEnumInNotations({ anyOf }: JsonSchema): boolean {
  return anyOf?.every((branch) => branch.enum !== undefined) ?? false;
}

function merge(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ [CHECKED_LATER]: later, patternProperties, ...schemaRest }) => {
    const rest = withAlternatives(schemaRest);
    const { required = [], ...rules } = Object(later);
    const { enum: values } = rest;
    const all = [...(rest.required ?? []), ...required];
    return {
      // TypeBox writes an enum without its type, which client generators need.
      ...(values === undefined
        ? {}
        : { type: typeof values[0] === 'number' ? 'integer' : 'string' }),
      ...rest,
      ...rules,
      ...(all.length === 0 ? {} : { required: all }),
      // TypeBox writes a map of names to values as a pattern that every name matches.
      ...(patternProperties === undefined
        ? {}
        : {
            additionalProperties: merge({
              ...Object(Object.values(Object(patternProperties)).at(0)),
            }),
          }),
    };
  });
}

/**
 * Writes several types as alternatives, because generators for languages without such unions refuse a list of types. A
 * type or `null` stays a list, which they read as a nullable type.
 */
function withAlternatives(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  if (!Array.isArray(type) || type.filter((one) => one !== 'null').length < 2) return schema;
  return { ...rest, anyOf: type.map((one) => ({ type: one })) };
}
