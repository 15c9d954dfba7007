import { type TObjectOptions, type TProperties, Type } from 'typebox';

/** An object with no other fields than these. With a `title` it is a named schema of the OpenAPI document. */
export const closed = <Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
) => Type.Object(properties, { ...options, additionalProperties: false });

/**
 * The keyword for rules that the service checks itself, because it refuses with a reason and a hint of
 * its own. The OpenAPI document merges them into their schema; the validators of the edges pass them over.
 */
export const CHECKED_LATER = 'x-checked-later';

/**
 * The rule that one of these fields is there. Generators of clients read no `then`; an `anyOf` beside the
 * properties they would take in their place.
 */
export const hasOneOf = (...names: readonly string[]) => ({
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nothing awaits a schema.
  then: { anyOf: names.map((name) => ({ required: [name] })) },
});

/** An enum of protobuf: written as its name, as its prefixed name, or as its number. */
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
