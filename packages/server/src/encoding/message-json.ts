import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';

/**
 * A message as it looks in JSON under `/v1`: every field by its name in lowerCamelCase, lists with names that end with `List`, enums
 * as names without their prefix. An absent message is left out.
 */
export function messageJson(
  schema: DescMessage,
  message: Message,
): Readonly<Record<string, unknown>> {
  // A message has a member for each field of its schema.
  const members = message as unknown as Readonly<Record<string, unknown>>;
  const json: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const value = members[field.localName];
    if (value === undefined) continue;
    if (field.fieldKind === 'list') {
      // A list has items of the kind of its field.
      json[`${field.jsonName}List`] = (value as readonly unknown[]).map((one) =>
        itemJson(field, one),
      );
    } else {
      json[field.jsonName] = itemJson(field, value);
    }
  }
  return json;
}

/** A value of a field, or an item of a list. */
function itemJson(field: DescField, value: unknown): unknown {
  // The value has the type of the field.
  if (field.message !== undefined) return messageJson(field.message, value as Message);
  if (field.enum !== undefined) return field.enum.value[value as number]?.localName ?? value;
  return typeof value === 'bigint' ? Number(value) : value;
}
