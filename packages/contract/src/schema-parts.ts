import { type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';

/** An object with only these fields. With a `title` it is a named schema of the OpenAPI document. */
export const closed = <Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
) => Type.Object(properties, { ...options, additionalProperties: false });

export const nullable = <const Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const time = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC.',
  examples: ['2026-01-02T03:04:05.678Z'],
});

/**
 * The keyword for rules that the service checks itself, because its refusals have their own reason and
 * hint. The OpenAPI document merges these rules into the schema. The validators of the edges ignore them.
 */
export const CHECKED_LATER = 'x-checked-later';

/**
 * The rule that at least one of these fields is present. It uses `then`, which generators of clients
 * ignore. They would read an `anyOf` in place of the properties.
 */
export const hasOneOf = (...names: readonly string[]) => ({
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits a schema.
  then: { anyOf: names.map((name) => ({ required: [name] })) },
});

/** A protobuf enum: its name, its name with the prefix, or its number. */
/** An enum that is written as its name, its prefixed name or its number. */
export const numberedEnum = (
  numbers: Readonly<Record<string, number>>,
  { prefix, description }: { readonly prefix: string; readonly description: string },
) => {
  const names = Object.keys(numbers);
  return Type.Unsafe<string | number>({
    description,
    anyOf: [
      { enum: names },
      { enum: names.map((name) => `${prefix}${name}`) },
      { enum: Object.values(numbers) },
    ],
  });
};

export const protobufEnum = (
  names: readonly string[],
  {
    prefix,
    description,
    firstNumber = 0,
  }: { readonly prefix: string; readonly description: string; readonly firstNumber?: number },
) =>
  Type.Unsafe<string | number>({
    description,
    anyOf: [
      { enum: names },
      { enum: names.map((name) => `${prefix}${name}`) },
      { enum: names.map((_, index) => index + firstNumber) },
    ],
  });
